package dev.heddle.external;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.Headroom;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A pool with real Python workers. After each test, checks that no process is left. */
abstract class ExternalFixture {

    static final Duration LONG = Duration.ofSeconds(30);
    static final JobType<JsonNode, JsonNode> WORK = JobType.of("work", JsonNode.class, JsonNode.class);
    private static final Path LIBRARY = Path.of("../sdk/python").toAbsolutePath().normalize();

    @TempDir
    Path home;
    Processes processes;
    @Nullable Pool pool;

    @BeforeEach
    void openProcesses() {
        processes = Processes.open(
                ProcessSettings.in(home.resolve("processes")).headroom(Headroom.none()).grace(Duration.ofMillis(500)));
    }

    @AfterEach
    void closeAndCheckForLeftovers() {
        Pool open = pool;
        if (open != null) {
            open.close();
            assertThat(processes.running()).as("processes after closing the pool").isEmpty();
        }
        processes.close();
    }

    static Path script(String name) {
        try {
            return Path.of(Objects.requireNonNull(ExternalFixture.class.getResource(name), name).toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns workers that use the Python library and do what the payload says. */
    External<JsonNode, JsonNode> libraryWorker() {
        return testTiming(External.of(WORK, "python3", script("library_worker.py").toString()));
    }

    /** Returns workers that violate the protocol at their start, if told how, or when a job says so. */
    External<JsonNode, JsonNode> faultyWorker(String... how) {
        List<String> command = new ArrayList<>(List.of("python3", script("faulty_worker.py").toString()));
        command.addAll(List.of(how));
        return testTiming(External.of(WORK, command));
    }

    /**
     * Sets short intervals for the supervisor and long timeouts for the worker. Tests of a timeout shorten just that
     * one.
     */
    private static External<JsonNode, JsonNode> testTiming(External<JsonNode, JsonNode> external) {
        return external.environment("PYTHONPATH", LIBRARY.toString()).environment("PYTHONDONTWRITEBYTECODE", "1")
                .health(Duration.ofMillis(300), LONG).probeAfter(Duration.ofMillis(100)).handshake(LONG);
    }

    /** Has the workers wait for {@link #openGate} before they respond to initialize. */
    External<JsonNode, JsonNode> gated(External<JsonNode, JsonNode> external) {
        return external.environment("GATE", gate().toString());
    }

    Path gate() {
        return home.resolve("gate");
    }

    void openGate() throws IOException {
        Files.createFile(gate());
    }

    Pool open(External<JsonNode, JsonNode> external) {
        return open(external, UnaryOperator.identity());
    }

    Pool open(External<JsonNode, JsonNode> external, UnaryOperator<PoolBuilder> settings) {
        PoolBuilder builder = Pool.on(new MemoryStore()).retry(RetryPolicy.linear(2, Duration.ZERO))
                .cancelGrace(LONG, LONG).closeTimeout(Duration.ofSeconds(2));
        pool = settings.apply(builder).with(external.on(processes)).open();
        return pool;
    }

    Pool pool() {
        return Objects.requireNonNull(pool, "open a pool first");
    }

    static ObjectNode job(String what) {
        return Protocol.object().put("what", what);
    }

    JobHandle<JsonNode> submit(ObjectNode payload) {
        return pool().submit(WORK, payload);
    }

    JsonNode run(ObjectNode payload) throws Exception {
        return result(submit(payload));
    }

    JsonNode run(JobRequest<JsonNode, JsonNode> request) throws Exception {
        return result(pool().submit(request));
    }

    static JsonNode result(JobHandle<JsonNode> handle) throws Exception {
        return Objects.requireNonNull(handle.await(LONG), "a result");
    }

    /** Returns why the first attempt failed. */
    Failure firstFailure(JobHandle<?> handle) {
        return Objects
                .requireNonNull(pool().admin().details(handle.id()).orElseThrow().attempts().getFirst().failure());
    }

    Job end(JobHandle<?> handle) throws Exception {
        return handle.awaitEnd(LONG);
    }

    /** Returns the workers in this state. A READY worker without a pid has ended meanwhile and is left out. */
    List<WorkerSnapshot> in(WorkerState state) {
        return pool().admin().workers().stream().filter(worker -> worker.group().equals(WORK.name()))
                .filter(worker -> worker.state() == state)
                .filter(worker -> state != WorkerState.READY || worker.facts().containsKey("pid")).toList();
    }

    void awaitReady(int count) {
        await().until(() -> in(WorkerState.READY).size() == count);
    }

    /** Waits for a ready worker and returns it. */
    WorkerSnapshot ready() {
        return await().until(() -> in(WorkerState.READY), ready -> !ready.isEmpty()).getFirst();
    }

    static long pid(WorkerSnapshot worker) {
        return Long.parseLong(Objects.requireNonNull(worker.facts().get("pid")));
    }

    /** Kills all processes of a worker, as an administrator or the kernel would. */
    static void kill(Map<String, String> facts) {
        ProcessHandle.of(Long.parseLong(Objects.requireNonNull(facts.get("pid")))).ifPresent(first -> {
            first.descendants().forEach(ProcessHandle::destroyForcibly);
            first.destroyForcibly();
        });
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(5));
    }
}

package dev.heddle.external;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Store;
import dev.heddle.testkit.Torture;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions of clients on real Python workers. */
class ExternalSessionsTest extends ExternalFixture {

    private JobHandle<JsonNode> submit(String session, String what) {
        return pool().session(session).submit(WORK, job(what));
    }

    private String worker(String session) throws Exception {
        return result(submit(session, "echo")).path("worker").asString();
    }

    @Test
    void keepsTheJobsOfASessionOnOneWorker() throws Exception {
        open(libraryWorker().workers(3));
        awaitReady(3);
        Map<String, String> workers = new HashMap<>();
        for (int round = 0; round < 10; round++) {
            for (String session : List.of("ada", "bert", "carl", "dora")) {
                String worker = worker(session);
                assertThat(workers.computeIfAbsent(session, _ -> worker)).isEqualTo(worker);
            }
        }
        assertThat(Set.copyOf(workers.values())).hasSize(3);
        assertThat(result(submit("ada", "echo")).path("session").asString()).isEqualTo("ada");
    }

    @Test
    void failsTheJobsOfASessionWhoseWorkerIsLostAndBindsItAnew() throws Exception {
        open(libraryWorker().workers(2));
        awaitReady(2);
        String lost = worker("ada");
        JobHandle<JsonNode> running = pool().session("ada").submit(WORK, job("deaf").put("seconds", 60));
        await().until(() -> pool().find(running.id()).orElseThrow().status().progress() != null);
        JobHandle<JsonNode> waiting = submit("ada", "echo");
        WorkerSnapshot victim = pool().admin().workers().stream().filter(worker -> worker.id().equals(lost)).findFirst()
                .orElseThrow();
        assertThat(victim.facts()).containsEntry("sessions", "1");
        kill(victim.facts());

        for (JobHandle<JsonNode> handle : List.of(running, waiting)) {
            Job job = end(handle);
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.status().reason()).contains("SessionLost: session 'ada', job type 'work'");
        }
        assertThat(worker("ada")).isNotEqualTo(lost);
    }

    @Test
    void tellsAWorkerThatASessionHasEnded() throws Exception {
        open(libraryWorker());
        result(pool().session("ada").submit(WORK, job("remember").put("value", "x")));
        assertThat(result(submit("ada", "recall")).path("value").asString()).isEqualTo("x");
        pool().session("ada").drop();
        assertThat(result(submit("ada", "recall")).path("value").isNull()).as("a new session").isTrue();
        assertThat(pool().admin().sessions(10)).extracting(Binding::session).containsExactly("ada");
    }

    @Test
    void doesNotRecycleAWorkerThatHasASession() throws Exception {
        open(libraryWorker().recycle(Recycling.never().afterJobs(2).jitter(0)));
        String first = worker("ada");
        for (int i = 0; i < 10; i++) {
            assertThat(worker("ada")).isEqualTo(first);
        }
        pool().session("ada").drop();
        await().until(() -> !run(job("echo")).path("worker").asString().equals(first));
    }

    @Test
    void givesNewSessionsToTheSuccessorOfARecycledWorker() throws Exception {
        open(libraryWorker().recycle(Recycling.never().afterJobs(2).jitter(0)));
        String first = worker("ada");
        worker("ada");
        awaitReady(2);
        String second = worker("bert");
        assertThat(second).isNotEqualTo(first);
        assertThat(worker("ada")).as("stays").isEqualTo(first);
        pool().session("ada").drop();
        await().until(() -> pool().admin().workers().stream().noneMatch(worker -> worker.id().equals(first)));
        assertThat(worker("bert")).isEqualTo(second);
    }

    @Test
    void keepsASessionThatBeganWhileTheSuccessorWasStarting() throws Exception {
        openGate();
        open(gated(faultyWorker()).recycle(Recycling.never().afterJobs(1).jitter(0)));
        awaitReady(1);
        Files.delete(gate());
        String first = run(job("well")).path("worker").asString();
        await().until(() -> in(WorkerState.INITIALIZING).size() == 1);
        assertThat(worker("ada")).isEqualTo(first);
        openGate();
        awaitReady(2);
        for (int i = 0; i < 10; i++) {
            assertThat(worker("ada")).as("not lost").isEqualTo(first);
        }
    }

    /**
     * Runs many sessions on 4 workers at no more than half of their capacity, and checks that each call reaches its
     * session's worker. Prints what a call costs compared to a round trip through a bare pipe, with a durable store and
     * with the one in memory. {@code -Dheddle.torture=long} runs 1,000 sessions for 30 s each.
     */
    @Test
    void keepsManySessionsOnTheirWorkers() throws Exception {
        int sessions = Torture.rounds(100, 1_000);
        Duration time = Duration.ofSeconds(Torture.rounds(2, 30));
        Random random = Torture.random("sessions on external workers");
        double pipe = pipeRoundTripMillis();
        double memory = load(new MemoryStore(), sessions, time, random);
        double durable = load(SqliteStore.at(home.resolve("jobs.db")), sessions, time, random);
        System.out.printf(
                "a call of a session, p50: bare pipe %.2f ms, in memory %.2f ms, durable %.2f ms;"
                        + " over the pipe %.2f ms, of which the store %.2f ms%n",
                pipe, memory, durable, durable - pipe, durable - memory);
        if (Torture.isLong()) {
            assertThat(durable - pipe).as("what a call costs over the bare pipe, in ms").isLessThan(5);
        }
    }

    private double load(Store store, int sessions, Duration time, Random random) throws Exception {
        try (Pool loaded = Pool.on(store).with(libraryWorker().workers(4).startUps(4).on(processes)).open()) {
            pool = loaded;
            awaitReady(4);
            Map<String, String> workers = new ConcurrentHashMap<>();
            List<Double> took = Collections.synchronizedList(new ArrayList<>());
            long end = System.nanoTime() + time.toNanos();
            try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
                List<Future<Integer>> done = clients.invokeAll(Collections.nCopies(2, (Callable<Integer>) () -> {
                    int calls = 0;
                    while (System.nanoTime() < end || calls <= sessions / 10) {
                        String session = "s" + random.nextInt(sessions);
                        long began = System.nanoTime();
                        String worker = result(loaded.session(session).submit(WORK, job("echo"))).path("worker")
                                .asString();
                        took.add((System.nanoTime() - began) / 1e6);
                        assertThat(workers.computeIfAbsent(session, _ -> worker)).as(session).isEqualTo(worker);
                        calls++;
                    }
                    return calls;
                }));
                for (Future<Integer> client : done) {
                    assertThat(client.get()).isPositive();
                }
            }
            Collections.sort(took);
            return took.get(took.size() / 2);
        } finally {
            pool = null;
        }
    }

    /** Measures the round trip of one line without Heddle. */
    private static double pipeRoundTripMillis() throws Exception {
        Path script = script("faulty_worker.py");
        ProcessBuilder builder = new ProcessBuilder("python3", script.toString());
        Process process = builder.start();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                var toWorker = process.getOutputStream()) {
            List<Double> took = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                long began = System.nanoTime();
                toWorker.write(Protocol.request(i, Protocol.PING, Protocol.object()));
                toWorker.flush();
                assertThat(lines.readLine()).contains("result");
                took.add((System.nanoTime() - began) / 1e6);
            }
            Collections.sort(took);
            return took.get(took.size() / 2);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}

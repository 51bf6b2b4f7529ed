package dev.heddle.external;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.Failure;
import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolEvent;
import dev.heddle.process.LaunchException;
import dev.heddle.worker.Health;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** Start, health checks, replacement and recycling of workers, with real processes. */
class ExternalWorkersTest extends ExternalFixture {

    private final List<WorkerEvent> events = new CopyOnWriteArrayList<>();

    private void observe() {
        pool().observe(event -> {
            if (event instanceof PoolEvent.OfWorker(WorkerEvent workerEvent)) {
                events.add(workerEvent);
            }
        });
    }

    /** Returns the changes of a worker by time, because threads may publish theirs in another order. */
    private List<String> changes(String worker) {
        return events.stream().filter(WorkerEvent.Changed.class::isInstance).map(WorkerEvent.Changed.class::cast)
                .filter(changed -> changed.worker().equals(worker)).map(WorkerEvent.Changed::change)
                .sorted(Comparator.comparing(StateChange::at))
                .map(change -> change.from() + " " + change.to() + " " + change.reason()).toList();
    }

    @Test
    void startsWorkersAheadOfNeedAndShowsThem() {
        open(faultyWorker().workers(3));
        awaitReady(3);
        for (WorkerSnapshot worker : in(WorkerState.READY)) {
            assertThat(worker.health()).isEqualTo(Health.HEALTHY);
            assertThat(pid(worker)).isPositive();
            assertThat(worker.facts()).containsEntry("name", "faulty");
        }
        await().untilAsserted(() -> assertThat(in(WorkerState.READY))
                .allSatisfy(worker -> assertThat(Long.parseLong(worker.facts().get("memory"))).isGreaterThan(1 << 20)));
    }

    @Test
    void limitsHowManyWorkersStartAtTheSameTime() throws Exception {
        open(gated(faultyWorker()).workers(5).startUps(2));
        assertThat(in(WorkerState.INITIALIZING)).hasSize(2);
        openGate();
        Set<Integer> seen = new HashSet<>();
        await().until(() -> {
            seen.add(in(WorkerState.INITIALIZING).size());
            return in(WorkerState.READY).size() == 5;
        });
        assertThat(seen).isSubsetOf(0, 1, 2);
    }

    @Test
    void failsToOpenThePoolIfTheCommandDoesNotExist() {
        assertThatThrownBy(
                () -> Pool.on(new MemoryStore()).with(External.of(WORK, "no-such-python").on(processes)).open())
                .isInstanceOf(LaunchException.class).hasMessageContaining("no such command: no-such-python");
        assertThatThrownBy(() -> Pool.on(new MemoryStore())
                .with(External.of(WORK, "python3").in(home.resolve("nowhere")).on(processes)).open())
                .isInstanceOf(LaunchException.class).hasMessageContaining("there is no such directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "silent", "version", "refuse"})
    void startsAnotherWorkerIfTheHandshakeFails(String how) throws Exception {
        Path healed = home.resolve("healed");
        open(faultyWorker(how, healed.toString()).handshake(how.equals("silent") ? Duration.ofSeconds(5) : LONG));
        observe();
        JobHandle<JsonNode> handle = submit(job("well"));
        await().until(() -> events.stream().anyMatch(WorkerEvent.Replaced.class::isInstance));
        assertThat(pool().find(handle.id()).orElseThrow().counts().attempt()).as("attempts").isZero();
        Files.createFile(healed);
        assertThat(result(handle).path("what").asString()).isEqualTo("well");
    }

    @Test
    void showsAWorkerThatCannotStartWithTheReason() {
        open(External.of(WORK, "sh", "-c", "echo no model >&2; exit 3"));
        await().untilAsserted(() -> assertThat(in(WorkerState.TERMINATED)).singleElement().satisfies(worker -> {
            assertThat(worker.health()).isEqualTo(Health.UNHEALTHY);
            assertThat(worker.facts().get("note"))
                    .matches("next start (now|in \\d+ s); lost (once|\\d+ times in a row): .+: no model");
            assertThat(pool().admin().workerHistory(worker.id())).first()
                    .satisfies(change -> assertThat(change.metadata()).containsEntry("exit", "exit 3"));
        }));
        await().untilAsserted(() -> assertThat(in(WorkerState.TERMINATED)).singleElement()
                .satisfies(worker -> assertThat(worker.facts().get("note")).contains("times in a row")));
    }

    @Test
    void showsThatARestartLimitIsReachedUntilAJobSucceeds() throws Exception {
        Path healed = home.resolve("healed");
        RestartPolicy hasty = new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(10), 2,
                new RestartPolicy.Storm(10_000, Duration.ofMinutes(1)));
        open(faultyWorker("exit", healed.toString()).restarts(hasty));
        observe();
        await().until(() -> notes().anyMatch(
                note -> note.matches(".*restart limit reached; lost ([5-9]|\\d\\d+) times in a row: .*")));
        Files.createFile(healed);
        awaitReady(1);
        assertThat(notes()).as("no job has succeeded yet").singleElement().asString().contains("restart limit reached");
        run(job("well"));
        await().until(() -> notes().findAny().isEmpty());
    }

    private Stream<String> notes() {
        return pool().admin().workers().stream().filter(worker -> worker.group().equals(WORK.name()))
                .flatMap(worker -> Optional.ofNullable(worker.facts().get("note")).stream());
    }

    @Test
    void keepsTheHistoryOfAReplacedWorker() throws Exception {
        open(libraryWorker());
        WorkerSnapshot first = ready();
        kill(first.facts());
        WorkerSnapshot second = await().until(this::ready, worker -> !worker.id().equals(first.id()));
        assertThat(second.facts()).containsEntry("replaces", first.id());
        List<StateChange> history = pool().admin().workerHistory(first.id());
        assertThat(history).extracting(StateChange::reason).contains(TransitionReason.INIT_COMPLETE);
        // Its closed input may be noticed before its end, so the reason is not always the same.
        assertThat(history.getFirst().to()).isEqualTo(WorkerState.TERMINATED);
        assertThat(history.getFirst().metadata()).containsEntry("exit", "killed (137)");
        assertThat(pool().admin().pastWorkers()).extracting(WorkerSnapshot::id, WorkerSnapshot::state)
                .containsExactly(tuple(first.id(), WorkerState.TERMINATED));
    }

    @Test
    void keepsWorkingWithOtherWorkersWhileOneSlotKeepsCrashing() throws Exception {
        Path shell = Files.writeString(home.resolve("choosy.sh"), """
                case $HEDDLE_WORKER_ID in *-1) exec python3 "$0.py";; *) exec python3 "$0.py" exit;; esac
                """);
        Files.copy(script("faulty_worker.py"), home.resolve("choosy.sh.py"));
        open(gated(External.of(WORK, "sh", shell.toString()).handshake(LONG)).workers(2));
        observe();
        openGate();
        awaitReady(1);
        for (int i = 0; i < 50; i++) {
            assertThat(run(job("well")).path("worker").asString()).endsWith("-1");
        }
        await().until(() -> delays().size() >= 2);
        assertThat(delays()).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"garbage", "partial", "long line"})
    void toleratesOtherOutputOfAWorker(String what) throws Exception {
        open(faultyWorker());
        assertThat(run(job(what)).path("what").asString()).isEqualTo(what);
        assertThat(run(job("well")).path("worker").asString()).endsWith("-1");
        assertThat(ready().jobs()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken", "long message", "nobody asked", "big number"})
    void degradesAWorkerThatViolatesTheProtocolAndReplacesItTheThirdTime(String what) throws Exception {
        open(faultyWorker());
        observe();
        String first = ready().id();
        JobHandle<JsonNode> handle = submit(job(what));
        assertThat(end(handle).state()).isEqualTo(JobState.FAILED);
        Failure failure = firstFailure(handle);
        assertThat(failure.message()).contains("violated the protocol");
        await().until(() -> in(WorkerState.READY).stream().anyMatch(worker -> !worker.id().equals(first)));
        await().until(() -> changes(first).contains("TERMINATING TERMINATED SHUTDOWN"));
        assertThat(changes(first)).containsSubsequence("BUSY DEGRADED ERROR", "DEGRADED READY HEALTH_CHECK_PASSED",
                "BUSY DEGRADED ERROR", "DEGRADED READY HEALTH_CHECK_PASSED", "BUSY TERMINATING ERROR",
                "TERMINATING TERMINATED SHUTDOWN");
        assertThat(run(job("well")).path("worker").asString()).isNotEqualTo(first);
    }

    @Test
    void aSuccessfulJobResetsTheCountOfViolations() throws Exception {
        open(faultyWorker());
        for (int i = 0; i < 4; i++) {
            assertThat(pool().submit(WORK.with(job("broken")).maxRetries(0)).awaitEnd(LONG).state())
                    .isEqualTo(JobState.FAILED);
            assertThat(run(job("well")).path("worker").asString()).endsWith("-1");
        }
    }

    @Test
    void degradesAWorkerThatDoesNotAnswerPingsAndRestoresItWhenItDoes() throws Exception {
        Path well = home.resolve("well");
        // The worker would be replaced about 8 s after it was degraded.
        open(faultyWorker().health(Duration.ofMillis(300), Duration.ofSeconds(2)).probeAfter(Duration.ofSeconds(2)));
        observe();
        run(job("fall silent").put("until", well.toString()));
        await().until(() -> in(WorkerState.DEGRADED).size() == 1);
        WorkerSnapshot ill = in(WorkerState.DEGRADED).getFirst();
        assertThat(ill.health()).isEqualTo(Health.UNHEALTHY);
        JobHandle<JsonNode> waiting = submit(job("well"));
        Files.createFile(well);
        assertThat(result(waiting).path("worker").asString()).as("waited for the degraded worker").isEqualTo(ill.id());
        assertThat(ready().health()).isEqualTo(Health.HEALTHY);
        assertThat(pool().admin().workerHistory(ill.id())).extracting(StateChange::reason)
                .contains(TransitionReason.HEALTH_CHECK_FAILED, TransitionReason.HEALTH_CHECK_PASSED);
        assertThat(events).filteredOn(WorkerEvent.HealthChecked.class::isInstance)
                .extracting(event -> ((WorkerEvent.HealthChecked) event).healthy()).contains(true, false);
    }

    @Test
    void replacesAWorkerAfterThreeFailedHealthChecksInARow() throws Exception {
        open(faultyWorker().health(Duration.ofMillis(300), Duration.ofSeconds(1)));
        observe();
        String first = ready().id();
        run(job("fall silent").put("until", home.resolve("never").toString()));
        await().until(() -> in(WorkerState.READY).stream().anyMatch(worker -> !worker.id().equals(first)));
        await().until(() -> changes(first).contains("TERMINATING TERMINATED SHUTDOWN"));
        assertThat(changes(first)).endsWith("READY DEGRADED HEALTH_CHECK_FAILED",
                "DEGRADED TERMINATING HEALTH_CHECK_FAILED", "TERMINATING TERMINATED SHUTDOWN");
        assertThat(events.stream().filter(event -> event.worker().equals(first))
                .filter(WorkerEvent.HealthChecked.class::isInstance)
                .map(event -> ((WorkerEvent.HealthChecked) event).healthy() ? "well" : "ill")
                .collect(Collectors.joining(" "))).matches("(.* )?well ill ill ill|ill ill ill");
    }

    @Test
    void replacesAnIdleWorkerThatIsKilled() {
        // No ping, so that the end of the process is noticed first.
        open(faultyWorker().workers(2).health(Duration.ofMinutes(1), Duration.ofSeconds(5)));
        observe();
        awaitReady(2);
        WorkerSnapshot victim = ready();
        kill(victim.facts());
        await().until(() -> changes(victim.id()).contains("READY TERMINATED PROCESS_EXIT"));
        awaitReady(2);
        assertThat(in(WorkerState.READY)).extracting(WorkerSnapshot::id).doesNotContain(victim.id());
    }

    @Test
    void recyclesAfterANumberOfJobsAndStartsTheReplacementFirst() throws Exception {
        open(libraryWorker().recycle(Recycling.never().afterJobs(5).jitter(0)));
        observe();
        Set<String> workers = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            workers.add(run(job("echo")).path("worker").asString());
        }
        await().until(() -> {
            workers.add(run(job("echo")).path("worker").asString());
            return workers.size() >= 3 && life().contains("1 TERMINATING");
        });
        List<String> life = life();
        assertThat(life.indexOf("1.2 READY")).as("the second is ready before the first ends: %s", life).isNotNegative()
                .isLessThan(life.indexOf("1 TERMINATING"));
        assertThat(events).filteredOn(WorkerEvent.Replaced.class::isInstance).as("only recycled, none lost")
                .isNotEmpty().allMatch(event -> ((WorkerEvent.Replaced) event).reason().startsWith("recycled after "));
    }

    private List<String> life() {
        return events.stream().filter(WorkerEvent.Changed.class::isInstance).map(WorkerEvent.Changed.class::cast)
                .map(changed -> changed.worker().replaceAll(".*-", "") + " " + changed.change().to()).toList();
    }

    @Test
    void recyclesAWorkerThatUsesTooMuchMemory() throws Exception {
        open(libraryWorker().recycle(Recycling.never().aboveMemory(120 << 20)));
        long before = pid(ready());
        run(job("hoard").put("megabytes", 50));
        run(job("hoard").put("megabytes", 100));
        await().until(() -> in(WorkerState.READY).stream().anyMatch(worker -> pid(worker) != before));
    }

    @Test
    void recyclesAnOldWorkerThatIsInUse() throws Exception {
        open(libraryWorker().recycle(Recycling.never().afterAge(Duration.ofMillis(300))));
        long before = pid(ready());
        await().until(() -> run(job("echo")).isObject()
                && in(WorkerState.READY).stream().anyMatch(worker -> pid(worker) != before));
    }

    @Test
    void recyclesAWorkerInTheMiddleOfAJob() throws Exception {
        open(libraryWorker().recycle(Recycling.never().afterAge(Duration.ofMillis(300))));
        JobHandle<JsonNode> running = submit(job("wait").put("seconds", 60));
        // Not necessarily the first worker, which may have been recycled already.
        String first = await().until(() -> in(WorkerState.BUSY), busy -> busy.size() == 1).getFirst().id();
        await().until(() -> in(WorkerState.READY).stream().anyMatch(worker -> !worker.id().equals(first)));
        assertThat(in(WorkerState.BUSY)).as("still runs its job").extracting(WorkerSnapshot::id).containsExactly(first);
        pool().admin().cancel(running.id(), "enough");
        await().until(() -> pool().admin().workers().stream().noneMatch(worker -> worker.id().equals(first)));
    }

    @Test
    void recyclesAnIdleWorker() throws Exception {
        open(libraryWorker().recycle(Recycling.never().afterIdle(Duration.ofMillis(300))));
        long before = pid(ready());
        await().until(() -> in(WorkerState.READY).stream().anyMatch(worker -> pid(worker) != before));
        assertThat(run(job("echo")).isObject()).isTrue();
    }

    @Test
    void changesTheNumberOfWorkersAtRunTime() throws Exception {
        open(faultyWorker().workers(1));
        awaitReady(1);
        pool().admin().resize("work", 3);
        awaitReady(3);
        pool().admin().resize("work", 1);
        await().until(() -> pool().admin().workers().stream().filter(w -> w.group().equals("work")).count() == 1);
        assertThat(run(job("well")).path("what").asString()).isEqualTo("well");
        assertThat(processes.running()).hasSize(1);
    }

    @Test
    void drainsAWorkerOnRequest() throws Exception {
        open(libraryWorker().workers(2));
        awaitReady(2);
        Path done = home.resolve("done");
        JobHandle<JsonNode> running = submit(job("wait for").put("file", done.toString()));
        await().until(() -> in(WorkerState.BUSY).size() == 1);
        WorkerSnapshot busy = in(WorkerState.BUSY).getFirst();
        assertThat(pool().admin().drainWorker(busy.id())).isTrue();
        assertThat(pool().admin().drainWorker(busy.id())).as("a second time").isTrue();
        Files.createFile(done);
        assertThat(result(running).path("worker").asString()).isEqualTo(busy.id());
        await().until(() -> pool().admin().workers().stream().noneMatch(worker -> worker.id().equals(busy.id())));
        WorkerSnapshot last = ready();
        assertThatThrownBy(() -> pool().admin().stopWorker(last.id())).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is the last of group 'work'");
        await().until(() -> processes.running().size() == 1);
        assertThat(run(job("echo")).path("worker").asString()).isEqualTo(last.id());
    }

    @Test
    void stopsAWorkerOnRequestAndRunsItsJobOnAnother() throws Exception {
        open(libraryWorker().workers(2));
        awaitReady(2);
        JobHandle<JsonNode> running = submit(job("wait once").put("seconds", 60));
        await().until(() -> in(WorkerState.BUSY).size() == 1);
        WorkerSnapshot stopped = in(WorkerState.BUSY).getFirst();
        assertThat(pool().admin().stopWorker(stopped.id())).isTrue();
        JsonNode result = result(running);
        assertThat(result.path("worker").asString()).isNotEqualTo(stopped.id());
        assertThat(result.path("attempt").asInt()).isEqualTo(2);
        assertThat(pool().find(running.id()).orElseThrow().counts().failures()).as("failures").isZero();
    }

    @Test
    void holdsStartsBackWhenTooManyWorkersCrash() throws Exception {
        open(gated(faultyWorker("exit")).workers(20).startUps(20));
        observe();
        openGate();
        await().until(() -> delays().contains(Duration.ofMinutes(1)));
        assertThat(delays().indexOf(Duration.ofMinutes(1))).as("position of the hold among the delays").isLessThan(20);
    }

    @Test
    void startsNoWorkerInAnySlotWhileStartsAreHeldBack() throws Exception {
        open(gated(faultyWorker("exit")).workers(20).startUps(20));
        observe();
        openGate();
        await().until(() -> delays().contains(Duration.ofMinutes(1)));
        await().until(() -> pool().admin().workers().stream().filter(worker -> worker.group().equals(WORK.name()))
                .noneMatch(worker -> worker.state().isLive()));
        List<WorkerEvent> before = List.copyOf(events);
        pool().admin().resize(WORK.name(), 40);
        await().during(Duration.ofMillis(500)).until(() -> processes.running().isEmpty());
        assertThat(events).as("no further worker events").isEqualTo(before);
    }

    /** Returns the delays after which lost workers were replaced. */
    private List<Duration> delays() {
        return events.stream().filter(WorkerEvent.Replaced.class::isInstance)
                .map(event -> ((WorkerEvent.Replaced) event).delay()).toList();
    }

    @Test
    void killsAWorkerThatIgnoresAShutdownRequest() {
        open(faultyWorker("stubborn"));
        awaitReady(1);
        pool().close();
        assertThat(processes.running()).isEmpty();
    }
}

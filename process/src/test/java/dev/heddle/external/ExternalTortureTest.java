package dev.heddle.external;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.testkit.Torture;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ExternalTortureTest extends ExternalFixture {

    /** {@code -Dheddle.torture=long} makes 10,000 calls and kills a worker every second. */
    private final int calls = Torture.rounds(600, 10_000);
    private final int killEveryMillis = Torture.rounds(300, 1_000);

    @Test
    void endsEachJobExactlyOnceWhileWorkersAreKilledAtRandom() throws Exception {
        Random random = Torture.random("external workers killed at random");
        pool = Pool.on(SqliteStore.at(home.resolve("jobs.db"))).retry(RetryPolicy.linear(10, Duration.ZERO))
                .with(libraryWorker().workers(4).startUps(4).on(processes)).open();
        awaitReady(4);
        AtomicInteger kills = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        try (ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor()) {
            var killing = killer.scheduleAtFixedRate(() -> {
                List<WorkerSnapshot> alive = pool().admin().workers().stream().filter(w -> w.facts().containsKey("pid"))
                        .toList();
                // May hit a worker that is starting, but never the last one in service: a slow machine would never
                // recover.
                if (alive.stream().filter(ExternalTortureTest::isInService).count() > 1) {
                    kill(alive.get(random.nextInt(alive.size())).facts());
                    kills.incrementAndGet();
                }
            }, killEveryMillis, killEveryMillis, TimeUnit.MILLISECONDS);
            for (int sent = 0; sent < calls; sent += 100) {
                List<JobHandle<JsonNode>> handles = pool().submitAll(batch(sent, random));
                for (JobHandle<JsonNode> handle : handles) {
                    lost.addAndGet(hasOneResult(handle) ? 0 : 1);
                }
            }
            killing.cancel(false);
        }
        // A caller may see the end of a job in the store before its node has counted it.
        assertThat(pool().awaitIdle(Duration.ofMinutes(1))).isTrue();
        assertThat(pool().stats().completed()).isEqualTo(calls - lost.get());
        await().untilAsserted(() -> assertThat(pool().admin().sessions(100)).as("sessions of workers that have ended")
                .extracting(Binding::worker).filteredOn(Objects::nonNull)
                .isSubsetOf(pool().admin().workers().stream().map(WorkerSnapshot::id).toList()));
        // Sessions of living workers end only after 5 minutes without a job.
        List<String> sessions = pool().admin().sessions(100).stream().map(Binding::session).toList();
        sessions.forEach(pool().admin()::dropSession);
        assertThat(pool().admin().sessions(100)).as("sessions that are left").isEmpty();
        System.out.println(
                calls + " calls, " + kills + " workers killed, " + lost + " calls of sessions lost with their worker");
    }

    private static boolean isInService(WorkerSnapshot worker) {
        return worker.state() == WorkerState.READY || worker.state() == WorkerState.BUSY;
    }

    /** Creates requests of which every fourth belongs to a session. */
    private static List<JobRequest<JsonNode, JsonNode>> batch(int first, Random random) {
        List<JobRequest<JsonNode, JsonNode>> batch = new ArrayList<>();
        for (int i = first; i < first + 100; i++) {
            JobRequest<JsonNode, JsonNode> request = WORK.with(job("wait").put("seconds", 0.004).put("value", i));
            batch.add(i % 4 == 0 ? request.session("s" + random.nextInt(20)) : request);
        }
        return batch;
    }

    /** Returns true if the job has one result, and false if it failed because its session was lost. Fails otherwise. */
    private static boolean hasOneResult(JobHandle<JsonNode> handle) throws Exception {
        Job ended = handle.awaitEnd(Duration.ofMinutes(5));
        if (ended.spec().session().isPresent() && ended.state() == JobState.FAILED) {
            assertThat(ended.status().reason()).contains("SessionLost: session '");
            return false;
        }
        assertThat(ended.state()).as("%s", ended.status().reason()).isEqualTo(JobState.COMPLETED);
        JsonNode result = JsonMapper.shared().readTree(Objects.requireNonNull(ended.status().result()));
        assertThat(result.path("job").asString()).isEqualTo(handle.id().toString());
        assertThat(result.path("attempt").asInt()).as("the result is from the last attempt")
                .isEqualTo(ended.counts().attempt());
        return true;
    }
}

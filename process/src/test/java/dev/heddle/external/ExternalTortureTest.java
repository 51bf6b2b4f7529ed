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

    /** Short by default; {@code -Dheddle.torture=long} makes it 10,000 calls and a kill every second. */
    private final int calls = Torture.rounds(600, 10_000);
    private final int killEveryMillis = Torture.rounds(300, 1_000);

    @Test
    void endsEachJobOnceWhileWorkersAreKilledAtRandom() throws Exception {
        Random random = Torture.random("external workers killed at random");
        pool = Pool.on(SqliteStore.at(home.resolve("jobs.db"))).retry(RetryPolicy.linear(10, Duration.ZERO))
                .with(obliging().workers(4).startUps(4).on(processes)).open();
        awaitReady(4);
        AtomicInteger kills = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        try (ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor()) {
            var killing = killer.scheduleAtFixedRate(() -> {
                List<WorkerSnapshot> alive = pool().workers().stream()
                        .filter(w -> w.facts().containsKey("pid")).toList();
                // Also one that has just been started, but never the last that works: on a slow machine, none ever would.
                if (alive.stream().filter(ExternalTortureTest::works).count() > 1) {
                    kill(alive.get(random.nextInt(alive.size())).facts());
                    kills.incrementAndGet();
                }
            }, killEveryMillis, killEveryMillis, TimeUnit.MILLISECONDS);
            for (int sent = 0; sent < calls; sent += 100) {
                List<JobHandle<JsonNode>> handles = pool().submitAll(batch(sent, random));
                for (JobHandle<JsonNode> handle : handles) {
                    lost.addAndGet(hasEndedOnce(handle) ? 0 : 1);
                }
            }
            killing.cancel(false);
        }
        assertThat(pool().stats().completed()).isEqualTo(calls - lost.get());
        await().untilAsserted(() -> assertThat(pool().sessions(100)).as("sessions of workers that are gone")
                .extracting(Binding::worker).filteredOn(Objects::nonNull)
                .isSubsetOf(pool().workers().stream().map(WorkerSnapshot::id).toList()));
        // Those of workers that live would end by themselves, after 5 minutes without a job.
        List<String> sessions = pool().sessions(100).stream().map(Binding::session).toList();
        sessions.forEach(pool()::dropSession);
        assertThat(pool().sessions(100)).as("sessions that are left").isEmpty();
        System.out.println(calls + " calls, " + kills + " workers killed, " + lost
                + " calls of sessions lost with their worker");
    }

    private static boolean works(WorkerSnapshot worker) {
        return worker.state() == WorkerState.READY || worker.state() == WorkerState.BUSY;
    }

    /** One in four belongs to a session, which is lost with its worker. */
    private static List<JobRequest<JsonNode, JsonNode>> batch(int first, Random random) {
        List<JobRequest<JsonNode, JsonNode>> batch = new ArrayList<>();
        for (int i = first; i < first + 100; i++) {
            JobRequest<JsonNode, JsonNode> request = WORK
                    .with(job("wait").put("seconds", 0.004).put("value", i));
            batch.add(i % 4 == 0 ? request.session("s" + random.nextInt(20)) : request);
        }
        return batch;
    }

    /** In one accepted result, or in the failure that only a session has; says whether it was a result. */
    private static boolean hasEndedOnce(JobHandle<JsonNode> handle) throws Exception {
        Job ended = handle.end(Duration.ofMinutes(5));
        if (ended.spec().session().isPresent() && ended.state() == JobState.FAILED) {
            assertThat(ended.status().reason()).contains("SessionLost: session '");
            return false;
        }
        assertThat(ended.state()).as("%s", ended.status().reason()).isEqualTo(JobState.COMPLETED);
        JsonNode result = JsonMapper.shared().readTree(Objects.requireNonNull(ended.status().result()));
        assertThat(result.path("job").asString()).isEqualTo(handle.id().toString());
        assertThat(result.path("attempt").asInt()).as("the accepted result is the last attempt's")
                .isEqualTo(ended.counts().attempt());
        return true;
    }
}

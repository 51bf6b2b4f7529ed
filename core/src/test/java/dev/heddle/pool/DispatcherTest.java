package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import dev.heddle.job.RetryPolicy;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.NewJob;
import dev.heddle.store.Retention;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The claiming loop on a store that is two queues, and one worker that runs for as long as the test wants. */
class DispatcherTest {

    private final InstantSource clock = InstantSource.system();
    private final Demand demand = new Demand(clock);
    private final Registry registry = new Registry(
            List.of(new Registration<>(JobType.of("task", String.class),
                    new Handling.InOne<>((text, job) -> null), settings())),
            settings(), clock, demand::work);
    private final InFlight inFlight = new InFlight(registry, demand);
    private final ConcurrentLinkedQueue<Claim> ordinary = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Claim> suspects = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<List<Wanted>> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<Claim> started = new LinkedBlockingQueue<>();
    private final Semaphore end = new Semaphore(0);
    private final WorkerGroup group = new WorkerGroup(
            new WorkerGroup.Plan(PoolSettings.DEFAULT_GROUP, 1, false, false), "node", clock,
            (worker, claim) -> {
                started.add(claim);
                end.acquireUninterruptibly();
                inFlight.settled(claim);
                demand.room();
                return true;
            }, demand::room);
    private final Dispatcher dispatcher = new Dispatcher(this::claim, clock, demand, inFlight, registry,
            List.of(group), new Dispatcher.Ahead() {
                @Override
                public int most() {
                    return 10;
                }

                @Override
                public int unsettled() {
                    return 0;
                }
            });

    private static PoolSettings settings() {
        return new PoolSettings(1, Map.of(), NewJob.UNLIMITED, Map.of(), 1_000, Duration.ofMinutes(1),
                RetryPolicy.none(), null, FailureCategory.TRANSIENT, PoolSettings.Stopping.standard(), 10, 3,
                Retention.standard(), PoolSettings.Liveness.standard(), null);
    }

    private Claimed claim(Instant now, int limit, List<Wanted> wanted) {
        asked.add(wanted);
        ConcurrentLinkedQueue<Claim> queue = wanted.getFirst().suspect() ? suspects : ordinary;
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < limit && !queue.isEmpty(); i++) {
            claims.add(queue.remove());
        }
        return new Claimed(claims, 0, null);
    }

    private static Claim job(boolean suspect) {
        JobSpec spec = new JobSpec(JobId.next(), "task", "default", 0, "\"\"", Instant.EPOCH,
                JobSpec.Extras.NONE);
        return new Claim(
                new Job(1, spec, JobState.ASSIGNED, Phase.INGEST, new Job.Counts(1, 0, 0),
                        new Job.Status(null, "n", null, null, null, null, null, null, null)),
                suspect);
    }

    private void start() {
        Thread.ofPlatform().daemon().start(dispatcher);
    }

    private Claim nextStart() throws InterruptedException {
        Claim claim = started.poll(10, TimeUnit.SECONDS);
        assertThat(claim).as("a job starts").isNotNull();
        return claim;
    }

    @AfterEach
    void close() {
        dispatcher.close();
        end.release(100);
        group.close();
    }

    @Test
    void asksForSuspectsOnceAWorkerIsFreeAgain() throws Exception {
        ordinary.add(job(false));
        start();
        demand.work();
        assertThat(nextStart().suspect()).isFalse();
        suspects.add(job(true));
        asked.clear();
        demand.work();
        // With the worker busy it asks ahead, for ordinary jobs only, and finds none.
        assertThat(asked.poll(10, TimeUnit.SECONDS)).noneMatch(Wanted::suspect);

        end.release();
        assertThat(nextStart().suspect()).isTrue();
    }

    @Test
    void runsSuspectsOneAtATime() throws Exception {
        suspects.addAll(List.of(job(true), job(true), job(true)));
        start();
        demand.work();
        for (int left = 2; left >= 0; left--) {
            nextStart();
            assertThat(suspects).hasSize(left);
            end.release();
        }
    }

    @Test
    void asksNothingOfADryStoreUntilThereIsWork() throws Exception {
        start();
        demand.work();
        assertThat(asked.poll(10, TimeUnit.SECONDS)).isNotNull();
        while (asked.poll(200, TimeUnit.MILLISECONDS) != null) {
            // What belongs to the first round.
        }
        demand.room();
        demand.room();
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).as("room alone is no reason to ask").isNull();

        ordinary.add(job(false));
        demand.work();
        nextStart();
    }
}

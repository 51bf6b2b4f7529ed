package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Progress;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.PoolStats;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How jobs run: concurrency, worker groups, the lifecycle of workers, and what a handler can see. */
abstract class ExecutionContract extends PoolFixture {

    ExecutionContract(PoolContract contract) {
        super(contract);
    }

    @Test
    void givesTheHandlerTheHeadersOfItsJob() throws Exception {
        open(builder().register(NOTE, (note, job) -> job.headers().get("trace") + job.headers().size()));

        assertThat(pool().submit(NOTE.with(new Note("x")).headers(Map.of("trace", "4bf9"))).await(LONG))
                .isEqualTo("4bf91");
        assertThat(pool().submit(NOTE, new Note("y")).await(LONG)).isEqualTo("null0");
    }

    @Test
    void neverRunsMoreJobsThanWorkers() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        open(builder().workers(3).register(NOTE, (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            running.decrementAndGet();
            return "";
        }));
        for (int i = 0; i < 500; i++) {
            submit("n" + i);
        }

        assertThat(pool().awaitIdle(LONG)).isTrue();
        assertThat(most.get()).isBetween(1, 3);
        assertThat(pool().stats().completed()).isEqualTo(500);
    }

    @Test
    void runsAsManyJobsAtOnceAsThereAreWorkers() throws Exception {
        CountDownLatch together = new CountDownLatch(3);
        open(builder().workers(3).register(NOTE, (note, job) -> {
            together.countDown();
            together.await();
            return "";
        }));
        for (int i = 0; i < 3; i++) {
            submit("n" + i);
        }

        assertThat(pool().awaitIdle(LONG)).isTrue();
    }

    @Test
    void resizesWhileItRuns() throws Exception {
        Semaphore started = new Semaphore(0);
        Semaphore end = new Semaphore(0);
        open(builder().workers(1).register(NOTE, (note, job) -> {
            started.release();
            end.acquire();
            return "";
        }));
        for (int i = 0; i < 8; i++) {
            submit("n" + i);
        }
        started.acquire();
        assertThat(pool().stats().active()).isEqualTo(1);

        pool().admin().resize(3);
        started.acquire(2);
        assertThat(pool().stats().workers()).isEqualTo(3);

        pool().admin().resize(1);
        end.release(2);
        await().until(() -> pool().stats().workers() == 1);
        end.release(6);
        assertThat(pool().awaitIdle(LONG)).isTrue();
        assertThat(pool().admin().workers()).hasSize(1);
    }

    @Test
    void runsATypeOnItsOwnWorkers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        JobType<Note, String> slow = JobType.of("slow", Note.class, String.class).group("slow");
        open(builder().workers(1).group("slow", 1).register(NOTE, (note, job) -> "quick").register(slow,
                (note, job) -> {
                    release.await();
                    return "";
                }));
        JobHandle<String> blocked = pool().submit(slow, new Note("x"));
        await().until(() -> state(blocked) == JobState.RUNNING);

        assertThat(submit("y").await(LONG)).isEqualTo("quick");
        release.countDown();
        assertThat(end(blocked).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void refusesATypeWhoseGroupHasNoWorkers() {
        assertThatThrownBy(() -> open(builder().register(NOTE.group("gpu"), (note, job) -> "")))
                .hasMessageContaining("'note'").hasMessageContaining("group(\"gpu\", n)");
    }

    @Test
    void waitsUntilAWorkerIsFreeOrThePoolIsIdle() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        open(builder().workers(1).register(NOTE, (note, job) -> {
            release.await();
            return "";
        }));
        assertThat(pool().admin().awaitFreeWorker(LONG)).isTrue();
        JobHandle<String> handle = submit("x");
        await().until(() -> state(handle) == JobState.RUNNING);
        assertThat(pool().admin().awaitFreeWorker(Duration.ofMillis(10))).isFalse();
        assertThat(pool().awaitIdle(Duration.ofMillis(10))).isFalse();

        release.countDown();
        assertThat(pool().admin().awaitFreeWorker(LONG)).isTrue();
        assertThat(pool().awaitIdle(LONG)).isTrue();
    }

    @Test
    void showsTheHandlerItsJob() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        open(builder().register(NOTE, (note, job) -> {
            seen.add(job.id() + " " + job.attempt() + " " + job.subject().orElse("-") + " " + job.session().orElse("-")
                    + " " + job.cancellation().isCancelled());
            job.heartbeat();
            job.log().info("from the handler");
            return job.deadline().isAfter(Instant.now()) ? "before its deadline" : "late";
        }));
        JobHandle<String> handle = pool()
                .submit(NOTE.with(new Note("x")).subject("doc").session("s").timeout(Duration.ofMinutes(1)));

        assertThat(handle.await(LONG)).isEqualTo("before its deadline");
        assertThat(seen).containsExactly(handle.id() + " 1 doc s false");
        assertThat(events()).anyMatch(event -> event.getFormattedMessage().equals("from the handler")
                && handle.id().toString().equals(event.getMDCPropertyMap().get("heddle.job"))
                && event.getLoggerName().equals("heddle.job.note"));
    }

    @Test
    void showsTheProgressOfARunningJob() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        open((note, job) -> {
            for (int i = 1; i <= 1_000; i++) {
                job.progress(i, 1_000, "item " + i);
            }
            release.await();
            return "";
        });
        JobHandle<String> handle = submit("x");

        await().until(
                () -> handle.job().flatMap(Job::progress).equals(Optional.of(new Progress(1_000, 1_000, "item 1000"))));
        assertThat(state(handle)).isEqualTo(JobState.RUNNING);
        release.countDown();
        end(handle);
    }

    @Test
    void spawnsChildren() throws Exception {
        JobType<Note, Integer> child = JobType.of("child", Note.class, Integer.class);
        open(builder().queueCapacity(1).register(child, (note, job) -> 42).register(NOTE,
                (note, job) -> job.spawn(child.with(new Note("c")).outlivesParent()).toString()));
        JobHandle<String> parent = submit("p");

        String childId = String.valueOf(parent.await(LONG));
        JobHandle<Integer> spawned = pool().job(JobId.of(childId), child);
        assertThat(spawned.await(LONG)).isEqualTo(42);
        assertThat(spawned.job().orElseThrow().spec().parent()).contains(parent.id());
    }

    @Test
    void countsSubmittedCompletedAndFailedJobs() throws Exception {
        open(builder().workers(2).retry(RetryPolicy.none()).register(NOTE, (note, job) -> {
            if (note.text().equals("bad")) {
                throw new IllegalStateException("bad");
            }
            return "";
        }));
        pool().admin().pauseQueue("default");
        for (int i = 0; i < 5; i++) {
            submit("n" + i);
        }
        submit("bad");
        pool().submit(NOTE.with(new Note("later")).delay(Duration.ofDays(1)));
        JobRequest<Note, String> again = NOTE.with(new Note("again")).delay(Duration.ofDays(1));
        pool().submit(again);
        pool().submit(again);
        assertThat(pool().stats().queued()).isEqualTo(6);
        pool().admin().resumeQueue("default");
        await().until(() -> pool().stats().completed() == 5 && pool().stats().dead() == 1);
        await().until(() -> pool().stats().active() == 0);

        PoolStats stats = pool().stats();
        assertThat(stats.workers()).isEqualTo(2);
        assertThat(stats.active()).isZero();
        assertThat(stats.queued()).isZero();
        assertThat(stats.submitted()).isEqualTo(8);
        assertThat(stats.failed()).isEqualTo(1);
        assertThat(stats.dead()).isEqualTo(1);
        assertThat(stats.queueHighWater()).isEqualTo(6);
        assertThat(stats.averageMillis()).isPositive();
        assertThat(stats.types()).hasEntrySatisfying("note", note -> assertThat(note.count()).isEqualTo(6));
    }

    @Test
    void movesWorkersThroughTheirLifecycle() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        open(steered(builder()).workers(1).renewEvery(Duration.ofSeconds(10)).register(NOTE, (note, job) -> {
            release.await();
            return "";
        }));
        assertThat(pool().admin().workers()).extracting(WorkerSnapshot::state).containsExactly(WorkerState.READY);
        JobHandle<String> handle = submit("x");
        await().until(() -> pool().admin().workers().getFirst().state() == WorkerState.BUSY);
        assertThat(pool().admin().workers().getFirst().job()).isEqualTo(handle.id());

        release.countDown();
        end(handle);
        await().until(() -> pool().admin().workers().getFirst().state() == WorkerState.READY);
        assertThat(pool().admin().workers().getFirst().jobs()).isEqualTo(1);
    }

    @Test
    void publishesASnapshotOfItsWorkersInTheStore() {
        open(steered(builder()).workers(2).register(NOTE, (note, job) -> ""));
        await().until(() -> pool().admin().nodes().getFirst().workers().contains("default-2"));
        end(submit("x"));
        await().until(() -> pool().admin().workers().stream().mapToLong(WorkerSnapshot::jobs).sum() == 1);
        clock.advance(Duration.ofSeconds(10));

        await().until(() -> pool().admin().nodes().getFirst().workers().contains("\"jobs\":1"));
        assertThat(pool().admin().nodes()).hasSize(1);
        assertThat(pool().admin().nodes().getFirst().id()).isEqualTo(pool().admin().nodeId());
        assertThat(pool().admin().nodes().getFirst().workers()).contains("\"state\":\"READY\"",
                "\"health\":\"HEALTHY\"");
    }

    @Test
    void recordsTheHistoryOfAWorker() {
        open(builder().workers(1).register(NOTE, (note, job) -> ""));
        String worker = pool().admin().workers().getFirst().id();
        end(submit("x"));
        await().until(() -> pool().admin().workerHistory(worker).size() == 3);

        assertThat(pool().admin().workerHistory(worker)).extracting(StateChange::reason)
                .containsExactly(TransitionReason.CHECKIN, TransitionReason.CHECKOUT, TransitionReason.INIT_COMPLETE);
        assertThat(pool().admin().workerHistory("nobody")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void neverClaimsANonIdempotentJobAheadOfAFreeWorker(boolean registeredLate) throws Exception {
        JobType<Note, String> careful = JobType.of("careful", Note.class, String.class).nonIdempotent();
        AtomicInteger mostHeld = new AtomicInteger();
        JobHandler<Note, String> handler = (note, job) -> {
            long held = pool().admin().countJobs().count(line -> line.state().isHeld());
            mostHeld.accumulateAndGet((int) held, Math::max);
            assertThat(state(job.id())).as("the start is committed before the handler runs")
                    .isEqualTo(JobState.RUNNING);
            return "";
        };
        open(registeredLate ? builder().workers(2) : builder().workers(2).register(careful, handler));
        if (registeredLate) {
            pool().register(careful, handler);
        }
        pool().admin().pauseQueue("default");
        for (int i = 0; i < 100; i++) {
            pool().submit(careful, new Note("n" + i));
        }
        pool().admin().resumeQueue("default");

        assertThat(pool().awaitIdle(LONG)).isTrue();
        assertThat(pool().stats().completed()).isEqualTo(100);
        // An ended job counts as held until its end is committed, which may happen after the next claim.
        assertThat(mostHeld.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void prunesOldJobsButKeepsDeadLetters() {
        open(steered(builder()).retry(RetryPolicy.none()).register(NOTE, (note, job) -> {
            if (note.text().equals("bad")) {
                throw new IllegalStateException("bad");
            }
            return "";
        }));
        JobHandle<String> done = submit("good");
        JobHandle<String> dead = submit("bad");
        end(done);
        end(dead);
        clock.advance(Duration.ofDays(7));
        clock.advance(Duration.ofMinutes(2));

        await().until(() -> done.job().isEmpty());
        assertThat(dead.job()).isPresent();
    }

    @Test
    void startsNoClaimedJobOfAPausedQueue() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Set<String> started = ConcurrentHashMap.newKeySet();
        open(builder().workers(1).register(NOTE, (note, job) -> {
            started.add(note.text());
            if (note.text().equals("hold")) {
                release.await();
            }
            return "";
        }));
        // A node claims ahead as many jobs as it has completed lately.
        for (int i = 0; i < 20; i++) {
            submit("quick").await(LONG);
        }
        JobHandle<String> hold = submit("hold");
        await().until(() -> state(hold) == JobState.RUNNING);
        List<JobHandle<String>> waiting = IntStream.range(0, 5).mapToObj(i -> submit("waiting")).toList();
        await().until(() -> waiting.stream().anyMatch(handle -> state(handle) == JobState.ASSIGNED));

        pool().admin().pauseQueue("default");

        await().until(() -> waiting.stream().allMatch(handle -> state(handle) == JobState.QUEUED));
        release.countDown();
        assertThat(hold.await(LONG)).isEmpty();
        assertThat(started).doesNotContain("waiting");
        pool().admin().resumeQueue("default");
        for (JobHandle<String> handle : waiting) {
            assertThat(handle.await(LONG)).isEmpty();
        }
    }

    @Test
    void opensWithEveryPreset() {
        open(builder().soho());
        assertThat(pool().stats().workers()).isEqualTo(3);
        for (int i = 0; i < 100; i++) {
            submit("n" + i);
        }
        assertThat(pool().trySubmit(NOTE.with(new Note("over")))).isEmpty();
        pool().close();

        open(builderAgain().agents());
        assertThat(pool().stats().workers()).isEqualTo(4);
    }
}

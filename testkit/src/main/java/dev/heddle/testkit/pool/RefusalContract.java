package dev.heddle.testkit.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Children;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.JobListener;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.StoreFaults;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store that refuses to write some contents, as a database does with a value that it cannot keep: the job with that
 * content fails for good with the store's reason, and no other job notices.
 */
abstract class RefusalContract extends PoolFixture {

    private static final int OTHERS = 100;
    private static final String POISON = "poisonous";
    private static final String WHY = "made up: the value is too long for the index";
    private static final JobType<String, String> CHILD = JobType.of("child", String.class, String.class);

    private final AtomicInteger attempts = new AtomicInteger();
    @SuppressWarnings("NullAway.Init") // picky() sets it
    private StoreFaults faults;

    RefusalContract(PoolContract contract) {
        super(contract);
    }

    /** Returns a builder for a pool on a store that refuses the poison. */
    private PoolBuilder picky() {
        faults = new StoreFaults(newStore());
        faults.refuse(POISON, WHY);
        return quick(Pool.on(faults.store()));
    }

    private Job runAlone(JobHandler<Note, String> handler) {
        open(picky().register(NOTE, (note, job) -> {
            attempts.incrementAndGet();
            return handler.handle(note, job);
        }));
        return end(submit("x"));
    }

    private void assertFailedForGood(Job job) {
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
        assertThat(job.failure().orElseThrow().message()).contains(WHY);
        assertThat(job.reason().orElseThrow()).contains(WHY);
        assertThat(attempts).hasValue(1);
        assertThat(pool().admin().details(job.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.FAILED);
    }

    @Test
    void failsOneJobForItsResultAndCompletesAHundredInTheSameBatch() throws Exception {
        CountDownLatch running = new CountDownLatch(OTHERS + 1);
        CountDownLatch go = new CountDownLatch(1);
        open(picky().workers(OTHERS + 1).register(NOTE, (note, job) -> {
            running.countDown();
            go.await();
            return note.text().equals("bad") ? POISON : "ok";
        }));
        List<JobHandle<String>> others = new ArrayList<>(IntStream.range(0, OTHERS / 2).mapToObj(i -> submit("good"))
                .toList());
        JobHandle<String> bad = submit("bad");
        IntStream.range(0, OTHERS / 2).forEach(_ -> others.add(submit("good")));
        running.await();
        // The store answers nobody while they end, so the ledger gets most of the ends together.
        faults.hang();
        go.countDown();
        await().until(() -> pool().admin().workers().stream().noneMatch(worker -> worker.state() == WorkerState.BUSY));
        faults.heal();

        Job failed = end(bad);
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
        assertThat(failed.reason().orElseThrow()).contains(WHY);
        assertThat(others).allSatisfy(other -> assertThat(end(other).state()).isEqualTo(JobState.COMPLETED));
    }

    @Test
    void tellsListenersThatAJobFailedForItsResult() {
        ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
        open(picky().listener(new JobListener() {
            @Override
            public void onFailed(Job job, Failure failure) {
                told.add(job.state() + ": " + failure.message());
            }
        }).register(NOTE, (note, job) -> POISON));

        assertThat(end(submit("x")).state()).isEqualTo(JobState.FAILED);
        await().until(() -> !told.isEmpty());
        assertThat(told).singleElement().asString().startsWith("FAILED: ").contains(WHY);
    }

    @Test
    void failsTheJobWhoseCheckpointIsRefused() {
        assertFailedForGood(runAlone((note, job) -> {
            job.saveCheckpoint(POISON);
            return "not reached";
        }));
    }

    @Test
    void failsTheJobWhoseStepIsRefused() {
        assertFailedForGood(runAlone((note, job) -> job.step("fetch", String.class, () -> POISON)));
    }

    @Test
    void letsAHandlerGoOnWithoutARefusedCheckpointOrStep() {
        Job job = runAlone((note, context) -> {
            int caught = 0;
            try {
                context.saveCheckpoint(POISON);
            } catch (JobException e) {
                caught++;
            }
            try {
                return context.step("fetch", String.class, () -> POISON);
            } catch (JobException e) {
                caught++;
            }
            return caught + " refused";
        });
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result()).hasValue("\"2 refused\"");
    }

    @Test
    void ignoresRefusedProgress() {
        Job job = runAlone((note, context) -> {
            context.progress(1, 2, POISON);
            context.progress(2, 2, "harmless");
            return "ok";
        });
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void failsTheJobWhoseFailureIsRefused() {
        assertFailedForGood(runAlone((note, job) -> {
            throw JobException.transientFailure("it was " + POISON);
        }));
    }

    @Test
    void endsAJobEvenIfTheReasonOfTheRefusalIsRefused() {
        open(picky().register(NOTE, (note, job) -> "unspeakable"));
        faults.refuse("unspeakable", "made up: cannot store 'unspeakable'");

        Job job = end(submit("x"));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason().orElseThrow()).contains("The store refused");
    }

    @Test
    void failsTheJobWhoseChildIsRefused() {
        assertFailedForGood(runAlone((note, job) -> job.spawn(CHILD, POISON).toString()));
    }

    @Test
    void failsAFirstPhaseWhoseChildrenAreRefused() {
        open(picky().register(NOTE, new TwoPhaseHandler<Note, String>() {
            @Override
            public void ingest(Note note, JobContext job) {
                attempts.incrementAndGet();
                job.spawn(CHILD, "harmless");
                job.spawn(CHILD, POISON);
            }

            @Override
            public String aggregate(Note note, Children children, JobContext job) {
                return "not reached";
            }
        }));
        assertFailedForGood(end(submit("x")));
        assertThat(pool().admin().list(JobQuery.all().type(CHILD.name()))).isEmpty();
    }

    @Test
    void completesAJobWithoutTheSequelThatIsRefused() {
        open(picky().then(NOTE, ended -> List.of(CHILD.with(POISON))).register(NOTE, (note, job) -> "ok"));

        assertThat(end(submit("x")).state()).isEqualTo(JobState.COMPLETED);
        assertThat(pool().admin().list(JobQuery.all().type(CHILD.name()))).isEmpty();
    }

    @Test
    void refusesASubmitToItsCallerOnly() throws Exception {
        open(picky().register(NOTE, (note, job) -> "ok"));
        ConcurrentLinkedQueue<JobHandle<String>> accepted = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<StoreException> refused = new ConcurrentLinkedQueue<>();
        faults.hang();
        List<Thread> callers = IntStream.rangeClosed(0, OTHERS).mapToObj(i -> Thread.ofPlatform().start(() -> {
            try {
                accepted.add(submit(i == OTHERS / 2 ? POISON : "good"));
            } catch (StoreException e) {
                refused.add(e);
            }
        })).toList();
        // All but the first wait for its commit, and share the next one.
        await().until(() -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));
        faults.heal();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(refused).singleElement().satisfies(e -> {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED);
            assertThat(e).hasMessage(WHY);
        });
        assertThat(accepted).hasSize(OTHERS)
                .allSatisfy(handle -> assertThat(end(handle).state()).isEqualTo(JobState.COMPLETED));
    }
}

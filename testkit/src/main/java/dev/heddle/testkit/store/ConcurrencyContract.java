package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Guarantees that hold while many threads use one store. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class ConcurrencyContract extends StoreFixture {

    private static final int THREADS = 8;

    ConcurrencyContract(StoreContract contract) {
        super(contract);
    }

    /**
     * Runs the work on all threads at once and returns their results. The first exception fails the test without
     * waiting for the other threads, which may never end in a broken store.
     */
    static <T> List<T> onAllThreads(IntFunction<Callable<T>> work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().daemon().factory());
        try {
            var finished = new ExecutorCompletionService<T>(threads);
            List<Future<T>> running = IntStream.range(0, THREADS).mapToObj(i -> finished.submit(() -> {
                start.await();
                return work.apply(i).call();
            })).toList();
            for (int i = 0; i < THREADS; i++) {
                finished.take().get();
            }
            return running.stream().map(Future::resultNow).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void neitherLosesNorDuplicatesAJobAcrossTwoNodesAndEightThreads() throws Exception {
        join(NEXT_NODE, T0);
        int perThread = 40;
        int total = THREADS * perThread;
        Set<Fence> attempts = ConcurrentHashMap.newKeySet();
        Set<List<Long>> claims = ConcurrentHashMap.newKeySet();
        AtomicInteger done = new AtomicInteger();

        onAllThreads(thread -> () -> {
            String me = thread % 2 == 0 ? NODE : NEXT_NODE;
            for (int i = 0; i < perThread / 4; i++) {
                submit(JobDraft.of("mail"), JobDraft.of("mail").queue("q"), JobDraft.of("mail").priority(i),
                        JobDraft.of("mail").delay(Duration.ofMillis(1)));
                clock.advance(Duration.ofMillis(1));
                done.addAndGet(work(me, attempts, claims));
            }
            while (done.get() < total && !Thread.currentThread().isInterrupted()) {
                done.addAndGet(work(me, attempts, claims));
            }
            return thread;
        });

        assertThat(done).hasValue(total);
        assertThat(claims).as("no attempt was claimed by two nodes").hasSameSizeAs(attempts);
        List<Job> jobs = store.list(JobQuery.all().limit(total + 1));
        assertThat(jobs).hasSize(total).allMatch(job -> job.state() == JobState.COMPLETED);
        assertThat(jobs).extracting(Job::seq).doesNotHaveDuplicates();
        for (Job job : jobs) {
            assertThat(story(job.id()).attempts()).extracting(Attempt::number).containsExactly(job.counts().attempt());
        }
        assertThat(store.countJobs().live()).isEmpty();
    }

    /** Claims a few jobs, releases some of the first attempts to make jobs change nodes, and completes the rest. */
    private int work(String me, Set<Fence> attempts, Set<List<Long>> claims) {
        ClaimResult claimed = store.claim(new ClaimRequest(me, at(5), 7, List.of(any("mail"))));
        List<Change> changes = new ArrayList<>();
        for (ClaimResult.Claim claim : claimed.claims()) {
            Fence fence = claim.fence();
            assertThat(attempts.add(fence)).as("%s was not claimed before", fence).isTrue();
            assertThat(claims.add(List.of(fence.seq(), (long) fence.attempt())))
                    .as("%s was not claimed by another node", fence).isTrue();
            boolean release = fence.attempt() == 1 && fence.seq() % 3 == 0;
            changes.add(release ? new Change.Released(fence, "try the other", at(6)) : completion(fence));
        }
        assertThat(store.apply(changes)).hasSameSizeAs(changes).allMatch(verdict -> verdict == Verdict.APPLIED);
        return (int) changes.stream().filter(Change.Ended.class::isInstance).count();
    }

    @Test
    void storesAJobOnceIfEightThreadsSubmitIt() throws Exception {
        JobDraft draft = JobDraft.of("mail");

        assertThat(onAllThreads(_ -> () -> insert(draft))).hasSize(THREADS).containsOnly(draft.id());
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @Test
    void letsOnlyOneOfEightThreadsTakeADedupeKey() throws Exception {
        List<JobId> ids = onAllThreads(_ -> () -> insert(JobDraft.of("mail").key("k")));

        assertThat(Set.copyOf(ids)).hasSize(1);
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(ids.getFirst());
    }

    @Test
    void neverExceedsTheCapacityOfAQueueUnderEightThreads() throws Exception {
        List<Long> accepted = onAllThreads(_ -> () -> IntStream.range(0, 10)
                .filter(_ -> submit(JobDraft.of("mail").capacity(30)) instanceof Receipt.Accepted).count());

        assertThat(accepted.stream().mapToLong(Long::longValue).sum()).isEqualTo(30);
        assertThat(store.countJobs().in(JobState.QUEUED)).isEqualTo(30);
    }

    @Test
    void endsAJobOnceIfACancelRacesWithItsCompletion() throws Exception {
        List<JobDraft> drafts = IntStream.range(0, THREADS / 2).mapToObj(_ -> JobDraft.of("mail")).toList();
        List<Fence> fences = drafts.stream().map(this::running).toList();

        List<Object> answers = onAllThreads(thread -> () -> thread % 2 == 0 ? apply(completion(fences.get(thread / 2)))
                : store.execute(cancel(drafts.get(thread / 2).id(), at(2))));

        for (int i = 0; i < drafts.size(); i++) {
            boolean completed = answers.get(2 * i) == Verdict.APPLIED;
            JobState state = job(drafts.get(i).id()).state();
            assertThat(state).isEqualTo(completed ? JobState.COMPLETED : JobState.CANCELLED);
            assertThat(answers.get(2 * i + 1)).isEqualTo(completed ? new CommandResult.WrongState(JobState.COMPLETED)
                    : new CommandResult.StillRunning(fences.get(i)));
            assertThat(story(drafts.get(i).id()).attempts()).hasSize(1);
        }
    }
}

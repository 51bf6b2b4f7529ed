package dev.heddle.testkit;

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
import dev.heddle.store.Claimed;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Ruling;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** What stays true when many threads use one store at once. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class ConcurrencyContract extends StoreFixture {

    private static final int THREADS = 8;

    ConcurrencyContract(StoreContract door) {
        super(door);
    }

    /**
     * Runs the work on each thread, all starting together; whatever one throws, the test throws at once. It does
     * not wait for the others then: in a broken store they may never end.
     */
    private static <T> List<T> together(IntFunction<Callable<T>> work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS,
                Thread.ofPlatform().daemon().factory());
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
    void neitherLosesNorDoublesAJobAmongEightThreadsOfTwoNodes() throws Exception {
        join(NEXT_NODE, T0);
        int perThread = 40;
        int total = THREADS * perThread;
        Set<Fence> attempts = ConcurrentHashMap.newKeySet();
        Set<List<Long>> claims = ConcurrentHashMap.newKeySet();
        AtomicInteger done = new AtomicInteger();

        together(thread -> () -> {
            String me = thread % 2 == 0 ? NODE : NEXT_NODE;
            for (int i = 0; i < perThread / 4; i++) {
                submit(Draft.of("mail"), Draft.of("mail").queue("q"), Draft.of("mail").priority(i),
                        Draft.of("mail").due(at(1)));
                done.addAndGet(work(me, attempts, claims));
            }
            while (done.get() < total && !Thread.currentThread().isInterrupted()) {
                done.addAndGet(work(me, attempts, claims));
            }
            return thread;
        });

        assertThat(done).hasValue(total);
        assertThat(claims).as("no attempt went to two nodes").hasSameSizeAs(attempts);
        List<Job> jobs = store.list(JobQuery.all().limit(total + 1));
        assertThat(jobs).hasSize(total).allMatch(job -> job.state() == JobState.COMPLETED);
        assertThat(jobs).extracting(Job::seq).doesNotHaveDuplicates();
        for (Job job : jobs) {
            assertThat(story(job.id()).attempts()).extracting(Attempt::number)
                    .containsExactly(job.counts().attempt());
        }
        assertThat(store.tally().live()).isEmpty();
    }

    /** Claims a few; hands some first attempts back, so that jobs also change their nodes, and ends the rest. */
    private int work(String me, Set<Fence> attempts, Set<List<Long>> claims) {
        Claimed claimed = store.claim(new ClaimRequest(me, at(5), 7, List.of(any("mail"))));
        List<Change> changes = new ArrayList<>();
        for (Claimed.Claim claim : claimed.jobs()) {
            Fence fence = claim.fence();
            assertThat(attempts.add(fence)).as("%s is new", fence).isTrue();
            assertThat(claims.add(List.of(fence.seq(), (long) fence.attempt()))).as("%s is mine alone", fence)
                    .isTrue();
            boolean back = fence.attempt() == 1 && fence.seq() % 3 == 0;
            changes.add(back ? new Change.HandedBack(fence, "try the other", at(6)) : completion(fence));
        }
        assertThat(store.apply(changes)).hasSameSizeAs(changes)
                .allMatch(verdict -> verdict == Verdict.APPLIED);
        return (int) changes.stream().filter(Change.Ended.class::isInstance).count();
    }

    @Test
    void storesAJobOnceThatEightThreadsSubmit() throws Exception {
        Draft draft = Draft.of("mail");

        assertThat(together(_ -> () -> insert(draft))).hasSize(THREADS).containsOnly(draft.id());
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @Test
    void letsOneOfEightThreadsHaveAKey() throws Exception {
        List<JobId> ids = together(_ -> () -> insert(Draft.of("mail").key("k")));

        assertThat(Set.copyOf(ids)).hasSize(1);
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(ids.getFirst());
    }

    @Test
    void keepsAQueueWithinItsCapacityAgainstEightThreads() throws Exception {
        List<Long> accepted = together(_ -> () -> IntStream.range(0, 10)
                .filter(_ -> submit(Draft.of("mail").capacity(30)) instanceof Receipt.Accepted).count());

        assertThat(accepted.stream().mapToLong(Long::longValue).sum()).isEqualTo(30);
        assertThat(store.tally().in(JobState.QUEUED)).isEqualTo(30);
    }

    @Test
    void endsAJobOnceThatIsCancelledWhileItCompletes() throws Exception {
        List<Draft> drafts = IntStream.range(0, THREADS / 2).mapToObj(_ -> Draft.of("mail")).toList();
        List<Fence> fences = drafts.stream().map(this::running).toList();

        List<Object> answers = together(thread -> () -> thread % 2 == 0
                ? apply(completion(fences.get(thread / 2)))
                : store.execute(cancel(drafts.get(thread / 2).id(), at(2))));

        for (int i = 0; i < drafts.size(); i++) {
            boolean completed = answers.get(2 * i) == Verdict.APPLIED;
            JobState state = job(drafts.get(i).id()).state();
            assertThat(state).isEqualTo(completed ? JobState.COMPLETED : JobState.CANCELLED);
            assertThat(answers.get(2 * i + 1)).isEqualTo(completed
                    ? new Ruling.WrongState(JobState.COMPLETED)
                    : new Ruling.StillRunning(fences.get(i)));
            assertThat(story(drafts.get(i).id()).attempts()).hasSize(1);
        }
    }
}

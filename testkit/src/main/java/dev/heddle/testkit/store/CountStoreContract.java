package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import dev.heddle.job.Attempt;
import dev.heddle.job.Dedupe;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.stats.CountStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Retention;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.StoreListener;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kept counts are those of the jobs, whatever happens. {@link StoreFixture} checks the same at the end of every other
 * contract test.
 */
abstract class CountStoreContract extends StoreFixture {

    private static final Duration ANY_AGE = Duration.ofDays(365);

    CountStoreContract(StoreContract contract) {
        super(contract);
    }

    private CountStore counts() {
        return capability(CountStore.class);
    }

    @ParameterizedTest
    @EnumSource
    void countsAJobInEveryState(JobState state) {
        CountStore counts = counts();
        in(state, JobDraft.of("mail").queue("out"));
        assertThat(counts.keptCounts()).contains(new JobCounts.Line("out", "mail", state, 1))
                .filteredOn(line -> line.type().equals("mail")).hasSize(1);
        counts.foldCounts();
        assertThat(counts.keptCounts()).contains(new JobCounts.Line("out", "mail", state, 1));
        assertThat(counts.checkCounts(false)).isEmpty();
    }

    @Test
    void tellsSinceWhenTheNextJobOfEachQueueAndTypeWaits() {
        CountStore counts = counts();
        assertThat(counts.heads()).isEmpty();
        insert(JobDraft.of("mail").createdAt(T0));
        insert(JobDraft.of("mail").createdAt(T0.plusSeconds(1)));
        insert(JobDraft.of("mail").queue("out").createdAt(T0.plusSeconds(2)));
        insert(JobDraft.of("mail").queue("out").createdAt(T0.plusSeconds(3)).priority(7));
        insert(JobDraft.of("fax").createdAt(T0).due(at(60)));
        assertThat(counts.heads()).containsExactlyInAnyOrder(new CountStore.Head("default", "mail", T0),
                new CountStore.Head("out", "mail", T0.plusSeconds(3)));
    }

    @Test
    void forgetsDeletedJobs() {
        CountStore counts = counts();
        for (JobState state : List.of(JobState.QUEUED, JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED)) {
            store.execute(new AdminCommand.Delete(in(state, JobDraft.of("mail")), ACTOR, at(9)));
        }
        assertThat(counts.keptCounts()).isEmpty();
        counts.foldCounts();
        assertThat(counts.keptCounts()).isEmpty();
    }

    @Test
    void keepsCountsWhenTheStoreIsReopened() {
        in(JobState.QUEUED, JobDraft.of("mail"));
        in(JobState.COMPLETED, JobDraft.of("fax"));
        List<JobCounts.Line> before = counts().keptCounts();
        restart(at(9));
        assertThat(counts().keptCounts()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void countsUnderTheNewQueueIfASubmitChangesAJob() {
        CountStore counts = counts();
        submit(JobDraft.of("mail").queue("slow").key("k", Dedupe.replace()));
        submit(JobDraft.of("mail").queue("fast").key("k", Dedupe.replace()));
        assertThat(counts.keptCounts()).containsExactly(new JobCounts.Line("fast", "mail", JobState.QUEUED, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void keepsCountsThroughRandomOperations(int seed) {
        RandomRun run = new RandomRun(new Random(seed), NODE);
        for (int i = 0; i < 250; i++) {
            run.step(true);
            if (i % 25 == 0) {
                assertThat(counts().checkCounts(false)).as("seed %d, step %d", seed, i).isEmpty();
            }
        }
    }

    @Test
    void keepsCountsIfEightThreadsDoSo() throws Exception {
        CountStore counts = counts();
        join(NEXT_NODE, T0);
        ConcurrencyContract.onAllThreads(thread -> (Callable<Integer>) () -> {
            RandomRun run = new RandomRun(new Random(thread), thread % 2 == 0 ? NODE : NEXT_NODE);
            for (int i = 0; i < 60; i++) {
                run.step(false);
            }
            return thread;
        });
        assertThat(counts.checkCounts(false)).isEmpty();
        while (counts.foldCounts() > 0) {
            assertThat(counts.checkCounts(false)).isEmpty();
        }
    }

    private final class RandomRun {

        private final Random random;
        private String me;
        private final List<Fence> held = new ArrayList<>();
        private final List<JobId> all = new ArrayList<>();
        private int restarts;

        RandomRun(Random random, String me) {
            this.random = random;
            this.me = me;
            store.capability(LimitStore.class)
                    .ifPresent(limits -> limits.setLimit(Limit.named("per-customer").maxConcurrent(2)));
        }

        void step(boolean alone) {
            switch (random.nextInt(alone ? 20 : 18)) {
                case 0, 1, 2 -> insertSome();
                case 3, 4, 5 -> claimSome();
                case 6 -> end(completion(next()), 3);
                case 7 -> end(death(next()), 2);
                case 8 -> end(ended(next(), Attempt.End.FAILED, new Transition.Retry(Duration.ofSeconds(1), "again")),
                        2);
                case 9 -> end(ended(next(), Attempt.End.COMPLETED,
                        new Transition.Reschedule(new Start.After(Duration.ofSeconds(2)), null)), 1);
                case 10 -> end(new Change.Released(next(), "closing", at(3)), 1);
                case 11 -> store.apply(List.of(new Change.Started(peek(), at(1), StartGuarantee.NONE)));
                case 12 -> spawn();
                case 13, 14 -> store.execute(command(anyJob()));
                case 15 -> clock.advance(Duration.ofSeconds(random.nextInt(3)));
                case 16 -> counts().foldCounts();
                case 17 -> store.prune(new Retention(random.nextBoolean() ? ANY_AGE : Duration.ZERO,
                        random.nextInt(30), ANY_AGE, 5), clock.instant());
                default -> restartSometimes();
            }
        }

        private JobDraft draft() {
            JobDraft draft = JobDraft.of(random.nextBoolean() ? "mail" : "fax").queue("q" + random.nextInt(2));
            return switch (random.nextInt(9)) {
                case 0 -> draft.delay(Duration.ofSeconds(1));
                case 1 -> draft.due(clock.instant().plusSeconds(2));
                case 2 -> draft.key("k" + random.nextInt(3), Dedupe.replace());
                case 3 -> draft.key("k" + random.nextInt(3), Dedupe.supersede());
                case 4 -> draft.key("k" + random.nextInt(3));
                case 5 -> store.capability(LimitStore.class).isPresent()
                        ? draft.limit("per-customer", "c" + random.nextInt(2)) : draft;
                default -> draft;
            };
        }

        private void insertSome() {
            for (int i = random.nextInt(4); i >= 0; i--) {
                JobDraft draft = draft();
                submit(draft);
                all.add(draft.id());
            }
        }

        private void claimSome() {
            store.claim(new ClaimRequest(me, clock.instant(), random.nextInt(1, 6), List.of(
                    any("mail"), any("fax"), any("child"), suspects("mail"), suspects("fax"))))
                    .claims().stream().map(ClaimResult.Claim::fence).forEach(held::add);
        }

        private Fence peek() {
            return held.isEmpty() ? new Fence(1, 1, me) : held.getFirst();
        }

        private Fence next() {
            return held.isEmpty() ? new Fence(1, 1, me) : held.removeFirst();
        }

        /** Ends several attempts in the same way, in one batch with a change that comes too late. */
        private void end(Change first, int most) {
            List<Change> changes = new ArrayList<>(List.of(first));
            for (int i = 1; i < most && !held.isEmpty(); i++) {
                changes.add(first instanceof Change.Ended one && one.transition() instanceof Transition.Complete
                        ? completion(next()) : death(next()));
            }
            store.apply(changes);
        }

        private void spawn() {
            JobDraft parent = draft();
            submit(parent);
            all.add(parent.id());
            if (!held.isEmpty()) {
                Fence fence = next();
                JobId id = store.list(JobQuery.all().limit(500)).stream().filter(job -> job.seq() == fence.seq())
                        .map(Job::id).findFirst().orElse(parent.id());
                JobDraft[] children = {JobDraft.of("child").parent(id), JobDraft.of("child").parent(id)};
                store.apply(List.of(ingested(fence, children)));
            }
        }

        private JobId anyJob() {
            return all.isEmpty() ? JobDraft.of("mail").id() : all.get(random.nextInt(all.size()));
        }

        private AdminCommand command(JobId id) {
            return switch (random.nextInt(9)) {
                case 0 -> cancel(id, at(5));
                case 1 -> pause(id);
                case 2 -> new AdminCommand.Resume(id, ACTOR, at(5));
                case 3 -> new AdminCommand.Retry(id, ACTOR, at(5));
                case 4 -> new AdminCommand.Delete(id, ACTOR, at(5));
                case 5 -> new AdminCommand.Reschedule(id, new Start.After(Duration.ofSeconds(1)), ACTOR, at(5));
                case 6 -> new AdminCommand.Reschedule(id, new Start.AtOnce(), ACTOR, at(5));
                case 7 -> new AdminCommand.RetryMatching(JobQuery.all().limit(3), ACTOR, at(5));
                default -> new AdminCommand.PurgeMatching(JobQuery.all().limit(2), ACTOR, at(5));
            };
        }

        private void restartSometimes() {
            if (random.nextInt(4) == 0) {
                held.clear();
                me = "node-" + ++restarts + "-" + all.size();
                restartAs(me, clock.instant(), StoreListener.none());
                Transition transition = switch (random.nextInt(3)) {
                    case 0 -> new Transition.Requeue("node died");
                    case 1 -> new Transition.Retry(Duration.ofSeconds(1), "node died");
                    default -> new Transition.Fail("poison");
                };
                store.recover(me, all(transition, false), clock.instant());
            }
        }
    }
}

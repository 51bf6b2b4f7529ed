package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.heddle.job.Attempt;
import dev.heddle.job.Dedupe;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.SubmitEffect;
import dev.heddle.job.Transition;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import dev.heddle.waiting.WaitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.heddle.testkit.store.DedupeContract.effect;
import static org.assertj.core.api.Assertions.assertThat;

/** What a submit does while a node holds the job with its dedupe key. */
abstract class SuccessorContract extends StoreFixture {

    SuccessorContract(StoreContract contract) {
        super(contract);
    }

    private static JobDraft replacing() {
        return JobDraft.of("mail").key("k", Dedupe.replace());
    }

    private static JobDraft superseding() {
        return JobDraft.of("mail").key("k", Dedupe.supersede());
    }

    private List<JobId> claimable() {
        return ids(claim(clock.instant(), 100, any("mail"), suspects("mail")));
    }

    /** Submits a successor of a job that a node holds. */
    private JobDraft successor(JobDraft draft) {
        assertThat(submit(draft)).isEqualTo(effect(draft.id(), SubmitEffect.SUCCEEDS));
        return draft;
    }

    @Test
    void aClaimedJobGetsOneSuccessorThatLaterSubmitsChange() {
        JobDraft first = replacing().payload("1");
        Fence fence = running(first);
        JobDraft second = successor(replacing().payload("2"));
        assertThat(submit(replacing().payload("3"))).isEqualTo(effect(second.id(), SubmitEffect.REPLACED));
        assertThat(job(first.id()).spec().payload()).isEqualTo("1");
        assertThat(claimable()).isEmpty();
        applied(completion(fence));
        var claim = claim(at(3), 9, any("mail")).claims().getFirst();
        assertThat(claim.job().id()).isEqualTo(second.id());
        assertThat(claim.job().spec().payload()).isEqualTo("3");
        assertThat(store.list(JobQuery.all())).hasSize(2);
    }

    @Test
    void aJobThatIsAssignedIsClaimed() {
        JobDraft first = replacing();
        Fence fence = claimed(first);
        JobDraft next = successor(replacing());
        assertThat(claimable()).isEmpty();
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
        store.capability(WaitStore.class).ifPresent(waits -> assertThat(waits.waitFacts(next.id()).orElseThrow()
                .behind()).isEqualTo(first.id()));
        applied(death(start(fence)));
        store.capability(WaitStore.class)
                .ifPresent(waits -> assertThat(waits.waitFacts(next.id()).orElseThrow().behind()).isNull());
        assertThat(claimable()).containsExactly(next.id());
    }

    @Test
    void otherModesReturnTheSuccessor() {
        running(replacing());
        JobDraft next = successor(replacing());
        assertThat(submit(JobDraft.of("mail").key("k"))).isEqualTo(existing(next.id()));
        assertThat(submit(JobDraft.of("mail").key("k", Dedupe.within(Duration.ofHours(1)))))
                .isEqualTo(existing(next.id()));
    }

    @Test
    void supersedeCancelsARunningJobAndRunsOnceItHasEnded() {
        JobDraft first = superseding();
        Fence fence = running(first);
        JobDraft second = superseding();
        assertThat(submit(second)).isEqualTo(effect(second.id(), SubmitEffect.SUPERSEDED));
        assertThat(job(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(claimable()).isEmpty();
        JobDraft third = superseding();
        assertThat(submit(third)).isEqualTo(effect(third.id(), SubmitEffect.SUPERSEDED));
        assertThat(job(second.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(claimable()).isEmpty();
        assertThat(apply(completion(fence))).isEqualTo(Verdict.CANCELLED);
        assertThat(claimable()).containsExactly(third.id());
        assertThat(submit(third)).isEqualTo(existing(third.id()));
    }

    @Test
    void aJobThatIsCancelledWhileItRunsGetsASuccessor() {
        JobDraft first = superseding();
        Fence fence = running(first);
        store.execute(cancel(first.id(), at(2)));
        JobDraft next = successor(superseding());
        assertThat(claimable()).isEmpty();
        assertThat(apply(new Change.Released(fence, "closing", at(3)))).isEqualTo(Verdict.CANCELLED);
        assertThat(claimable()).containsExactly(next.id());
    }

    /** How an attempt ends so that its job would wait to run again. */
    enum GivenUp {
        RELEASED, RETRIED, REQUEUED, RESCHEDULED
    }

    private Change givenUp(GivenUp how, Fence fence) {
        return switch (how) {
            case RELEASED -> new Change.Released(fence, "closing", at(3));
            case RETRIED -> ended(fence, Attempt.End.FAILED, retry(at(60), "again"));
            case REQUEUED -> ended(fence, Attempt.End.RELEASED, new Transition.Requeue("closing"));
            case RESCHEDULED -> ended(fence, Attempt.End.RESCHEDULED,
                    new Transition.Reschedule(new Start.After(Duration.ofSeconds(60)), null));
        };
    }

    @ParameterizedTest
    @EnumSource
    void aJobThatWouldWaitAgainGivesWayToItsSuccessor(GivenUp how) {
        JobDraft first = replacing();
        Fence fence = running(first);
        JobDraft next = successor(replacing());
        assertThat(apply(givenUp(how, fence))).isEqualTo(Verdict.CANCELLED);
        assertThat(job(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(first.id()).reason()).hasValue("replaced by job " + next.id());
        assertThat(claimable()).containsExactly(next.id());
    }

    @ParameterizedTest
    @EnumSource
    void aJobWhoseSuccessorIsGoneWaitsAgain(GivenUp how) {
        JobDraft first = replacing();
        Fence fence = running(first);
        JobDraft next = successor(replacing());
        store.execute(cancel(next.id(), at(2)));
        applied(givenUp(how, fence));
        clock.advance(Duration.ofMinutes(2));
        assertThat(claimable()).containsExactly(first.id());
    }

    @Test
    void aJobOfADeadNodeGivesWayToItsSuccessor() {
        JobDraft first = replacing();
        running(first);
        JobDraft next = successor(replacing());
        crash(new Transition.Requeue("its node died"), true, at(5));
        assertThat(job(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(claimable()).containsExactly(next.id());
    }

    @Test
    void aSupersededJobOfADeadNodeReleasesItsSuccessor() {
        running(superseding());
        JobDraft second = superseding();
        submit(second);
        crash(new Transition.Requeue("its node died"), true, at(5));
        assertThat(claimable()).containsExactly(second.id());
    }

    @Test
    void aParentThatWaitsForItsChildrenGetsASuccessor() {
        JobDraft first = replacing();
        JobDraft child = JobDraft.of("child");
        waiting(first, child);
        JobDraft next = successor(replacing());
        assertThat(claimable()).isEmpty();
        var fence = claim(clock.instant(), 9, any("child")).claims().getFirst().fence();
        applied(completion(fence));
        var second = claim(clock.instant(), 9, any("mail"));
        assertThat(ids(second)).containsExactly(first.id());
        applied(ended(second.claims().getFirst().fence(), Attempt.End.FAILED, retry(at(3), "again")));
        passUntil(at(4));
        applied(completion(claimAgain(first.id(), clock.instant())));
        assertThat(claimable()).containsExactly(next.id());
    }

    @Test
    void aSuccessorCanBeDelayedPausedAndDeleted() {
        Fence fence = running(replacing());
        JobDraft next = successor(replacing().delay(Duration.ofSeconds(30)));
        applied(completion(fence));
        assertThat(claimable()).isEmpty();
        passUntil(at(31));
        Fence second = claimAgain(next.id(), at(31));
        JobDraft third = successor(replacing());
        store.execute(pause(third.id()));
        applied(completion(second));
        assertThat(claimable()).isEmpty();
        store.execute(new AdminCommand.Resume(third.id(), ACTOR, at(32)));
        Fence held = claimAgain(third.id(), at(32));
        JobDraft fourth = successor(replacing());
        store.execute(pause(fourth.id()));
        store.execute(new AdminCommand.Resume(fourth.id(), ACTOR, at(33)));
        assertThat(claimable()).isEmpty();
        assertThat(store.execute(new AdminCommand.Delete(fourth.id(), ACTOR, at(34))))
                .isEqualTo(new CommandResult.Done(1));
        JobDraft fifth = successor(replacing());
        applied(completion(held));
        assertThat(claimable()).containsExactly(fifth.id());
    }

    @Test
    void debouncePostponesASuccessor() {
        Dedupe mode = Dedupe.debounce(Duration.ofSeconds(10), Duration.ofSeconds(15));
        Fence fence = running(JobDraft.of("mail").key("k"));
        passUntil(at(5));
        JobDraft next = successor(JobDraft.of("mail").key("k", mode));
        applied(completion(fence));
        passUntil(at(14));
        assertThat(submit(JobDraft.of("mail").key("k", mode)))
                .isEqualTo(effect(next.id(), SubmitEffect.DEBOUNCED));
        passUntil(at(19));
        assertThat(claimable()).isEmpty();
        passUntil(at(20));
        assertThat(claimable()).containsExactly(next.id());
    }

    @Test
    void aSuccessorWaitsForTheRoomOfItsLimits() {
        capability(LimitStore.class).setLimit(Limit.named("customer").maxConcurrent(1));
        Fence fence = claimed(replacing().limit("customer", "a"));
        JobDraft next = successor(replacing().limit("customer", "a"));
        JobDraft other = JobDraft.of("mail").limit("customer", "a");
        insert(other);
        assertThat(claimable()).isEmpty();
        applied(completion(fence));
        List<JobId> first = claimable();
        assertThat(first).hasSize(1).isSubsetOf(next.id(), other.id());
    }

    @Test
    void aSuccessorThatIsReplacedStillWaits() {
        Fence fence = running(replacing());
        JobDraft next = successor(replacing());
        assertThat(submit(replacing().queue("other").priority(9)))
                .isEqualTo(effect(next.id(), SubmitEffect.REPLACED));
        assertThat(claimable()).isEmpty();
        applied(completion(fence));
        assertThat(claimable()).containsExactly(next.id());
        assertThat(job(next.id()).spec().queue()).isEqualTo("other");
    }

    @Test
    void aSequelWithTheKeyOfItsJobIsNoSuccessor() {
        Fence fence = running(replacing());
        JobDraft sequel = replacing();
        applied(new Change.Ended(fence,
                new Change.Execution(WORKER, T0, at(1), at(2), Attempt.End.COMPLETED, null),
                new Transition.Complete("1"), false, List.of(sequel.job())));
        assertThat(claimable()).containsExactly(sequel.id());
    }

    @Test
    void aSequelCanSupersedeAJob() {
        JobDraft older = superseding();
        Fence running = running(older);
        Fence fence = running(JobDraft.of("first"));
        JobDraft sequel = superseding();
        applied(new Change.Ended(fence,
                new Change.Execution(WORKER, T0, at(1), at(2), Attempt.End.COMPLETED, null),
                new Transition.Complete("1"), false, List.of(sequel.job())));
        assertThat(job(older.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(apply(completion(running))).isEqualTo(Verdict.CANCELLED);
        assertThat(claimable()).containsExactly(sequel.id());
    }

    @Test
    void countsASuccessorAsQueued() {
        running(replacing());
        successor(replacing());
        assertThat(store.countJobs().in(JobState.QUEUED)).isEqualTo(1);
        assertThat(store.countJobs().live()).extracting(line -> line.type()).containsOnly("mail");
    }

    /** Eight threads on three nodes submit, claim and end jobs of a few keys. */
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void eightThreadsOnThreeNodesNeverMakeTwo(Racing mode) throws Exception {
        join(NEXT_NODE, T0);
        join("node-3", T0);
        List<String> nodes = List.of(NODE, NEXT_NODE, "node-3");
        ConcurrencyContract.onAllThreads(thread -> (Callable<Integer>) () -> {
            for (int i = 0; i < 25; i++) {
                Receipt receipt = submit(JobDraft.of("mail").key("key " + i % 2, mode.mode())
                        .payload(Integer.toString(100 * thread + i)));
                assertThat(receipt).isInstanceOf(Receipt.Accepted.class);
                requireOneOfEachKey();
                work(nodes.get(thread % 3), i);
            }
            return thread;
        });
        for (int i = 0; i < 1_000 && !store.countJobs().live().isEmpty(); i++) {
            clock.advance(Duration.ofMillis(10));
            work(NODE, 1);
        }
        assertThat(store.countJobs().live()).as("every job ends").isEmpty();
    }

    /** The modes that change or follow jobs. */
    enum Racing {
        REPLACE(Dedupe.replace()), SUPERSEDE(Dedupe.supersede()), DEBOUNCE(
                Dedupe.debounce(Duration.ofMillis(1), Duration.ofMillis(5))), WITHIN(
                        Dedupe.within(Duration.ofMillis(1)));

        @SuppressWarnings("ImmutableEnumChecker") // the modes are immutable
        private final Dedupe mode;

        Racing(Dedupe mode) {
            this.mode = mode;
        }

        Dedupe mode() {
            return mode;
        }
    }

    /** Of the jobs with one key, one at most is neither ended nor held, or waits for one that is held. */
    private void requireOneOfEachKey() {
        List<Job> waiting = store.list(JobQuery.all().states(JobState.QUEUED, JobState.SCHEDULED).limit(100));
        Map<String, Set<JobId>> byKey = waiting.stream().collect(
                Collectors.groupingBy(job -> job.spec().dedupeKey().orElse(""),
                        Collectors.mapping(Job::id, Collectors.toSet())));
        assertThat(byKey.values()).allSatisfy(jobs -> assertThat(jobs).hasSize(1));
    }

    private void work(String me, int turn) {
        clock.advance(Duration.ofMillis(1));
        List<ClaimResult.Claim> claims = store.claim(new ClaimRequest(me, clock.instant(), 2, List.of(any("mail"))))
                .claims();
        for (ClaimResult.Claim claim : claims) {
            Job stored = job(claim.job().id());
            assertThat(claim.job().spec().payload()).as("a claimed job has its last payload, and keeps it")
                    .isEqualTo(stored.spec().payload());
            Change change = turn % 3 == 0 ? new Change.Released(claim.fence(), "later", at(3))
                    : completion(claim.fence());
            assertThat(apply(change)).isIn(Verdict.APPLIED, Verdict.CANCELLED);
        }
    }
}

package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.job.SubmitEffect;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Retention;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a submit does to a job that waits with its dedupe key. */
abstract class DedupeContract extends StoreFixture {

    private static final Dedupe WITHIN = Dedupe.within(Duration.ofSeconds(60));
    private static final Dedupe DEBOUNCE = Dedupe.debounce(Duration.ofSeconds(10), Duration.ofSeconds(25));

    DedupeContract(StoreContract contract) {
        super(contract);
    }

    private static JobDraft draft(Dedupe mode) {
        return JobDraft.of("mail").key("k", mode);
    }

    private void assertEffect(JobDraft submitted, JobId stands, SubmitEffect effect) {
        assertThat(submit(submitted)).isEqualTo(effect(stands, effect));
    }

    static Receipt effect(JobId stands, SubmitEffect effect) {
        return new Receipt.Accepted(List.of(new Receipt.Stored(stands, effect)));
    }

    private List<JobId> claimable() {
        return ids(claim(clock.instant(), 100, any("mail")));
    }

    @Test
    void keepsTheMode() {
        for (Dedupe mode : List.of(Dedupe.whileActive(), WITHIN, Dedupe.replace(), DEBOUNCE, Dedupe.supersede())) {
            JobId id = insert(JobDraft.of("mail").key("of " + mode, mode));
            assertThat(job(id).spec().dedupe()).isEqualTo(mode);
            assertThat(job(id).spec().dedupeKey()).hasValue("of " + mode);
        }
    }

    @Test
    void withinRemembersAJobThatHasEnded() {
        JobDraft first = draft(WITHIN);
        completed(first, at(2));
        passUntil(at(59));
        assertEffect(draft(WITHIN), first.id(), SubmitEffect.UNCHANGED);
        passUntil(at(118));
        assertEffect(draft(WITHIN), first.id(), SubmitEffect.UNCHANGED);
        passUntil(at(179));
        JobDraft next = draft(WITHIN);
        assertEffect(next, next.id(), SubmitEffect.CREATED);
    }

    @Test
    void withinReturnsALiveJobHoweverOldItsKey() {
        JobDraft first = draft(WITHIN);
        running(first);
        passUntil(at(1_000));
        assertEffect(draft(WITHIN), first.id(), SubmitEffect.UNCHANGED);
    }

    @Test
    void aRepeatedSubmitDoesNotRenewAKey() {
        JobDraft first = draft(WITHIN);
        completed(first, at(2));
        JobDraft second = draft(WITHIN);
        assertEffect(second, first.id(), SubmitEffect.UNCHANGED);
        passUntil(at(59));
        assertEffect(second, first.id(), SubmitEffect.UNCHANGED);
        passUntil(at(61));
        JobDraft third = draft(WITHIN);
        assertEffect(third, third.id(), SubmitEffect.CREATED);
    }

    @Test
    void withinOutlastsTheRetentionOfItsJob() {
        JobDraft first = draft(WITHIN);
        completed(first, at(2));
        Retention none = new Retention(Duration.ofSeconds(1), Long.MAX_VALUE, Duration.ofSeconds(1), 100);
        passUntil(at(30));
        assertThat(store.prune(none, at(30))).isEqualTo(1);
        assertThat(store.find(first.id())).isEmpty();
        assertEffect(draft(WITHIN), first.id(), SubmitEffect.UNCHANGED);
        passUntil(at(91));
        store.prune(none, at(91));
        JobDraft next = draft(WITHIN);
        assertEffect(next, next.id(), SubmitEffect.CREATED);
    }

    @Test
    void aDeletedJobLeavesItsKeyFree() {
        JobDraft first = draft(WITHIN);
        completed(first, at(2));
        assertThat(store.execute(new AdminCommand.Delete(first.id(), ACTOR, at(3))))
                .isEqualTo(new CommandResult.Done(1));
        JobDraft next = draft(WITHIN);
        assertEffect(next, next.id(), SubmitEffect.CREATED);
    }

    @Test
    void replaceGivesAWaitingJobThePayloadAndTheOptions() {
        JobDraft first = draft(Dedupe.replace()).payload("{\"n\": 1}").tags("old").subject("s").due(at(3600));
        insert(first);
        JobDraft second = draft(Dedupe.replace()).payload("{\"n\": 2}").queue("other").priority(7).tags("new");
        assertEffect(second, first.id(), SubmitEffect.REPLACED);
        var claim = claim(at(1), 100, any("mail")).claims().getFirst();
        assertThat(claim.job().id()).isEqualTo(first.id());
        assertThat(claim.job().spec()).isEqualTo(job(first.id()).spec());
        assertThat(claim.job().spec().payload()).isEqualToIgnoringWhitespace("{\"n\":2}");
        assertThat(claim.job().spec().queue()).isEqualTo("other");
        assertThat(claim.job().spec().priority()).isEqualTo(7);
        assertThat(claim.job().spec().tags()).containsExactly("new");
        assertThat(claim.job().spec().subject()).isEmpty();
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @Test
    void replaceCanDelayAWaitingJob() {
        JobDraft first = draft(Dedupe.replace());
        insert(first);
        assertEffect(draft(Dedupe.replace()).delay(Duration.ofSeconds(30)), first.id(), SubmitEffect.REPLACED);
        assertThat(job(first.id()).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(claimable()).isEmpty();
        passUntil(at(31));
        assertThat(claimable()).containsExactly(first.id());
    }

    @Test
    void aReplacedJobThatWaitsForARetryStartsAfresh() {
        JobDraft first = draft(Dedupe.replace());
        var fence = running(first);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(ended(fence, Attempt.End.FAILED, retry(at(100), "again")));
        assertEffect(draft(Dedupe.replace()).payload("2"), first.id(), SubmitEffect.REPLACED);
        assertThat(job(first.id()).counts().failures()).isZero();
        assertThat(store.saved(job(first.id()).seq()).checkpoint()).isEmpty();
        assertThat(claimable()).containsExactly(first.id());
    }

    @Test
    void aPausedJobStaysPausedWhenItIsReplaced() {
        JobDraft first = draft(Dedupe.replace());
        in(JobState.PAUSED, first);
        assertEffect(draft(Dedupe.replace()).payload("2"), first.id(), SubmitEffect.REPLACED);
        assertThat(job(first.id()).state()).isEqualTo(JobState.PAUSED);
        assertThat(job(first.id()).spec().payload()).isEqualTo("2");
        assertThat(job(first.id()).reason()).hasValue("too early");
    }

    @Test
    void aReplacedJobKeepsItsParent() {
        JobId parent = insert(JobDraft.of("parent"));
        JobDraft first = draft(Dedupe.replace()).parent(parent);
        insert(first);
        assertEffect(draft(Dedupe.replace()).payload("2"), first.id(), SubmitEffect.REPLACED);
        assertThat(job(first.id()).spec().parent()).hasValue(parent);
    }

    @Test
    void aRepeatedSubmitChangesNothing() {
        JobDraft first = draft(Dedupe.replace()).payload("1");
        insert(first);
        JobDraft second = draft(Dedupe.replace()).payload("2");
        insert(second);
        store.execute(pause(first.id()));
        assertEffect(second, first.id(), SubmitEffect.UNCHANGED);
        assertEffect(first, first.id(), SubmitEffect.UNCHANGED);
        assertThat(job(first.id()).spec().payload()).isEqualTo("2");
        restart(at(1));
        assertEffect(second, first.id(), SubmitEffect.UNCHANGED);
    }

    @Test
    void aSubmitRepeatedAfterTheEndOfItsJobCreatesNone() {
        JobDraft first = draft(Dedupe.replace());
        insert(first);
        JobDraft second = draft(Dedupe.replace());
        insert(second);
        applied(completion(claimAgain(first.id(), at(1))));
        assertEffect(second, first.id(), SubmitEffect.UNCHANGED);
        JobDraft third = draft(Dedupe.replace());
        assertEffect(third, third.id(), SubmitEffect.CREATED);
    }

    @Test
    void debounceStartsSomeTimeAfterTheLastSubmit() {
        JobDraft first = draft(DEBOUNCE).payload("1");
        assertEffect(first, first.id(), SubmitEffect.CREATED);
        passUntil(at(9));
        assertEffect(draft(DEBOUNCE).payload("2"), first.id(), SubmitEffect.DEBOUNCED);
        passUntil(at(18));
        assertThat(claimable()).isEmpty();
        passUntil(at(19));
        var claim = claim(at(19), 1, any("mail")).claims().getFirst();
        assertThat(claim.job().id()).isEqualTo(first.id());
        assertThat(claim.job().spec().payload()).isEqualTo("2");
    }

    @Test
    void debounceStartsAtItsMaxAtTheLatest() {
        JobDraft first = draft(DEBOUNCE);
        insert(first);
        for (int second = 8; second <= 24; second += 8) {
            passUntil(at(second));
            assertEffect(draft(DEBOUNCE), first.id(), SubmitEffect.DEBOUNCED);
        }
        assertThat(claimable()).isEmpty();
        passUntil(at(25));
        assertThat(claimable()).containsExactly(first.id());
    }

    @Test
    void debounceAfterItsMaxLeavesAJobDue() {
        JobDraft first = draft(DEBOUNCE);
        insert(first);
        passUntil(at(26));
        assertEffect(draft(DEBOUNCE).payload("2"), first.id(), SubmitEffect.DEBOUNCED);
        assertThat(claimable()).containsExactly(first.id());
    }

    @Test
    void supersedeEndsAWaitingJob() {
        JobDraft first = draft(Dedupe.supersede());
        insert(first);
        JobDraft second = draft(Dedupe.supersede());
        assertEffect(second, second.id(), SubmitEffect.SUPERSEDED);
        assertThat(job(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(first.id()).reason()).hasValue("superseded by job " + second.id());
        assertThat(claimable()).containsExactly(second.id());
    }

    @Test
    void supersedeEndsTheChildrenOfAWaitingParent() {
        JobDraft first = draft(Dedupe.supersede());
        JobDraft child = JobDraft.of("child");
        waiting(first, child);
        JobDraft second = draft(Dedupe.supersede());
        assertEffect(second, second.id(), SubmitEffect.SUPERSEDED);
        assertThat(job(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(child.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(claimable()).containsExactly(second.id());
    }

    @Test
    void theLastOfTwoSubmitsInOneBatchWins() {
        JobDraft first = draft(Dedupe.replace()).payload("1");
        JobDraft second = draft(Dedupe.replace()).payload("2");
        JobDraft plain = JobDraft.of("other");
        assertThat(store.insert(List.of(submission(first), submission(plain), submission(second))))
                .containsExactly(accepted(first), accepted(plain), effect(first.id(), SubmitEffect.REPLACED));
        assertThat(job(first.id()).spec().payload()).isEqualTo("2");
    }

    @Test
    void theLastOfTwoJobsInOneSubmissionWins() {
        for (Dedupe mode : List.of(Dedupe.replace(), DEBOUNCE, Dedupe.supersede(), WITHIN)) {
            JobDraft first = JobDraft.of("pair").key("of " + mode, mode).payload("1");
            JobDraft second = JobDraft.of("pair").key("of " + mode, mode).payload("2");
            Receipt.Accepted receipt = (Receipt.Accepted) submit(first, second);
            boolean supersedes = mode.equals(Dedupe.supersede());
            JobId stands = supersedes ? second.id() : first.id();
            assertThat(receipt.jobs()).extracting(Receipt.Stored::id).containsExactly(first.id(), stands);
            assertThat(job(stands).spec().payload()).isEqualTo(mode.equals(WITHIN) ? "1" : "2");
            assertThat(job(first.id()).state().isFinal()).isEqualTo(supersedes);
        }
    }

    @Test
    void childrenInTheSubmissionOfTheirParentFindIt() {
        JobDraft parent = draft(Dedupe.replace());
        JobDraft child = JobDraft.of("child").parent(parent.id()).key("c", Dedupe.supersede());
        assertThat(submit(parent, child)).isEqualTo(accepted(parent, child));
        store.execute(cancel(parent.id(), at(1)));
        assertThat(job(child.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(submit(draft(Dedupe.replace()).parent(JobId.next()))).isInstanceOf(Receipt.NoParent.class);
    }

    @Test
    void aSubmitThatChangesAJobNeedsNoRoom() {
        JobDraft first = draft(Dedupe.replace()).capacity(1);
        insert(first);
        assertEffect(draft(Dedupe.replace()).capacity(1).payload("2"), first.id(), SubmitEffect.REPLACED);
        JobDraft newer = draft(Dedupe.supersede()).capacity(1);
        assertEffect(newer, newer.id(), SubmitEffect.SUPERSEDED);
        assertThat(submit(JobDraft.of("mail").key("other", Dedupe.replace()).capacity(1)))
                .isEqualTo(new Receipt.Full("default", 1));
    }

    @Test
    void aRefusedSubmissionChangesNothing() {
        JobDraft first = draft(Dedupe.replace()).payload("1");
        insert(first);
        assertThat(submit(draft(Dedupe.replace()).payload("2"), JobDraft.of("mail").capacity(1)))
                .isEqualTo(new Receipt.Full("default", 1));
        assertThat(job(first.id()).spec().payload()).isEqualTo("1");
    }

    @Test
    void aReplacedJobIsUnderTheLimitsOfItsNewPayload() {
        capability(LimitStore.class).setLimit(Limit.named("customer").maxConcurrent(1));
        JobId running = insert(JobDraft.of("mail").limit("customer", "a"));
        assertThat(claimable()).containsExactly(running);
        JobDraft first = draft(Dedupe.replace()).limit("customer", "a");
        insert(first);
        assertThat(claimable()).isEmpty();
        assertEffect(draft(Dedupe.replace()).limit("customer", "b"), first.id(), SubmitEffect.REPLACED);
        assertThat(job(first.id()).spec().limits()).containsExactly(new LimitKey("customer", "b"));
        assertThat(claimable()).containsExactly(first.id());
    }

    @Test
    void aLimitThatDropsJobsCountsAReplacedJobUnderItsNewKey() {
        capability(LimitStore.class)
                .setLimit(Limit.named("customer").maxConcurrent(1).whenFull(Limit.WhenFull.DROP_NEW));
        JobDraft first = draft(Dedupe.replace()).limit("customer", "a");
        insert(first);
        assertEffect(draft(Dedupe.replace()).limit("customer", "a").payload("2"), first.id(), SubmitEffect.REPLACED);
        assertEffect(draft(Dedupe.replace()).limit("customer", "b"), first.id(), SubmitEffect.REPLACED);
        assertThat(submit(JobDraft.of("mail").limit("customer", "b"))).isInstanceOf(Receipt.NoRoom.class);
        insert(JobDraft.of("mail").limit("customer", "a"));
        assertThat(submit(draft(Dedupe.replace()).limit("customer", "a"))).isInstanceOf(Receipt.NoRoom.class);
    }

    @Test
    void aDeadLetterIsRetriedOnlyIfItsKeyIsFree() {
        JobDraft dead = draft(Dedupe.replace());
        dead(dead);
        JobDraft next = draft(Dedupe.replace());
        insert(next);
        var retry = new AdminCommand.Retry(dead.id(), ACTOR, at(3));
        assertThat(store.execute(retry)).isEqualTo(new CommandResult.WrongState(JobState.FAILED));
        applied(completion(claimAgain(next.id(), at(4))));
        assertThat(store.execute(retry)).isEqualTo(new CommandResult.Done(1));
        assertEffect(draft(Dedupe.replace()).payload("3"), dead.id(), SubmitEffect.REPLACED);
        assertThat(job(dead.id()).spec().payload()).isEqualTo("3");
    }

    @ParameterizedTest
    @EnumSource(value = JobState.class, names = {"COMPLETED", "FAILED", "CANCELLED"})
    void aJobThatHasEndedLeavesItsKeyFree(JobState state) {
        in(state, draft(Dedupe.replace()));
        JobDraft next = draft(Dedupe.supersede());
        assertEffect(next, next.id(), SubmitEffect.CREATED);
    }

    @Test
    void keysBelongToTheirType() {
        insert(draft(Dedupe.replace()));
        JobDraft other = JobDraft.of("other").key("k", Dedupe.replace());
        assertEffect(other, other.id(), SubmitEffect.CREATED);
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600, -3_600})
    void aKeyIsRememberedAsLongIfTheClockOfTheNodeIsSet(long seconds) {
        JobDraft first = draft(WITHIN);
        completed(first, at(2));
        JobDraft waiting = JobDraft.of("mail").key("d", DEBOUNCE);
        insert(waiting);
        clock.advance(Duration.ofSeconds(9));
        if (store.capability(ClockedStore.class).isPresent()) {
            clock.jump(Duration.ofSeconds(seconds));
        }
        assertEffect(JobDraft.of("mail").key("d", DEBOUNCE), waiting.id(), SubmitEffect.DEBOUNCED);
        clock.advance(Duration.ofSeconds(9));
        assertEffect(JobDraft.of("mail").key("d", DEBOUNCE), waiting.id(), SubmitEffect.DEBOUNCED);
        assertThat(claimable()).isEmpty();
        clock.advance(Duration.ofSeconds(8));
        assertThat(claimable()).containsExactly(waiting.id());
        clock.advance(Duration.ofSeconds(32));
        assertEffect(draft(WITHIN), first.id(), SubmitEffect.UNCHANGED);
        clock.advance(Duration.ofSeconds(61));
        JobDraft next = draft(WITHIN);
        assertEffect(next, next.id(), SubmitEffect.CREATED);
    }
}

package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Suspicion;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a store keeps about jobs that may have killed their node. */
abstract class SuspicionContract extends StoreFixture {

    private static final Suspicion CAPPED = new Suspicion(true, 3, 2, Duration.ofMillis(4_321), 1);
    private static final Suspicion UNCAPPED = new Suspicion(true, Suspicion.UNCAPPED, 1, Duration.ofSeconds(7), 0);

    SuspicionContract(StoreContract contract) {
        super(contract);
    }

    private static RecoveryPlan requeue(Suspicion suspicion) {
        return orphans -> orphans.stream().map(orphan -> new Recovery(orphan, new Transition.Requeue("node died"),
                false, orphan.job().phase(), suspicion)).toList();
    }

    private JobId recovered(JobDraft draft, Suspicion suspicion) {
        running(draft);
        restart(at(60));
        store.recover(NEXT_NODE, requeue(suspicion), at(60));
        return draft.id();
    }

    private Claim claimSuspect(String type) {
        return claim(at(70), 9, suspects(type)).claims().getFirst();
    }

    @Test
    void returnsTheSuspicionWithAClaim() {
        recovered(JobDraft.of("mail"), CAPPED);

        assertThat(claimSuspect("mail").suspicion()).isEqualTo(CAPPED);
    }

    @Test
    void hasNoneForJobsThatNoDeadNodeHeld() {
        insert(JobDraft.of("mail"));

        assertThat(claim(at(1), 9, any("mail")).claims()).extracting(Claim::suspicion).containsExactly(Suspicion.NONE);
    }

    @Test
    void tellsThePlanTheSuspicionAndHowLongTheAttemptRan() {
        recovered(JobDraft.of("mail"), CAPPED);
        start(claimSuspect("mail").fence());
        insert(JobDraft.of("fax"));
        claim(at(70), 1, any("fax"));
        restartAs("node-3", at(90), StoreListener.none());
        List<Orphan> seen = orphans();

        assertThat(seen).extracting(Orphan::suspicion).containsExactly(CAPPED, Suspicion.NONE);
        assertThat(seen.getFirst().ranFor()).isBetween(Duration.ZERO, Duration.ofSeconds(89));
        assertThat(seen.getLast().ranFor()).as("it had not started").isZero();
    }

    /** A cancelled job that had not started, or that has ended, killed nobody. */
    @Test
    void tellsThePlanHowManyCancelledAttemptsStillRan() {
        running(JobDraft.of("mail"));
        JobDraft stillRunning = JobDraft.of("fax");
        running(stillRunning);
        JobDraft assigned = JobDraft.of("letter");
        claimed(assigned);
        JobDraft ended = JobDraft.of("parcel");
        Fence last = running(ended);
        List.of(stillRunning, assigned, ended).forEach(draft -> store.execute(cancel(draft.id(), at(5))));
        apply(ended(last, Attempt.End.CANCELLED, new Transition.Cancel("not needed")));
        restart(at(60));

        assertThat(orphans()).extracting(Orphan::cancelledBeside).containsExactly(1);
    }

    @Test
    void tellsThePlanNothingOfACancelledAttemptThatWasCleared() {
        running(JobDraft.of("mail"));
        JobDraft cancelled = JobDraft.of("fax");
        applied(new Change.Cleared(running(cancelled), Suspicion.NONE.cleared(1)));
        store.execute(cancel(cancelled.id(), at(5)));
        restart(at(60));

        assertThat(orphans()).extracting(Orphan::cancelledBeside).containsExactly(0);
    }

    private List<Orphan> orphans() {
        List<Orphan> seen = new ArrayList<>();
        store.recover(node, orphans -> {
            seen.addAll(orphans);
            return all(new Transition.Requeue("node died"), false).decide(orphans);
        }, at(90));
        return seen;
    }

    @Test
    void leavesAJobAmongTheOthersIfThePlanDoesNotSuspectIt() {
        JobId id = recovered(JobDraft.of("mail"), Suspicion.NONE);

        assertThat(claim(at(61), 9, suspects("mail")).claims()).isEmpty();
        assertThat(ids(claim(at(61), 9, any("mail")))).containsExactly(id);
    }

    /** What may run beside a suspect that has a cap depends on when it starts. */
    @Test
    void endsAClaimWithTheFirstSuspectThatHasACap() {
        List<JobDraft> drafts = List.of(JobDraft.of("mail"), JobDraft.of("fax").priority(1), JobDraft.of("mail"),
                JobDraft.of("fax").tags("later"), JobDraft.of("mail"), JobDraft.of("mail"));
        drafts.forEach(this::insert);
        claim(T0, 9, any("mail"), any("fax"));
        restart(at(60));
        store.recover(NEXT_NODE, orphans -> orphans.stream().map(orphan -> new Recovery(orphan,
                new Transition.Requeue("node died"), false, orphan.job().phase(),
                idsOf(drafts.subList(2, 5)).contains(orphan.job().id()) ? CAPPED : UNCAPPED)).toList(), at(60));

        List<List<JobId>> claims = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            claims.add(ids(claim(at(61), 9, suspects("mail"), suspects("fax"))));
        }

        List<JobId> ids = idsOf(drafts);
        assertThat(claims).containsExactly(List.of(ids.get(1), ids.get(0), ids.get(2)), List.of(ids.get(3)),
                List.of(ids.get(4)), List.of(ids.get(5)));
    }

    private static List<JobId> idsOf(List<JobDraft> drafts) {
        return drafts.stream().map(JobDraft::id).toList();
    }

    @Test
    void clearsAnAttempt() {
        JobId id = recovered(JobDraft.of("mail"), CAPPED);
        Fence fence = start(claimSuspect("mail").fence());
        Suspicion cleared = CAPPED.cleared(fence.attempt());

        applied(new Change.Cleared(fence, cleared));

        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        applied(ended(fence, Attempt.End.RELEASED, new Transition.Requeue("closing")));
        assertThat(claim(at(71), 9, suspects("mail")).claims()).isEmpty();
        assertThat(claim(at(71), 9, any("mail")).claims()).extracting(Claim::suspicion).containsExactly(cleared);
    }

    @Test
    void clearsAnOrdinaryAttemptThatRanBesideASuspect() {
        Fence fence = running(JobDraft.of("mail"));
        Suspicion cleared = Suspicion.NONE.cleared(1);

        applied(new Change.Cleared(fence, cleared));
        applied(ended(fence, Attempt.End.RELEASED, new Transition.Requeue("closing")));

        assertThat(claim(at(71), 9, any("mail")).claims()).extracting(Claim::suspicion).containsExactly(cleared);
    }

    @Test
    void clearsNothingIfTheFenceDoesNotHold() {
        recovered(JobDraft.of("mail"), CAPPED);
        Fence fence = start(claimSuspect("mail").fence());
        applied(ended(fence, Attempt.End.RELEASED, new Transition.Requeue("closing")));

        assertThat(apply(new Change.Cleared(fence, CAPPED.cleared(2)))).isEqualTo(Verdict.LOST);

        assertThat(claimSuspect("mail").suspicion()).isEqualTo(CAPPED);
    }

    @Test
    void answersThatAClearedJobWasCancelled() {
        JobId id = recovered(JobDraft.of("mail"), CAPPED);
        Fence fence = start(claimSuspect("mail").fence());
        assertThat(store.execute(cancel(id, at(71)))).isInstanceOf(CommandResult.StillRunning.class);

        assertThat(apply(new Change.Cleared(fence, CAPPED.cleared(2)))).isEqualTo(Verdict.CANCELLED);
    }

    /** An attempt that fails has shown that it does not kill its node. */
    @Test
    void suspectsAJobNoMoreOnceAnAttemptHasFailed() {
        recovered(JobDraft.of("mail"), CAPPED);
        Fence fence = start(claimSuspect("mail").fence());

        applied(ended(fence, Attempt.End.FAILED, retry(at(72), "Retry 1/2")));

        assertThat(claim(at(72), 9, suspects("mail")).claims()).isEmpty();
        assertThat(claim(at(72), 9, any("mail")).claims()).extracting(Claim::suspicion)
                .containsExactly(CAPPED.unsuspected());
    }

    @Test
    void forgetsTheSuspicionOfADeadLetterThatIsRetried() {
        JobId id = recovered(JobDraft.of("mail"), CAPPED);
        applied(death(start(claimSuspect("mail").fence())));

        store.execute(new AdminCommand.Retry(id, ACTOR, at(80)));

        assertThat(claim(at(81), 9, any("mail")).claims()).extracting(Claim::suspicion)
                .containsExactly(Suspicion.NONE);
    }
}

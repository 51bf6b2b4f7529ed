package dev.heddle.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.Reserved;
import dev.heddle.store.Change;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.Retention;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Attempts whose work goes on when their node ends. */
abstract class AdoptionContract extends StoreFixture {

    private static final String MACHINE = "loom";
    private static final Instant UNTIL = at(3_660);

    private final Draft draft = Draft.of("mail");

    AdoptionContract(StoreContract door) {
        super(door);
    }

    private AdoptionStore keeper() {
        return (AdoptionStore) store;
    }

    private static Reservation reservation(String machine) {
        return new Reservation(machine, "boot-1", UNTIL);
    }

    private Fence reserved(Draft job) {
        Fence fence = running(job);
        assertThat(keeper().reserve(fence, reservation(MACHINE))).isTrue();
        return fence;
    }

    private List<Recovery> recover(Instant now) {
        return store.recover(NEXT_NODE, all(new Transition.Requeue("node died"), false), now);
    }

    private Claim adopt(Fence fence) {
        List<Claim> claims = keeper().adopt(List.of(fence), NEXT_NODE, at(60));
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    private Set<String> expired(Instant now) {
        return switch (store.renew(record(NEXT_NODE, at(60), now))) {
            case Renewal.Alone(_, var expired) -> expired;
            case Renewal.Kept(_, var expired) -> expired;
            case Renewal.Dead() -> throw new AssertionError("declared dead");
        };
    }

    @Test
    void arePassedByInARecoveryUntilTheirTimeIsOver() {
        Fence kept = reserved(draft);
        Draft other = Draft.of("fax");
        running(other);
        Job before = job(draft.id());
        restart(at(60));

        assertThat(recover(at(60))).extracting(recovery -> recovery.orphan().job().id())
                .containsExactly(other.id());
        assertThat(job(draft.id())).isEqualTo(before);
        assertThat(keeper().reserved(MACHINE)).containsExactly(
                new Reserved(kept, draft.id(), "mail", reservation(MACHINE)));
        assertThat(expired(UNTIL.minusMillis(1))).doesNotContain(NODE);

        assertThat(expired(UNTIL)).containsExactly(NODE);
        assertThat(recover(UNTIL)).extracting(recovery -> recovery.orphan().job().id())
                .containsExactly(draft.id());
        assertThat(job(draft.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(keeper().reserved(MACHINE)).isEmpty();
        assertThat(expired(UNTIL)).isEmpty();
    }

    @Test
    void changeTheirNodeAndNothingElse() {
        Fence before = reserved(draft);
        Job running = job(draft.id());
        restart(at(60));

        Claim claim = adopt(before);

        assertThat(claim.isAdopted()).isTrue();
        assertThat(claim.suspect()).isFalse();
        assertThat(claim.fence()).isEqualTo(new Fence(before.seq(), before.attempt(), NEXT_NODE));
        assertThat(claim.job()).isEqualTo(job(draft.id()));
        assertThat(claim.job().counts()).isEqualTo(running.counts());
        assertThat(claim.job().status().assignedAt()).isEqualTo(running.status().assignedAt());
        assertThat(claim.job().status().startedAt()).isEqualTo(running.status().startedAt());
        assertThat(story(draft.id()).history()).isEmpty();
        assertThat(recover(at(60))).isEmpty();

        assertThat(apply(completion(before))).isEqualTo(Verdict.LOST);
        assertThat(apply(completion(claim.fence()))).isEqualTo(Verdict.APPLIED);
        assertThat(story(draft.id()).attempts()).extracting(Attempt::number, Attempt::node)
                .containsExactly(tuple(1, NEXT_NODE));
    }

    @Test
    void areAdoptedOnce() {
        Fence before = reserved(draft);
        restart(at(60));
        Fence after = adopt(before).fence();

        assertThat(keeper().adopt(List.of(before), "node-3", at(61))).isEmpty();
        assertThat(job(draft.id()).status().node()).isEqualTo(NEXT_NODE);
        assertThat(keeper().reserved(MACHINE)).extracting(Reserved::fence).containsExactly(after);
    }

    /** A node that had lost touch takes up what it left. */
    @Test
    void areAdoptedByTheirOwnNode() {
        Fence fence = reserved(draft);
        List<Claim> claims = keeper().adopt(List.of(fence), NODE, at(60));
        assertThat(claims).extracting(Claim::fence).containsExactly(fence);
    }

    @Test
    void areAdoptedThoughTheirStartWasNotWritten() {
        Fence fence = claimed(draft);
        assertThat(keeper().reserve(fence, reservation(MACHINE))).isTrue();
        restart(at(60));
        Claim claim = adopt(fence);
        assertThat(claim.job().state()).isEqualTo(JobState.RUNNING);
        assertThat(claim.job().status().startedAt()).isEqualTo(at(60));
    }

    @Test
    void areKeptForOneMachine() {
        reserved(draft);
        assertThat(keeper().reserved("another")).isEmpty();
    }

    @Test
    void areNotKeptWhereTheFenceDoesNotHold() {
        Fence fence = running(draft);
        assertThat(keeper().reserve(new Fence(fence.seq(), fence.attempt() + 1, NODE), reservation(MACHINE)))
                .isFalse();
        assertThat(keeper().reserve(new Fence(fence.seq(), fence.attempt(), "other"), reservation(MACHINE)))
                .isFalse();
        store.execute(cancel(draft.id(), at(3)));
        assertThat(keeper().reserve(fence, reservation(MACHINE))).as("cancelled").isFalse();
        assertThat(keeper().reserved(MACHINE)).isEmpty();
    }

    @Test
    void areOrphansLikeAllOthersOnceTheyAreFreed() {
        Fence fence = reserved(draft);
        restart(at(60));
        keeper().free(List.of(fence));
        assertThat(keeper().reserved(MACHINE)).isEmpty();
        assertThat(recover(at(60))).hasSize(1);
    }

    /** The next attempt of the job has a node of its own, and is nobody's to adopt. */
    @Test
    void areForgottenWithTheirAttempt() {
        Fence first = reserved(draft);
        applied(ended(first, Attempt.End.RELEASED, new Transition.Requeue("closing")));
        assertThat(keeper().reserved(MACHINE)).isEmpty();
        Fence second = start(claimAgain(draft.id(), at(10)));
        assertThat(keeper().reserved(MACHINE)).isEmpty();
        restart(at(60));
        assertThat(keeper().adopt(List.of(first), NEXT_NODE, at(60))).isEmpty();
        store.prune(Retention.standard(), at(60));
        assertThat(recover(at(60))).extracting(recovery -> recovery.orphan().job().counts().attempt())
                .containsExactly(second.attempt());
    }

    @Test
    void areKeptByAPruning() {
        reserved(draft);
        store.prune(Retention.standard(), at(60));
        assertThat(keeper().reserved(MACHINE)).hasSize(1);
    }

    /** Its work is somebody else's to end; the job has ended. */
    @Test
    void endAtOnceWhereTheirJobWasCancelled() {
        reserved(draft);
        restart(at(60));
        recover(at(60));
        store.execute(cancel(draft.id(), at(61)));

        assertThat(keeper().reserved(MACHINE)).isEmpty();
        assertThat(expired(at(62))).containsExactly(NODE);
        recover(at(62));

        assertThat(job(draft.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(draft.id()).status().endedAt()).isEqualTo(at(62));
    }

    @Test
    void writeUnderTheirNewNode() {
        Fence before = reserved(draft);
        restart(at(60));
        Fence after = adopt(before).fence();
        assertThat(apply(new Change.Checkpointed(before, "1", at(61)))).isEqualTo(Verdict.LOST);
        assertThat(apply(new Change.Checkpointed(after, "2", at(61)))).isEqualTo(Verdict.APPLIED);
        assertThat(story(draft.id()).saved().checkpoint()).contains("2");
    }
}

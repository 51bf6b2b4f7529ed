package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.ReservedAttempt;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.Retention;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Reservations: attempts whose work outlives their node, and their adoption by another node. */
abstract class AdoptionStoreContract extends StoreFixture {

    private static final String MACHINE = "loom";
    private static final Duration LASTS = Duration.ofMinutes(61);
    private static final Instant UNTIL = T0.plus(LASTS);

    private final JobDraft draft = JobDraft.of("mail");

    AdoptionStoreContract(StoreContract contract) {
        super(contract);
    }

    private AdoptionStore reservations() {
        return capability(AdoptionStore.class);
    }

    private static Reservation reservation(String machine) {
        return new Reservation(machine, "boot-1", LASTS);
    }

    private Fence reserved(JobDraft job) {
        Fence fence = running(job);
        assertThat(reservations().reserve(fence, reservation(MACHINE))).isTrue();
        return fence;
    }

    private List<Recovery> recover(Instant now) {
        passUntil(now);
        return store.recover(NEXT_NODE, all(new Transition.Requeue("node died"), false), now);
    }

    private Claim adopt(Fence fence) {
        List<Claim> claims = reservations().adopt(List.of(fence), NEXT_NODE, at(60));
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    private Set<String> expired(Instant now) {
        passUntil(now);
        return switch (store.renew(record(NEXT_NODE, at(60), now))) {
            case Renewal.SingleNode(_, var expired) -> expired;
            case Renewal.Renewed(_, var expired) -> expired;
            case Renewal.Dead() -> throw new AssertionError("declared dead");
        };
    }

    @Test
    void skipsAReservedAttemptInRecoveryUntilTheReservationExpires() {
        Fence kept = reserved(draft);
        JobDraft other = JobDraft.of("fax");
        running(other);
        Job before = job(draft.id());
        restart(at(60));

        assertThat(recover(at(60))).extracting(recovery -> recovery.orphan().job().id()).containsExactly(other.id());
        assertThat(job(draft.id())).isEqualTo(before);
        assertThat(reservations().reservedFor(MACHINE))
                .containsExactly(new ReservedAttempt(kept, draft.id(), "mail", "boot-1"));
        assertThat(expired(UNTIL.minusMillis(1))).doesNotContain(NODE);

        assertThat(expired(UNTIL)).containsExactly(NODE);
        assertThat(recover(UNTIL)).extracting(recovery -> recovery.orphan().job().id()).containsExactly(draft.id());
        assertThat(job(draft.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(reservations().reservedFor(MACHINE)).isEmpty();
        assertThat(expired(UNTIL)).isEmpty();
    }

    @Test
    void changesOnlyTheNodeOfAnAdoptedAttempt() {
        Fence before = reserved(draft);
        Job running = job(draft.id());
        restart(at(60));

        Claim claim = adopt(before);

        assertThat(claim.isAdopted()).isTrue();
        assertThat(claim.reserved()).isEqualTo(Duration.between(clock.instant(), UNTIL));
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
    void adoptsAnAttemptOnlyOnce() {
        Fence before = reserved(draft);
        restart(at(60));
        Fence after = adopt(before).fence();

        assertThat(reservations().adopt(List.of(before), "node-3", at(61))).isEmpty();
        assertThat(job(draft.id()).status().node()).isEqualTo(NEXT_NODE);
        assertThat(reservations().reservedFor(MACHINE)).extracting(ReservedAttempt::fence).containsExactly(after);
    }

    /** A node that lost its lease may take its own attempt back. */
    @Test
    void letsANodeAdoptItsOwnAttempt() {
        Fence fence = reserved(draft);
        List<Claim> claims = reservations().adopt(List.of(fence), NODE, at(60));
        assertThat(claims).extracting(Claim::fence).containsExactly(fence);
    }

    @Test
    void adoptsAnAttemptWhoseStartWasNeverWritten() {
        Fence fence = claimed(draft);
        assertThat(reservations().reserve(fence, reservation(MACHINE))).isTrue();
        restart(at(60));
        Claim claim = adopt(fence);
        assertThat(claim.job().state()).isEqualTo(JobState.RUNNING);
        assertThat(claim.job().status().startedAt()).isEqualTo(at(60));
    }

    @Test
    void reservesAnAttemptForOneMachineOnly() {
        reserved(draft);
        assertThat(reservations().reservedFor("another")).isEmpty();
    }

    @Test
    void refusesAReservationWithoutAValidFence() {
        Fence fence = running(draft);
        assertThat(reservations().reserve(new Fence(fence.seq(), fence.attempt() + 1, NODE), reservation(MACHINE)))
                .isFalse();
        assertThat(reservations().reserve(new Fence(fence.seq(), fence.attempt(), "other"), reservation(MACHINE)))
                .isFalse();
        store.execute(cancel(draft.id(), at(3)));
        assertThat(reservations().reserve(fence, reservation(MACHINE))).as("cancelled").isFalse();
        assertThat(reservations().reservedFor(MACHINE)).isEmpty();
    }

    @Test
    void recoversAFreedAttemptLikeAnyOtherOrphan() {
        Fence fence = reserved(draft);
        restart(at(60));
        reservations().unreserve(List.of(fence));
        assertThat(reservations().reservedFor(MACHINE)).isEmpty();
        assertThat(recover(at(60))).hasSize(1);
    }

    /** Its node may be long gone, and with it the occasion to recover its jobs. */
    @Test
    void listsTheNodeOfAFreedAttemptUntilItIsRecovered() {
        Fence fence = reserved(draft);
        restart(at(60));
        assertThat(recover(at(60))).isEmpty();
        assertThat(expired(at(61))).isEmpty();
        reservations().unreserve(List.of(fence));

        assertThat(expired(at(62))).containsExactly(NODE);
        assertThat(recover(at(62))).extracting(recovery -> recovery.orphan().job().id()).containsExactly(draft.id());
        assertThat(expired(at(63))).isEmpty();
    }

    /** The next attempt of the job is a normal one: it has no reservation, and nobody can adopt it. */
    @Test
    void dropsAReservationWhenItsAttemptEnds() {
        Fence first = reserved(draft);
        applied(ended(first, Attempt.End.RELEASED, new Transition.Requeue("closing")));
        assertThat(reservations().reservedFor(MACHINE)).isEmpty();
        Fence second = start(claimAgain(draft.id(), at(10)));
        assertThat(reservations().reservedFor(MACHINE)).isEmpty();
        restart(at(60));
        assertThat(reservations().adopt(List.of(first), NEXT_NODE, at(60))).isEmpty();
        store.prune(Retention.standard(), at(60));
        assertThat(recover(at(60))).extracting(recovery -> recovery.orphan().job().counts().attempt())
                .containsExactly(second.attempt());
    }

    @Test
    void keepsReservationsWhenPruning() {
        reserved(draft);
        store.prune(Retention.standard(), at(60));
        assertThat(reservations().reservedFor(MACHINE)).hasSize(1);
    }

    /** The store ends the job; stopping the process is up to the machine that runs it. */
    @Test
    void endsAReservedAttemptAtOnceIfItsJobIsCancelled() {
        reserved(draft);
        restart(at(60));
        recover(at(60));
        store.execute(cancel(draft.id(), at(61)));

        assertThat(reservations().reservedFor(MACHINE)).isEmpty();
        assertThat(expired(at(62))).containsExactly(NODE);
        recover(at(62));

        assertThat(job(draft.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(draft.id()).status().endedAt()).isEqualTo(at(62));
    }

    @Test
    void acceptsWritesOnlyUnderTheNewNode() {
        Fence before = reserved(draft);
        restart(at(60));
        Fence after = adopt(before).fence();
        assertThat(apply(new Change.Checkpointed(before, "1", at(61)))).isEqualTo(Verdict.LOST);
        assertThat(apply(new Change.Checkpointed(after, "2", at(61)))).isEqualTo(Verdict.APPLIED);
        assertThat(story(draft.id()).saved().checkpoint()).contains("2");
    }
}

package dev.heddle.engine.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.JobState;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal.HeldAttempt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReconciliationTest {

    private static final Instant YOUNGEST = Instant.parse("2026-03-01T12:00:00Z");
    private static final Fence ONE = new Fence(1, 1, "me");
    private static final Fence TWO = new Fence(2, 1, "me");

    private static HeldAttempt held(Fence fence, JobState state, long secondsAgo) {
        @Nullable String reason = state == JobState.CANCELLED ? "enough" : null;
        return new HeldAttempt(fence, state, YOUNGEST.minusSeconds(secondsAgo), reason);
    }

    private static Reconciliation of(List<HeldAttempt> held, Set<Fence> before, Set<Fence> after) {
        Set<Fence> overdue = held.stream().filter(attempt -> attempt.assignedAt().isBefore(YOUNGEST))
                .map(HeldAttempt::fence).collect(Collectors.toSet());
        return Reconciliation.of(held, before, after, overdue);
    }

    @Test
    void findsNothingIfBothKnowTheSame() {
        assertThat(of(List.of(held(ONE, JobState.RUNNING, 60)), Set.of(ONE), Set.of(ONE)))
                .isEqualTo(new Reconciliation(List.of(), Set.of(), List.of()));
    }

    @Test
    void findsAClaimThatNeverArrivedOnceItIsOldEnough() {
        HeldAttempt old = held(ONE, JobState.ASSIGNED, 1);
        HeldAttempt young = held(TWO, JobState.ASSIGNED, 0);

        assertThat(of(List.of(old, young), Set.of(), Set.of()).unknown()).containsExactly(old);
    }

    @Test
    void findsAnAttemptThatHasLostItsJob() {
        assertThat(of(List.of(), Set.of(ONE), Set.of(ONE)).lost()).containsExactly(ONE);
        assertThat(of(List.of(held(new Fence(1, 2, "me"), JobState.RUNNING, 0)), Set.of(ONE), Set.of(ONE)).lost())
                .as("its job is in a later attempt").containsExactly(ONE);
    }

    @Test
    void ignoresClaimsAndEndsDuringTheRenewal() {
        assertThat(of(List.of(), Set.of(), Set.of(ONE)).lost()).as("claimed meanwhile").isEmpty();
        assertThat(of(List.of(), Set.of(ONE), Set.of()).lost()).as("ended meanwhile").isEmpty();
    }

    @Test
    void findsAttemptsThatWereCancelledElsewhere() {
        HeldAttempt cancelled = held(ONE, JobState.CANCELLED, 60);

        assertThat(of(List.of(cancelled), Set.of(ONE), Set.of(ONE)).cancelled()).containsExactly(cancelled);
        assertThat(of(List.of(cancelled), Set.of(), Set.of()).unknown()).as("and unknown here: to be released")
                .containsExactly(cancelled);
        HeldAttempt young = held(TWO, JobState.CANCELLED, 0);
        assertThat(of(List.of(young), Set.of(), Set.of()).cancelled()).as("it may be detached")
                .containsExactly(young);
    }
}

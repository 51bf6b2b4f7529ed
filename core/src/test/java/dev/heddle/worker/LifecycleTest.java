package dev.heddle.worker;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.JobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.heddle.worker.WorkerState.BUSY;
import static dev.heddle.worker.WorkerState.DEGRADED;
import static dev.heddle.worker.WorkerState.INITIALIZING;
import static dev.heddle.worker.WorkerState.READY;
import static dev.heddle.worker.WorkerState.TERMINATED;
import static dev.heddle.worker.WorkerState.TERMINATING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LifecycleTest {

    private static final Map<WorkerState, Set<WorkerState>> ALLOWED = Map.of(INITIALIZING,
            Set.of(READY, TERMINATING, TERMINATED), READY, Set.of(BUSY, DEGRADED, TERMINATING), BUSY,
            Set.of(READY, DEGRADED, TERMINATING), DEGRADED, Set.of(READY, TERMINATING), TERMINATING, Set.of(TERMINATED),
            TERMINATED, Set.of());

    private final Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final List<StateChange> changes = new ArrayList<>();
    private final Lifecycle lifecycle = new Lifecycle("w1", InstantSource.fixed(now), changes::add);

    @ParameterizedTest
    @EnumSource(WorkerState.class)
    void allowsExactlyTheTransitionsOfTheTable(WorkerState from) {
        for (WorkerState to : WorkerState.values()) {
            assertThat(from.allows(to, TransitionReason.SHUTDOWN)).as("%s -> %s", from, to)
                    .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(to));
        }
    }

    @ParameterizedTest
    @EnumSource(WorkerState.class)
    void terminatesFromAnyLiveStateIfTheProcessExits(WorkerState from) {
        assertThat(from.allows(TERMINATED, TransitionReason.PROCESS_EXIT)).isEqualTo(from.isLive());
        assertThat(from.allows(READY, TransitionReason.PROCESS_EXIT))
                .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(READY));
    }

    @Test
    void refusesAnInvalidTransitionAndKeepsItsState() {
        assertThatThrownBy(() -> lifecycle.transition(BUSY, TransitionReason.CHECKOUT))
                .isInstanceOf(InvalidTransitionException.class)
                .hasMessage("worker w1 cannot go from INITIALIZING to BUSY (CHECKOUT)");
        assertThat(lifecycle.state()).isEqualTo(INITIALIZING);
        assertThat(lifecycle.history()).isEmpty();
    }

    @Test
    void takesWorkOnlyWhenReadyAndHealthy() {
        assertThat(lifecycle.takesWork()).isFalse();
        lifecycle.transition(READY, TransitionReason.INIT_COMPLETE);
        assertThat(lifecycle.takesWork()).isTrue();
        lifecycle.transition(DEGRADED, TransitionReason.HEALTH_CHECK_FAILED);
        assertThat(lifecycle.takesWork()).isFalse();
        assertThat(lifecycle.health()).isEqualTo(Health.UNHEALTHY);
        lifecycle.transition(READY, TransitionReason.HEALTH_CHECK_PASSED);
        assertThat(lifecycle.takesWork()).isTrue();
        lifecycle.transition(BUSY, TransitionReason.CHECKOUT);
        assertThat(lifecycle.takesWork()).isFalse();
    }

    @Test
    void keepsABoundedHistoryNewestFirst() {
        lifecycle.transition(READY, TransitionReason.INIT_COMPLETE);
        for (int i = 0; i < 50; i++) {
            lifecycle.transition(BUSY, TransitionReason.CHECKOUT, Map.of("job", "j" + i));
            lifecycle.transition(READY, TransitionReason.CHECKIN);
        }

        assertThat(lifecycle.history()).hasSize(Lifecycle.MAX_HISTORY);
        assertThat(lifecycle.history().get(0).reason()).isEqualTo(TransitionReason.CHECKIN);
        StateChange checkout = lifecycle.history().get(1);
        assertThat(checkout.from()).isEqualTo(READY);
        assertThat(checkout.to()).isEqualTo(BUSY);
        assertThat(checkout.metadata()).containsEntry("job", "j49");
        assertThat(checkout.at()).isEqualTo(now);
        assertThat(checkout.after().isNegative()).isFalse();
    }

    @Test
    void changesOnlyFromAnExpectedState() {
        assertThat(lifecycle.transitionFrom(Set.of(READY, BUSY), DEGRADED, TransitionReason.ERROR, Map.of()))
                .isFalse();
        assertThat(lifecycle.state()).isEqualTo(INITIALIZING);
        assertThat(lifecycle.transitionFrom(Set.of(INITIALIZING), READY, TransitionReason.INIT_COMPLETE, Map.of()))
                .isTrue();
        assertThat(lifecycle.state()).isEqualTo(READY);
    }

    @Test
    void reportsEveryChange() {
        lifecycle.transition(READY, TransitionReason.INIT_COMPLETE);
        lifecycle.transitionFrom(Set.of(READY), DEGRADED, TransitionReason.ERROR, Map.of("why", "rust"));
        assertThat(changes).isEqualTo(lifecycle.history().reversed());
    }

    @Test
    void derivesItsHealthFromTheReasonOfTheLastChange() {
        assertThat(lifecycle.health()).isEqualTo(Health.UNKNOWN);
        lifecycle.transition(READY, TransitionReason.INIT_COMPLETE);
        lifecycle.transition(BUSY, TransitionReason.CHECKOUT);
        assertThat(lifecycle.health()).as("while it works").isEqualTo(Health.HEALTHY);
        lifecycle.transition(DEGRADED, TransitionReason.ERROR);
        assertThat(lifecycle.health()).isEqualTo(Health.UNHEALTHY);
        lifecycle.transition(TERMINATING, TransitionReason.SHUTDOWN);
        assertThat(lifecycle.health()).as("an end does not heal it").isEqualTo(Health.UNHEALTHY);
    }

    @Test
    void aRetiringWorkerTakesNoWorkEvenIfItIsReady() {
        Worker worker = new Worker("w1", "g", InstantSource.fixed(now), Map::of, _ -> {});
        worker.lifecycle().transition(READY, TransitionReason.INIT_COMPLETE);
        JobId job = JobId.next();
        assertThat(worker.checkOut(job)).isTrue();
        assertThat(worker.checkOut(JobId.next())).as("one job at a time").isFalse();
        worker.retire();
        assertThat(worker.checkIn(job)).isTrue();
        assertThat(worker.lifecycle().state()).isEqualTo(READY);
        assertThat(worker.jobs()).isEqualTo(1);
        assertThat(worker.takesWork()).isFalse();
        assertThat(worker.checkOut(JobId.next())).isFalse();
    }

    @Test
    void aWorkerThatDegradedDuringItsJobIsNotReadyAfterIt() {
        Worker worker = new Worker("w1", "g", InstantSource.fixed(now), Map::of, _ -> {});
        worker.lifecycle().transition(READY, TransitionReason.INIT_COMPLETE);
        JobId job = JobId.next();
        assertThat(worker.checkOut(job)).isTrue();
        worker.lifecycle().transition(DEGRADED, TransitionReason.ERROR);
        assertThat(worker.checkIn(job)).isTrue();
        assertThat(worker.snapshot().state()).isEqualTo(DEGRADED);
        assertThat(worker.snapshot().job()).isNull();
    }

    @Test
    void aLateCheckInOfAnEarlierJobDoesNotEndTheCurrentOne() {
        Worker worker = new Worker("w1", "g", InstantSource.fixed(now), Map::of, _ -> {});
        worker.lifecycle().transition(READY, TransitionReason.INIT_COMPLETE);
        JobId first = JobId.next();
        JobId second = JobId.next();
        worker.checkOut(first);
        worker.lifecycle().transition(DEGRADED, TransitionReason.ERROR);
        worker.lifecycle().transition(READY, TransitionReason.HEALTH_CHECK_PASSED);
        assertThat(worker.checkOut(second)).isTrue();

        assertThat(worker.checkIn(first)).isFalse();

        assertThat(worker.snapshot().state()).isEqualTo(BUSY);
        assertThat(worker.snapshot().job()).isEqualTo(second);
    }
}

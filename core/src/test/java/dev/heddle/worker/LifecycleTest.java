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
            Set.of(READY, DEGRADED, TERMINATING), DEGRADED, Set.of(READY, TERMINATING), TERMINATING,
            Set.of(TERMINATED), TERMINATED, Set.of());

    private final Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final List<StateChange> told = new ArrayList<>();
    private final Lifecycle lifecycle = new Lifecycle("w1", InstantSource.fixed(now), told::add);

    @ParameterizedTest
    @EnumSource(WorkerState.class)
    void allowsExactlyTheWaysOfTheTable(WorkerState from) {
        for (WorkerState to : WorkerState.values()) {
            assertThat(from.allows(to, TransitionReason.SHUTDOWN)).as("%s -> %s", from, to)
                    .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(to));
        }
    }

    @ParameterizedTest
    @EnumSource(WorkerState.class)
    void endsInAnyLiveStateWhenTheProcessExits(WorkerState from) {
        assertThat(from.allows(TERMINATED, TransitionReason.PROCESS_EXIT)).isEqualTo(from.isLive());
        assertThat(from.allows(READY, TransitionReason.PROCESS_EXIT))
                .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(READY));
    }

    @Test
    void refusesAWrongWayAndStaysWhereItIs() {
        assertThatThrownBy(() -> lifecycle.go(BUSY, TransitionReason.CHECKOUT))
                .isInstanceOf(InvalidTransitionException.class)
                .hasMessage("worker w1 cannot go from INITIALIZING to BUSY (CHECKOUT)");
        assertThat(lifecycle.state()).isEqualTo(INITIALIZING);
        assertThat(lifecycle.history()).isEmpty();
    }

    @Test
    void takesWorkOnlyWhenReadyAndHealthy() {
        assertThat(lifecycle.takesWork()).isFalse();
        lifecycle.go(READY, TransitionReason.INIT_COMPLETE);
        assertThat(lifecycle.takesWork()).isTrue();
        lifecycle.go(DEGRADED, TransitionReason.HEALTH_CHECK_FAILED);
        assertThat(lifecycle.takesWork()).isFalse();
        assertThat(lifecycle.health()).isEqualTo(Health.UNHEALTHY);
        lifecycle.go(READY, TransitionReason.HEALTH_CHECK_PASSED);
        assertThat(lifecycle.takesWork()).isTrue();
        lifecycle.go(BUSY, TransitionReason.CHECKOUT);
        assertThat(lifecycle.takesWork()).isFalse();
    }

    @Test
    void keepsABoundedHistoryNewestFirst() {
        lifecycle.go(READY, TransitionReason.INIT_COMPLETE);
        for (int i = 0; i < 50; i++) {
            lifecycle.go(BUSY, TransitionReason.CHECKOUT, Map.of("job", "j" + i));
            lifecycle.go(READY, TransitionReason.CHECKIN);
        }

        assertThat(lifecycle.history()).hasSize(Lifecycle.HISTORY);
        assertThat(lifecycle.history().get(0).reason()).isEqualTo(TransitionReason.CHECKIN);
        StateChange checkout = lifecycle.history().get(1);
        assertThat(checkout.from()).isEqualTo(READY);
        assertThat(checkout.to()).isEqualTo(BUSY);
        assertThat(checkout.metadata()).containsEntry("job", "j49");
        assertThat(checkout.at()).isEqualTo(now);
        assertThat(checkout.after().isNegative()).isFalse();
    }

    @Test
    void goesOnlyFromWhereItIsExpectedToBe() {
        assertThat(lifecycle.goFrom(Set.of(READY, BUSY), DEGRADED, TransitionReason.ERROR, Map.of()))
                .isFalse();
        assertThat(lifecycle.state()).isEqualTo(INITIALIZING);
        assertThat(lifecycle.goFrom(Set.of(INITIALIZING), READY, TransitionReason.INIT_COMPLETE, Map.of()))
                .isTrue();
        assertThat(lifecycle.state()).isEqualTo(READY);
    }

    @Test
    void tellsOfEveryChangeAfterIt() {
        lifecycle.go(READY, TransitionReason.INIT_COMPLETE);
        lifecycle.goFrom(Set.of(READY), DEGRADED, TransitionReason.ERROR, Map.of("why", "rust"));
        assertThat(told).isEqualTo(lifecycle.history().reversed());
    }

    @Test
    void isHealthyOrNotByTheReasonOfItsLastChange() {
        assertThat(lifecycle.health()).isEqualTo(Health.UNKNOWN);
        lifecycle.go(READY, TransitionReason.INIT_COMPLETE);
        lifecycle.go(BUSY, TransitionReason.CHECKOUT);
        assertThat(lifecycle.health()).as("while it works").isEqualTo(Health.HEALTHY);
        lifecycle.go(DEGRADED, TransitionReason.ERROR);
        assertThat(lifecycle.health()).isEqualTo(Health.UNHEALTHY);
        lifecycle.go(TERMINATING, TransitionReason.SHUTDOWN);
        assertThat(lifecycle.health()).as("an end does not heal it").isEqualTo(Health.UNHEALTHY);
    }

    @Test
    void aWorkerThatIsToLeaveTakesNoWorkThoughItIsReady() {
        Worker worker = new Worker("w1", "g", InstantSource.fixed(now), Map::of, _ -> {});
        worker.lifecycle().go(READY, TransitionReason.INIT_COMPLETE);
        JobId job = JobId.next();
        assertThat(worker.checkOut(job)).isTrue();
        assertThat(worker.checkOut(JobId.next())).as("one job at a time").isFalse();
        worker.leave();
        assertThat(worker.checkIn(job)).isTrue();
        assertThat(worker.lifecycle().state()).isEqualTo(READY);
        assertThat(worker.jobs()).isEqualTo(1);
        assertThat(worker.takesWork()).isFalse();
        assertThat(worker.checkOut(JobId.next())).isFalse();
    }

    @Test
    void aWorkerThatFellIllDuringItsJobIsNotReadyAfterIt() {
        Worker worker = new Worker("w1", "g", InstantSource.fixed(now), Map::of, _ -> {});
        worker.lifecycle().go(READY, TransitionReason.INIT_COMPLETE);
        JobId job = JobId.next();
        assertThat(worker.checkOut(job)).isTrue();
        worker.lifecycle().go(DEGRADED, TransitionReason.ERROR);
        assertThat(worker.checkIn(job)).isTrue();
        assertThat(worker.snapshot().state()).isEqualTo(DEGRADED);
        assertThat(worker.snapshot().job()).isNull();
    }

    @Test
    void aWorkerThatGotWellUnderItsJobIsNotFreedOfTheNextByTheEndOfTheFirst() {
        Worker worker = new Worker("w1", "g", InstantSource.fixed(now), Map::of, _ -> {});
        worker.lifecycle().go(READY, TransitionReason.INIT_COMPLETE);
        JobId first = JobId.next();
        JobId second = JobId.next();
        worker.checkOut(first);
        worker.lifecycle().go(DEGRADED, TransitionReason.ERROR);
        worker.lifecycle().go(READY, TransitionReason.HEALTH_CHECK_PASSED);
        assertThat(worker.checkOut(second)).isTrue();

        assertThat(worker.checkIn(first)).isFalse();

        assertThat(worker.snapshot().state()).isEqualTo(BUSY);
        assertThat(worker.snapshot().job()).isEqualTo(second);
    }
}

package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.heddle.engine.suspects.StartControl;
import dev.heddle.engine.testing.ManualClock;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class WorkerRosterTest {

    private final ManualClock clock = new ManualClock();
    private final WorkerRoster roster = new WorkerRoster(Environment.system().withClock(clock),
            new StartControl(() -> {}));
    private final Claim first = Samples.claim(1);
    private final Claim second = Samples.claim(2);

    private Worker addWorker(String id) {
        Worker worker = Samples.worker(id, clock);
        roster.update(worker, true);
        return worker;
    }

    private WorkerRoster.Assignment assign() {
        return Objects.requireNonNull(roster.assign(), "an assignment");
    }

    @Test
    void assignsAClaimToAnIdleWorker() {
        Worker worker = addWorker("w-1");
        roster.add(List.of(first));

        assertThat(roster.assign()).isEqualTo(new WorkerRoster.Assignment(worker, first));
        assertThat(roster.active()).isEqualTo(1);
        assertThat(roster.assign()).as("nothing is left").isNull();
    }

    @Test
    void assignsNothingToABusyWorker() {
        addWorker("w-1");
        roster.add(List.of(first, second));
        roster.assign();

        assertThat(roster.assign()).isNull();
        assertThat(roster.free()).as("one claim waits").isEqualTo(-1);
    }

    @Test
    void givesAWorkerThatEndsAJobTheNextClaim() {
        Worker worker = addWorker("w-1");
        roster.add(List.of(first, second));
        roster.assign();

        worker.checkIn(first.job().id());

        assertThat(roster.next(worker, true)).isEqualTo(second);
        assertThat(roster.active()).isEqualTo(1);
    }

    @Test
    void makesAWorkerIdleIfNoClaimWaits() {
        Worker worker = addWorker("w-1");
        roster.add(List.of(first));
        roster.assign();

        worker.checkIn(first.job().id());

        assertThat(roster.next(worker, true)).isNull();
        assertThat(roster.free()).isEqualTo(1);
        assertThat(roster.active()).isZero();
    }

    /** The worker recovered and got another job while the thread of its old one went on. */
    @Test
    void givesNothingToAThreadWhoseWorkerHasAnotherJob() {
        Worker worker = addWorker("w-1");
        roster.add(List.of(first, second));
        roster.assign();

        assertThat(roster.next(worker, false)).isNull();
        assertThat(roster.free()).as("the claim still waits, and nobody is idle").isEqualTo(-1);
    }

    @Test
    void keepsAClaimForTheWorkerThatHasItsSession() {
        addWorker("w-1");
        Worker owner = addWorker("w-2");

        assertThat(roster.addFor("w-2", first, 0)).isTrue();

        assertThat(assign().worker()).isEqualTo(owner);
    }

    @Test
    void limitsTheClaimsThatWaitForABusyWorker() {
        addWorker("w-1");
        roster.add(List.of(first));
        roster.assign();

        assertThat(roster.addFor("w-1", second, 1)).isTrue();
        assertThat(roster.addFor("w-1", Samples.claim(3), 1)).isFalse();
        assertThat(roster.addFor("w-9", Samples.claim(4), 1)).as("no such worker").isFalse();
        assertThat(roster.waitingCounts()).containsEntry("w-1", 1);
    }

    @Test
    void returnsTheClaimsThatOnlyALostWorkerCouldRun() {
        Worker lost = addWorker("w-1");
        roster.addFor("w-1", first, 1);
        roster.add(List.of(second));
        lost.terminate(TransitionReason.PROCESS_EXIT);

        assertThat(roster.update(lost, false).orphans()).containsExactly(first);
        assertThat(roster.all()).isEmpty();
        assertThat(roster.assign()).isNull();
        assertThat(roster.removeSurplus()).containsExactly(second);
    }

    @Test
    void reportsAWorkerAsJoinedOnlyOnce() {
        Worker worker = Samples.worker("w-1", clock);

        assertThat(roster.update(worker, true).joined()).isTrue();
        assertThat(roster.update(worker, true).joined()).isFalse();
    }

    @Test
    void ignoresALateReportThatAnEndedWorkerIsLive() {
        Worker worker = Samples.worker("w-1", clock);
        worker.terminate(TransitionReason.PROCESS_EXIT);

        roster.update(worker, true);

        assertThat(roster.all()).isEmpty();
    }

    @Test
    void removesClaimsThatNoWorkerHasTaken() {
        addWorker("w-1");
        roster.add(List.of(first, second));
        roster.assign();

        assertThat(roster.remove(first.fence())).as("it runs").isEmpty();
        assertThat(roster.remove(second.fence())).contains(second);
    }

    @Test
    void refusesToDismissTheLastWorker() {
        addWorker("w-1");
        roster.setTarget(1);

        assertThatThrownBy(() -> roster.dismiss("w-1", "default")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("w-1 is the last of group 'default'");
    }

    @Test
    void dismissesAWorkerOnce() {
        Worker worker = addWorker("w-1");
        roster.setTarget(2);

        assertThat(roster.dismiss("w-1", "default")).contains(worker);
        assertThat(worker.isRetiring()).isTrue();
        assertThat(roster.dismiss("w-1", "default")).isEmpty();
        assertThat(roster.dismiss("w-9", "default")).isEmpty();
    }

    @Test
    void offersWorkersThatWindDownForSessionsOnlyIfThereIsNoOther() {
        addWorker("w-1").windDown();
        assertThat(roster.eligible()).containsExactly("w-1");

        addWorker("w-2");
        assertThat(roster.eligible()).containsExactly("w-2");
    }

    @Test
    void countsAWorkerWithWaitingClaimsAsNotIdle() {
        addWorker("w-1");
        addWorker("w-2");
        roster.addFor("w-2", first, 1);

        assertThat(roster.candidates().idle()).containsExactly("w-1");
        assertThat(roster.candidates().eligible()).containsExactly("w-1", "w-2");
    }

    @Test
    void assignsNothingAfterItIsClosedAndKeepsItsClaims() {
        addWorker("w-1");
        roster.add(List.of(first));
        roster.close();

        assertThat(roster.assign()).isNull();
        assertThat(roster.free()).isZero();
        assertThat(roster.removeAll()).containsExactly(first);
    }

    @Test
    void isEmptyOnceWorkersAreGoneAndTheirJobsHaveEnded() throws Exception {
        Worker worker = addWorker("w-1");
        roster.add(List.of(first));
        roster.assign();
        worker.terminate(TransitionReason.PROCESS_EXIT);
        roster.update(worker, false);

        assertThat(roster.awaitEmpty(Duration.ZERO, () -> false)).as("its thread still writes the end").isFalse();

        roster.next(worker, true);
        assertThat(roster.awaitEmpty(Duration.ZERO, () -> false)).isTrue();
    }

    @Test
    void endsAWaitWhenItIsToldToRecheck() throws Exception {
        addWorker("w-1");
        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch waiting = new CountDownLatch(1);
        FutureTask<Boolean> result = new FutureTask<>(() -> roster.awaitEmpty(Duration.ofMinutes(10), () -> {
            waiting.countDown();
            return enough.get();
        }));
        Thread.ofPlatform().daemon().start(result);
        waiting.await();
        enough.set(true);
        roster.recheck();

        assertThat(result.get()).isTrue();
    }
}

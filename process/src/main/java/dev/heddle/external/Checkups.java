package dev.heddle.external;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.heddle.worker.Lifecycle;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks workers whether they are well: the idle ones now and then, the degraded ones after a while. On the crew's thread. */
final class Checkups {

    private static final Logger LOG = LoggerFactory.getLogger(Checkups.class);

    private final ExternalWorkforce house;
    private final ExternalSettings.Timing timing;
    private final ExternalWorker.Guardian guardian;

    Checkups(ExternalWorkforce house, ExternalWorker.Guardian guardian) {
        this.house = house;
        this.timing = house.settings().timing();
        this.guardian = guardian;
    }

    /** Asks one that is idle, where nothing was heard of it for long enough. */
    void checkIfDue(ExternalWorker worker) {
        if (worker.worker().lifecycle().state() == WorkerState.READY
                && worker.isDueForACheck(timing.healthEvery())) {
            check(worker);
        }
    }

    /** Not before its thread has let go of it: one that is READY again would be given the next job beside that. */
    void probeLater(ExternalWorker worker) {
        house.crew().later(timing.probeAfter(), () -> {
            if (worker.worker().lifecycle().state() != WorkerState.DEGRADED) {
                return;
            }
            if (worker.isAtWork()) {
                probeLater(worker);
            } else {
                check(worker);
            }
        });
    }

    private void check(ExternalWorker worker) {
        if (!worker.beginCheck()) {
            return;
        }
        long asked = System.nanoTime();
        Duration within = timing.healthAnswer();
        var _ = worker.ping(within).whenComplete((_, failure) -> {
            Duration took = Duration.ofNanos(System.nanoTime() - asked);
            house.tell(new WorkerEvent.HealthChecked(worker.id(), house.type(), failure == null, took));
            house.crew().execute(
                    () -> checked(worker, failure == null ? null : Conversation.words(failure, within)));
        });
    }

    private void checked(ExternalWorker worker, @Nullable String failure) {
        worker.endCheck();
        Lifecycle life = worker.worker().lifecycle();
        if (failure == null) {
            worker.isWell();
            if (life.goFrom(Set.of(WorkerState.DEGRADED), WorkerState.READY,
                    TransitionReason.HEALTH_CHECK_PASSED, Map.of())) {
                LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is well again", worker.id());
                house.show(worker);
            }
        } else if (life.state() == WorkerState.READY || life.state() == WorkerState.DEGRADED) {
            guardian.trouble(worker, new Trouble.HealthCheckFailed(worker.isIll()),
                    "health check failed: " + failure);
        }
    }
}

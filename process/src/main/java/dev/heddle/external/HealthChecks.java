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

/** Pings workers: idle ones at intervals, degraded ones after a delay. Runs on the supervisor thread. */
final class HealthChecks {

    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);

    private final ExternalWorkforce workforce;
    private final ExternalSettings.Timing timing;
    private final ExternalWorker.Supervisor supervisor;

    HealthChecks(ExternalWorkforce workforce, ExternalWorker.Supervisor supervisor) {
        this.workforce = workforce;
        this.timing = workforce.settings().timing();
        this.supervisor = supervisor;
    }

    /** Pings an idle worker that has not been heard from for long enough. */
    void checkIfDue(ExternalWorker worker) {
        if (worker.worker().lifecycle().state() == WorkerState.READY && worker.isHealthCheckDue(timing.healthEvery())) {
            check(worker);
        }
    }

    /**
     * Pings a degraded worker after a delay, but not before the pool's thread has finished with it. A worker that
     * became READY earlier could be given a second job at the same time.
     */
    void probeLater(ExternalWorker worker) {
        workforce.supervisorThread().schedule(timing.probeAfter(), () -> {
            if (worker.worker().lifecycle().state() != WorkerState.DEGRADED) {
                return;
            }
            if (worker.isExecuting()) {
                probeLater(worker);
            } else {
                check(worker);
            }
        });
    }

    private void check(ExternalWorker worker) {
        if (!worker.beginHealthCheck()) {
            return;
        }
        long sent = System.nanoTime();
        Duration timeout = timing.healthAnswer();
        var _ = worker.ping(timeout).whenComplete((_, failure) -> {
            Duration took = Duration.ofNanos(System.nanoTime() - sent);
            workforce.publish(new WorkerEvent.HealthChecked(worker.id(), workforce.type(), failure == null, took));
            workforce.supervisorThread()
                    .execute(() -> completed(worker, failure == null ? null : RpcConnection.explain(failure, timeout)));
        });
    }

    private void completed(ExternalWorker worker, @Nullable String failure) {
        worker.endHealthCheck();
        Lifecycle lifecycle = worker.worker().lifecycle();
        if (failure == null) {
            worker.pingAnswered();
            if (lifecycle.transitionFrom(Set.of(WorkerState.DEGRADED), WorkerState.READY,
                    TransitionReason.HEALTH_CHECK_PASSED, Map.of())) {
                LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is healthy again", worker.id());
                workforce.notifyPool(worker);
            }
        } else if (lifecycle.state() == WorkerState.READY || lifecycle.state() == WorkerState.DEGRADED) {
            supervisor.faulted(worker, new WorkerFault.HealthCheckFailed(worker.pingFailed()),
                    "health check failed: " + failure);
        }
    }
}

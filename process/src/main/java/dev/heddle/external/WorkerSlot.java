package dev.heddle.external;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.heddle.process.LaunchException;
import dev.heddle.process.RunningProcess;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place for one worker, which is filled again if the worker is lost. The slot counts the losses, so a command that
 * crashes at once is started more and more slowly while the other slots work on. Runs on the supervisor thread, unless
 * a method says otherwise.
 */
final class WorkerSlot implements ExternalWorker.Supervisor {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlot.class);
    private static final Set<WorkerState> IN_SERVICE = Set.of(WorkerState.READY, WorkerState.BUSY);
    private static final Set<WorkerState> WITHOUT_JOB = Set.of(WorkerState.INITIALIZING, WorkerState.READY,
            WorkerState.DEGRADED);
    private static final Set<WorkerState> ALIVE = Set.of(WorkerState.INITIALIZING, WorkerState.READY, WorkerState.BUSY,
            WorkerState.DEGRADED);

    private final ExternalWorkforce workforce;
    private final ExternalSettings settings;
    private final HealthChecks healthChecks;
    private final int number;
    private int workersCreated;
    /** The id of the last worker that was started here; null before the first. */
    private @Nullable String latest;
    private @Nullable ExternalWorker current;
    /** The worker that is starting in order to replace the current one, which works on until then. */
    private @Nullable ExternalWorker successor;
    /** The worker that has been replaced by its successor and works on until its last session has ended. */
    private @Nullable ExternalWorker departing;
    /** Why the current worker is being recycled; null if it is not. */
    private @Nullable String recycling;
    private long nextStartNanos = System.nanoTime();
    private final AtomicInteger losses = new AtomicInteger();
    /** Written on the supervisor thread, read on any; null if there is no outage. */
    private volatile @Nullable SlotOutage outage;
    private boolean closed;

    WorkerSlot(ExternalWorkforce workforce, int number) {
        this.workforce = workforce;
        this.number = number;
        this.settings = workforce.settings();
        this.healthChecks = new HealthChecks(workforce, this);
    }

    /** Returns the state of the current worker; TERMINATED if there is none. */
    WorkerState state() {
        ExternalWorker worker = current;
        return worker == null ? WorkerState.TERMINATED : worker.worker().lifecycle().state();
    }

    /** Returns whether the worker is in this slot, as the current one, its successor or its predecessor. */
    boolean has(Worker worker) {
        return workers().anyMatch(one -> one.worker() == worker);
    }

    private Stream<ExternalWorker> workers() {
        return Stream.of(Optional.ofNullable(current), Optional.ofNullable(successor), Optional.ofNullable(departing))
                .flatMap(Optional::stream);
    }

    /** Returns whether a worker should be started now. */
    boolean needsWorker() {
        return (current == null || (recycling != null && successor == null)) && System.nanoTime() - nextStartNanos >= 0;
    }

    /** Returns the worker that was lost last, if the slot is empty. Thread-safe. */
    Optional<Worker> lostWorker() {
        return Optional.ofNullable(outage).filter(known -> known.nextStart() != null)
                .map(known -> known.lost().worker());
    }

    /** Returns a note about the outage if it concerns the worker. Thread-safe. */
    Optional<String> note(String workerId) {
        return Optional.ofNullable(outage).filter(known -> known.workerId().equals(workerId)).map(workforce::describe);
    }

    /** Starts a worker in this slot. */
    Worker start() {
        ExternalWorker worker = workforce.createWorker(this,
                ++workersCreated == 1 ? number + "" : number + "." + workersCreated, latest);
        latest = worker.id();
        SlotOutage before = outage;
        outage = before == null ? null : before.withStarted(worker.id());
        if (current == null) {
            current = worker;
        } else {
            successor = worker;
        }
        try {
            RunningProcess process = workforce.launch(worker);
            worker.started(process);
            process.exit().whenComplete((exit, failure) -> exited(worker,
                    failure == null ? String.valueOf(exit) : "exit unknown: " + failure.getMessage()));
            var _ = worker.handshake(workforce.type(), settings.timing().handshake()).whenComplete(
                    (_, failure) -> workforce.supervisorThread().execute(() -> handshakeEnded(worker, failure)));
        } catch (LaunchException e) {
            String reason = String.valueOf(e.getMessage());
            faulted(worker, new WorkerFault.NotStarted(), reason);
            worker.worker().terminate(TransitionReason.ERROR);
            worker.exited(reason);
            workforce.launchFailed(e);
            workforce.remove(worker);
        }
        return worker.worker();
    }

    private void handshakeEnded(ExternalWorker worker, @Nullable Throwable failure) {
        if (failure != null) {
            faulted(worker, new WorkerFault.NotStarted(),
                    RpcConnection.explain(failure, settings.timing().handshake()));
        } else if (worker.worker().lifecycle().transitionFrom(Set.of(WorkerState.INITIALIZING), WorkerState.READY,
                TransitionReason.INIT_COMPLETE, Map.of())) {
            LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is ready", worker.id());
            if (!workforce.restarts().isLimitReached(losses.get())) {
                outage = null;
            }
            if (worker == successor) {
                replaceCurrent(worker);
            }
            workforce.notifyPool(worker);
            workforce.startMissing();
        }
    }

    private void replaceCurrent(ExternalWorker next) {
        ExternalWorker before = current;
        if (before == null) {
            return;
        }
        String reason = String.valueOf(recycling);
        current = next;
        successor = null;
        departing = before;
        recycling = null;
        before.retirementReason(reason);
        workforce.publish(new WorkerEvent.Replaced(before.id(), workforce.type(), reason, Duration.ZERO));
    }

    /** Performs the periodic checks: memory, health, recycling, departure. */
    void tick() {
        workers().toList().forEach(worker -> {
            worker.measure(settings.timing().memoryEvery());
            healthChecks.checkIfDue(worker);
            recycleIfDue(worker);
            departIfWithoutSessions(worker);
        });
    }

    /**
     * Winds down a worker that is due for recycling and starts a successor, unless an earlier one is still departing.
     */
    private void recycleIfDue(ExternalWorker worker) {
        if (recycling == null && departing == null && worker == current && IN_SERVICE.contains(state())) {
            settings.recycling().reason(worker.usage()).ifPresent(reason -> {
                LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is being {}", worker.id(), reason);
                recycling = reason;
                worker.worker().windDown();
                workforce.startMissing();
            });
        }
    }

    /**
     * Retires a replaced worker once it has no sessions, which would be lost with it. Called by the tick rather than
     * right after the replacement, because the pool may just have chosen this worker for a new session.
     */
    private void departIfWithoutSessions(ExternalWorker worker) {
        if (worker == departing && workforce.sessions(worker) == 0) {
            departing = null;
            retire(worker, worker.retirementReason());
        }
    }

    @Override
    public void jobEnded(ExternalWorker worker) {
        if (worker.worker().isRetiring()) {
            workforce.supervisorThread().execute(() -> endIfWithoutJob(worker));
        } else if (settings.recycling().reason(worker.usage()).isPresent()) {
            workforce.supervisorThread().execute(() -> recycleIfDue(worker));
        }
    }

    @Override
    public void faulted(ExternalWorker worker, WorkerFault fault, String description) {
        TransitionReason reason = switch (fault) {
            case WorkerFault.HealthCheckFailed _ -> TransitionReason.HEALTH_CHECK_FAILED;
            case WorkerFault.JobNotStopped _ -> TransitionReason.TIMEOUT;
            case WorkerFault.Exited _, WorkerFault.NotStarted _, WorkerFault.ProtocolViolated _, WorkerFault.JobFailed _, WorkerFault.Fatal _ ->
                TransitionReason.ERROR;
        };
        switch (FaultResponse.to(fault)) {
            case KEEP -> {
            }
            case DEGRADE -> degrade(worker, reason, description);
            case REPLACE -> replace(worker, reason, description, null);
            case KILL_AND_REPLACE -> replace(worker, reason, description, Duration.ZERO);
        }
    }

    private void degrade(ExternalWorker worker, TransitionReason reason, String description) {
        if (worker.worker().lifecycle().transitionFrom(IN_SERVICE, WorkerState.DEGRADED, reason,
                Map.of("why", description))) {
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} is degraded: {}", worker.id(), description);
            workforce.notifyPool(worker);
        }
        healthChecks.probeLater(worker);
    }

    /**
     * Ends a faulty worker and frees its slot.
     *
     * @param grace how long its process has before it is killed; null to request a shutdown first
     */
    private void replace(ExternalWorker worker, TransitionReason reason, String description, @Nullable Duration grace) {
        if (worker.worker().lifecycle().transitionFrom(ALIVE, WorkerState.TERMINATING, reason,
                Map.of("why", description))) {
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Replacing worker {}: {}", worker.id(), description);
            workforce.notifyPool(worker);
            if (grace == null) {
                shutDown(worker, description);
            } else {
                worker.stop(grace);
            }
            workforce.supervisorThread().execute(() -> lost(worker, description));
        }
    }

    /** Runs on any thread. */
    private void exited(ExternalWorker worker, String how) {
        boolean expected = worker.worker().lifecycle().transitionFrom(Set.of(WorkerState.TERMINATING),
                WorkerState.TERMINATED, TransitionReason.SHUTDOWN, Map.of("exit", how));
        if (!expected) {
            worker.worker().lifecycle().transition(WorkerState.TERMINATED, TransitionReason.PROCESS_EXIT,
                    Map.of("exit", how));
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} ended unexpectedly: {}", worker.id(), how);
        }
        worker.exited(how);
        workforce.supervisorThread().execute(() -> {
            if (!expected) {
                lost(worker, how);
            }
            workforce.remove(worker);
        });
    }

    /** Frees the place of a lost worker and schedules the start of the next one. */
    private void lost(ExternalWorker worker, String reason) {
        if (worker == departing) {
            departing = null;
        }
        if (worker != current && worker != successor) {
            return;
        }
        if (worker == successor) {
            successor = null;
        } else {
            current = successor;
            successor = null;
            recycling = null;
        }
        int inARow = losses.incrementAndGet();
        Duration delay = restartDelay(worker, inARow);
        nextStartNanos = System.nanoTime() + delay.toNanos();
        if (!closed) {
            if (current == null) {
                outage = new SlotOutage(worker.id(), worker, inARow, workforce.restarts().isLimitReached(inARow),
                        reason,
                        workforce.now().plus(delay));
            }
            workforce.publish(new WorkerEvent.Replaced(worker.id(), workforce.type(), reason, delay));
            LOG.atInfo().addKeyValue("worker", worker.id()).addKeyValue("losses", inARow)
                    .log("A worker to replace {} starts in {} ms", worker.id(), delay.toMillis());
            workforce.supervisorThread().schedule(delay, workforce::startMissing);
        }
    }

    /** Returns no delay for the first loss after a success, unless the worker never became ready. */
    private Duration restartDelay(ExternalWorker worker, int inARow) {
        RestartPolicy.Decision decision = workforce.crashed(inARow);
        if (inARow == 1 && worker.wasReady() && decision instanceof RestartPolicy.Decision.Restart) {
            return Duration.ZERO;
        }
        switch (decision) {
            case RestartPolicy.Decision.Restart _ -> {
            }
            case RestartPolicy.Decision.LimitReached(Duration delay) ->
                LOG.error(
                        "Slot {} of {} has reached its restart limit: it lost {} workers in a row. Check the command. "
                                + "The next start is in {} s.",
                        number, workforce.type(), inARow, delay.toSeconds());
            // The workforce holds back the other slots too.
            case RestartPolicy.Decision.Hold(Duration delay) ->
                LOG.error("Workers of {} crash too often; none is started for {} s. Check the command.",
                        workforce.type(), delay.toSeconds());
        }
        return decision.delay();
    }

    @Override
    public void succeeded(ExternalWorker worker) {
        if (losses.getAndSet(0) > 0) {
            workforce.supervisorThread().execute(() -> outage = null);
        }
        workforce.succeeded();
    }

    /** Retires all workers of this slot. None is started any more. */
    void close(String reason) {
        closed = true;
        outage = null;
        List<ExternalWorker> all = workers().toList();
        current = null;
        successor = null;
        departing = null;
        all.forEach(worker -> retire(worker, reason));
    }

    /** Ends a worker as soon as it has no job. */
    private void retire(ExternalWorker worker, String reason) {
        worker.retire(reason);
        workforce.notifyPool(worker);
        endIfWithoutJob(worker);
    }

    private void endIfWithoutJob(ExternalWorker worker) {
        if (worker.worker().lifecycle().transitionFrom(WITHOUT_JOB, WorkerState.TERMINATING, TransitionReason.SHUTDOWN,
                Map.of("why", worker.retirementReason()))) {
            workforce.notifyPool(worker);
            shutDown(worker, worker.retirementReason());
        }
    }

    /** Requests a shutdown, and stops the process if it has not ended by itself in time. */
    private void shutDown(ExternalWorker worker, String reason) {
        worker.requestShutdown(reason);
        workforce.supervisorThread().schedule(settings.timing().shutdown(), () -> worker.stop(null));
    }
}

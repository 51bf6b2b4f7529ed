package dev.heddle.external;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.heddle.process.Exit;
import dev.heddle.process.LaunchException;
import dev.heddle.process.RestartPolicy;
import dev.heddle.process.RunningProcess;
import dev.heddle.worker.Lifecycle;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place for one worker. Workers come and go; the seat remembers how often they were lost, so that a command that dies
 * at once is started ever more slowly, while the other seats go on. On the crew's thread, but for what says otherwise.
 */
final class Seat implements ExternalWorker.Guardian {

    private static final Logger LOG = LoggerFactory.getLogger(Seat.class);
    private static final Set<WorkerState> AT_WORK = Set.of(WorkerState.READY, WorkerState.BUSY);
    private static final Set<WorkerState> AT_REST = Set.of(WorkerState.INITIALIZING, WorkerState.READY,
            WorkerState.DEGRADED);
    private static final Set<WorkerState> ALIVE = Set.of(WorkerState.INITIALIZING, WorkerState.READY,
            WorkerState.BUSY, WorkerState.DEGRADED);

    private final ExternalWorkforce house;
    private final ExternalSettings settings;
    private final int number;
    private int hired;
    private @Nullable ExternalWorker current;
    /** Being started to take the place of the current one, which works on until then. */
    private @Nullable ExternalWorker successor;
    private @Nullable String recycling;
    private long startAt = System.nanoTime();
    private final AtomicInteger losses = new AtomicInteger();
    private boolean cleared;

    Seat(ExternalWorkforce house, int number) {
        this.house = house;
        this.number = number;
        this.settings = house.settings();
    }

    /** Where its worker stands; TERMINATED where it has none. */
    WorkerState state() {
        ExternalWorker worker = current;
        return worker == null ? WorkerState.TERMINATED : worker.worker().lifecycle().state();
    }

    /** Whether the worker sits here, or is to. */
    boolean has(Worker worker) {
        return Stream.of(current, successor).anyMatch(one -> one != null && one.worker() == worker);
    }

    boolean wantsWorker() {
        return (current == null || (recycling != null && successor == null))
                && System.nanoTime() - startAt >= 0;
    }

    /** Starts a worker for this seat. */
    Worker start() {
        ExternalWorker worker = house.hire(this, ++hired == 1 ? number + "" : number + "." + hired);
        if (current == null) {
            current = worker;
        } else {
            successor = worker;
        }
        try {
            RunningProcess process = house.launch(worker);
            worker.started(process);
            process.exit().thenAccept(exit -> exited(worker, exit));
            var _ = worker.shakeHands(house.type(), settings.timing().handshake())
                    .whenComplete((_, failure) -> house.crew().execute(() -> shaken(worker, failure)));
        } catch (LaunchException e) {
            String why = String.valueOf(e.getMessage());
            trouble(worker, new Trouble.NotStarted(), why);
            worker.worker().terminate(TransitionReason.ERROR);
            worker.gone(why);
            house.refused(e);
            house.gone(worker);
        }
        return worker.worker();
    }

    private void shaken(ExternalWorker worker, @Nullable Throwable failure) {
        if (failure != null) {
            trouble(worker, new Trouble.NotStarted(), words(failure, settings.timing().handshake()));
        } else if (worker.worker().lifecycle().goFrom(Set.of(WorkerState.INITIALIZING), WorkerState.READY,
                TransitionReason.INIT_COMPLETE, Map.of())) {
            LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is ready", worker.id());
            ExternalWorker before = current;
            if (worker == successor && before != null) {
                current = worker;
                successor = null;
                retire(before, String.valueOf(recycling));
                recycling = null;
            }
            house.show(worker);
            house.fill();
        }
    }

    private static String words(Throwable failure, Duration within) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        return cause instanceof TimeoutException ? "no answer within " + within.toMillis() + " ms"
                : String.valueOf(cause.getMessage());
    }

    /** Asks whether the worker is well, and whether it is time for another one. */
    void lookAfter() {
        ExternalWorker worker = current;
        if (worker == null) {
            return;
        }
        worker.measure(settings.timing().memoryEvery());
        if (state() != WorkerState.READY) {
            return;
        }
        if (worker.isDueForACheck(settings.timing().healthEvery())) {
            check(worker);
        }
        recycleIfDue(worker);
    }

    private void recycleIfDue(ExternalWorker worker) {
        // A session would be lost with its worker: one that is due goes once it has none.
        if (recycling == null && worker == current && house.sessions(worker) == 0) {
            settings.recycling().due(worker.use()).ifPresent(reason -> {
                LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is to be {}", worker.id(),
                        reason);
                recycling = reason;
                house.fill();
            });
        }
    }

    @Override
    public void rested(ExternalWorker worker) {
        if (worker.worker().isLeaving()) {
            endGently(worker);
        } else {
            recycleIfDue(worker);
        }
    }

    private void check(ExternalWorker worker) {
        if (!worker.beginCheck()) {
            return;
        }
        long asked = System.nanoTime();
        Duration within = settings.timing().healthAnswer();
        var _ = worker.ping(within).whenComplete((_, failure) -> {
            Duration took = Duration.ofNanos(System.nanoTime() - asked);
            house.tell(new WorkerEvent.HealthChecked(worker.id(), house.type(), failure == null, took));
            house.crew().execute(() -> checked(worker, failure == null ? null : words(failure, within)));
        });
    }

    private void checked(ExternalWorker worker, @Nullable String failure) {
        worker.endCheck();
        Lifecycle life = worker.worker().lifecycle();
        if (failure == null) {
            worker.isWell();
            if (life.goFrom(Set.of(WorkerState.DEGRADED), WorkerState.READY,
                    TransitionReason.HEALTH_CHECK_PASSED,
                    Map.of())) {
                LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is well again", worker.id());
                house.show(worker);
            }
        } else if (life.state() == WorkerState.READY || life.state() == WorkerState.DEGRADED) {
            trouble(worker, new Trouble.HealthCheckFailed(worker.isIll()), "health check failed: " + failure);
        }
    }

    /** On any thread. The worker takes no more work when this returns. */
    @Override
    public void trouble(ExternalWorker worker, Trouble trouble, String what) {
        TransitionReason reason = switch (trouble) {
            case Trouble.HealthCheckFailed _ -> TransitionReason.HEALTH_CHECK_FAILED;
            case Trouble.JobTimedOut _ -> TransitionReason.TIMEOUT;
            case Trouble.Exited _,Trouble.NotStarted _,Trouble.ProtocolBroken _,Trouble.JobFailed _,Trouble.Fatal _ ->
                TransitionReason.ERROR;
        };
        switch (Remedy.of(trouble).worker()) {
            case STAY -> {
            }
            case DEGRADE -> degrade(worker, reason, what);
            case REPLACE, REPLACE_LATER -> end(worker, reason, what, null);
            case KILL_AND_REPLACE -> end(worker, reason, what, Duration.ZERO);
        }
    }

    private void degrade(ExternalWorker worker, TransitionReason reason, String what) {
        if (worker.worker().lifecycle().goFrom(AT_WORK, WorkerState.DEGRADED, reason, Map.of("why", what))) {
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} is degraded: {}", worker.id(),
                    what);
            house.show(worker);
        }
        house.crew().later(settings.timing().probeAfter(), () -> {
            if (worker.worker().lifecycle().state() == WorkerState.DEGRADED) {
                check(worker);
            }
        });
    }

    /** Ends a worker that is of no more use, by force where it does not go, or at once. */
    private void end(ExternalWorker worker, TransitionReason reason, String what, @Nullable Duration grace) {
        if (worker.worker().lifecycle().goFrom(ALIVE, WorkerState.TERMINATING, reason, Map.of("why", what))) {
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} is replaced: {}", worker.id(),
                    what);
            house.show(worker);
            worker.stop(grace);
            house.crew().execute(() -> lost(worker, what));
        }
    }

    /** When the process is gone, on the thread that noticed. */
    private void exited(ExternalWorker worker, Exit exit) {
        boolean expected = worker.worker().lifecycle().goFrom(Set.of(WorkerState.TERMINATING),
                WorkerState.TERMINATED,
                TransitionReason.SHUTDOWN, Map.of("exit", exit.toString()));
        if (!expected) {
            worker.worker().lifecycle().go(WorkerState.TERMINATED, TransitionReason.PROCESS_EXIT,
                    Map.of("exit", exit.toString()));
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} ended by itself: {}", worker.id(),
                    exit);
        }
        worker.gone(exit.toString());
        house.crew().execute(() -> {
            if (!expected) {
                lost(worker, exit.toString());
            }
            house.gone(worker);
        });
    }

    /** Makes room for the next one, sooner or later. */
    private void lost(ExternalWorker worker, String why) {
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
        Duration delay = delay(worker, inARow);
        startAt = System.nanoTime() + delay.toNanos();
        if (!cleared) {
            house.tell(new WorkerEvent.Replaced(worker.id(), house.type(), why, delay));
            LOG.atInfo().addKeyValue("worker", worker.id()).addKeyValue("losses", inARow)
                    .log("Another worker takes the place of {} in {} ms", worker.id(), delay.toMillis());
            house.crew().later(delay, house::fill);
        }
    }

    /** The first one that is lost after a success is replaced at once, unless it never got ready. */
    private Duration delay(ExternalWorker worker, int inARow) {
        RestartPolicy.Remedy remedy = house.crashed(inARow);
        if (inARow == 1 && worker.wasReady() && remedy instanceof RestartPolicy.Remedy.Restart) {
            return Duration.ZERO;
        }
        switch (remedy) {
            case RestartPolicy.Remedy.Restart _ -> {
            }
            case RestartPolicy.Remedy.Replace _ -> {
                LOG.error("Workers of {} ended {} times in a row in one place; a new count begins",
                        house.type(), inARow);
                losses.set(0);
            }
            case RestartPolicy.Remedy.Hold(Duration after) -> LOG.error(
                    "Workers of {} end again and again; no other is started for {} s", house.type(),
                    after.toSeconds());
        }
        return remedy.after();
    }

    /** On any thread. */
    @Override
    public void proved(ExternalWorker worker) {
        losses.set(0);
        house.proved();
    }

    /** Nobody sits here any more. */
    void clear(String reason) {
        cleared = true;
        ExternalWorker sitting = current;
        ExternalWorker coming = successor;
        current = null;
        successor = null;
        if (sitting != null) {
            retire(sitting, reason);
        }
        if (coming != null) {
            retire(coming, reason);
        }
    }

    /** Lets a worker go once it has nothing to do. */
    private void retire(ExternalWorker worker, String reason) {
        worker.retire(reason);
        house.show(worker);
        endGently(worker);
    }

    private void endGently(ExternalWorker worker) {
        if (worker.worker().lifecycle().goFrom(AT_REST, WorkerState.TERMINATING, TransitionReason.SHUTDOWN,
                Map.of("why", worker.retirement()))) {
            house.show(worker);
            worker.tellToEnd(worker.retirement());
            house.crew().later(settings.timing().shutdown(), () -> worker.stop(null));
        }
    }
}

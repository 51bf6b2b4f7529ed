package dev.heddle.external;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.heddle.process.LaunchException;
import dev.heddle.process.RestartPolicy;
import dev.heddle.process.RunningProcess;
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
    private final Checkups checkups;
    private final int number;
    private int hired;
    private @Nullable ExternalWorker current;
    /** Being started to take the place of the current one, which works on until then. */
    private @Nullable ExternalWorker successor;
    /** Whose place is taken, and which works on until it has no session. */
    private @Nullable ExternalWorker departing;
    private @Nullable String recycling;
    private long startAt = System.nanoTime();
    private final AtomicInteger losses = new AtomicInteger();
    /** Read by whoever looks; null where all is well. */
    private volatile @Nullable Vacancy vacancy;
    private boolean cleared;

    Seat(ExternalWorkforce house, int number) {
        this.house = house;
        this.number = number;
        this.settings = house.settings();
        this.checkups = new Checkups(house, this);
    }

    /** Where its worker stands; TERMINATED where it has none. */
    WorkerState state() {
        ExternalWorker worker = current;
        return worker == null ? WorkerState.TERMINATED : worker.worker().lifecycle().state();
    }

    /** Whether the worker sits here, or is to. */
    boolean has(Worker worker) {
        return workers().anyMatch(one -> one.worker() == worker);
    }

    private Stream<ExternalWorker> workers() {
        return Stream.of(Optional.ofNullable(current), Optional.ofNullable(successor),
                Optional.ofNullable(departing)).flatMap(Optional::stream);
    }

    boolean wantsWorker() {
        return (current == null || (recycling != null && successor == null))
                && System.nanoTime() - startAt >= 0;
    }

    /** Whoever was the last here, where nobody is now. On any thread. */
    Optional<Worker> missed() {
        return Optional.ofNullable(vacancy).filter(empty -> empty.startAt() != null)
                .map(empty -> empty.worker().worker());
    }

    /** What there is to say of a worker that was lost here, or that starts where others were. On any thread. */
    Optional<String> note(String worker) {
        return Optional.ofNullable(vacancy).filter(known -> known.about().equals(worker)).map(house::words);
    }

    /** Starts a worker for this seat. */
    Worker start() {
        ExternalWorker worker = house.hire(this, ++hired == 1 ? number + "" : number + "." + hired);
        Vacancy before = vacancy;
        vacancy = before == null ? null : before.taken(worker.id());
        if (current == null) {
            current = worker;
        } else {
            successor = worker;
        }
        try {
            RunningProcess process = house.launch(worker);
            worker.started(process);
            process.exit().whenComplete((exit, failure) -> exited(worker, failure == null
                    ? String.valueOf(exit)
                    : "it is not known how: " + failure.getMessage()));
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
            trouble(worker, new Trouble.NotStarted(),
                    Conversation.words(failure, settings.timing().handshake()));
        } else if (worker.worker().lifecycle().goFrom(Set.of(WorkerState.INITIALIZING), WorkerState.READY,
                TransitionReason.INIT_COMPLETE, Map.of())) {
            LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is ready", worker.id());
            vacancy = null;
            ExternalWorker before = current;
            if (worker == successor && before != null) {
                String reason = String.valueOf(recycling);
                current = worker;
                successor = null;
                departing = before;
                recycling = null;
                before.retirement(reason);
                house.tell(new WorkerEvent.Replaced(before.id(), house.type(), reason, Duration.ZERO));
            }
            house.show(worker);
            house.fill();
        }
    }

    /** Asks whether the workers here are well, and whether it is time for another one. */
    void lookAfter() {
        workers().toList().forEach(worker -> {
            worker.measure(settings.timing().memoryEvery());
            checkups.checkIfDue(worker);
            recycleIfDue(worker);
            departIfFree(worker);
        });
    }

    /** One that is due gets no more sessions, and somebody to take its place; that one waits for it to depart. */
    private void recycleIfDue(ExternalWorker worker) {
        if (recycling == null && departing == null && worker == current && AT_WORK.contains(state())) {
            settings.recycling().due(worker.use()).ifPresent(reason -> {
                LOG.atInfo().addKeyValue("worker", worker.id()).log("Worker {} is to be {}", worker.id(),
                        reason);
                recycling = reason;
                worker.worker().windDown();
                house.fill();
            });
        }
    }

    /**
     * A session would be lost with its worker, so it stays while it has one. Looked at some time after the other one came,
     * since whoever chose a worker for a new session just before may have chosen this one.
     */
    private void departIfFree(ExternalWorker worker) {
        if (worker == departing && house.sessions(worker) == 0) {
            departing = null;
            retire(worker, worker.retirement());
        }
    }

    /** On the worker's own thread. */
    @Override
    public void rested(ExternalWorker worker) {
        if (worker.worker().isLeaving()) {
            house.crew().execute(() -> endGently(worker));
        } else if (settings.recycling().due(worker.use()).isPresent()) {
            house.crew().execute(() -> recycleIfDue(worker));
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
        checkups.probeLater(worker);
    }

    /** Ends a worker that is of no more use: it is told to, or it has this long before it is killed. */
    private void end(ExternalWorker worker, TransitionReason reason, String what, @Nullable Duration grace) {
        if (worker.worker().lifecycle().goFrom(ALIVE, WorkerState.TERMINATING, reason, Map.of("why", what))) {
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} is replaced: {}", worker.id(),
                    what);
            house.show(worker);
            if (grace == null) {
                tellToEnd(worker, what);
            } else {
                worker.stop(grace);
            }
            house.crew().execute(() -> lost(worker, what));
        }
    }

    /** When the process is gone, on the thread that noticed. */
    private void exited(ExternalWorker worker, String how) {
        boolean expected = worker.worker().lifecycle().goFrom(Set.of(WorkerState.TERMINATING),
                WorkerState.TERMINATED,
                TransitionReason.SHUTDOWN, Map.of("exit", how));
        if (!expected) {
            worker.worker().lifecycle().go(WorkerState.TERMINATED, TransitionReason.PROCESS_EXIT,
                    Map.of("exit", how));
            LOG.atWarn().addKeyValue("worker", worker.id()).log("Worker {} ended by itself: {}", worker.id(),
                    how);
        }
        worker.gone(how);
        house.crew().execute(() -> {
            if (!expected) {
                lost(worker, how);
            }
            house.gone(worker);
        });
    }

    /** Makes room for the next one, sooner or later. */
    private void lost(ExternalWorker worker, String why) {
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
        Duration delay = delay(worker, inARow);
        startAt = System.nanoTime() + delay.toNanos();
        if (!cleared) {
            if (current == null) {
                vacancy = new Vacancy(worker.id(), worker, inARow, why, house.now().plus(delay));
            }
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
            // The house starts none either, in no place.
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
        vacancy = null;
        List<ExternalWorker> all = workers().toList();
        current = null;
        successor = null;
        departing = null;
        all.forEach(worker -> retire(worker, reason));
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
            tellToEnd(worker, worker.retirement());
        }
    }

    /** Lets it end by itself; where it does not, its process is stopped. */
    private void tellToEnd(ExternalWorker worker, String reason) {
        worker.tellToEnd(reason);
        house.crew().later(settings.timing().shutdown(), () -> worker.stop(null));
    }
}

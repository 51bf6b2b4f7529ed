package dev.heddle.external;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.process.CrashWindow;
import dev.heddle.process.LaunchException;
import dev.heddle.process.RestartPolicy;
import dev.heddle.process.RunningProcess;
import dev.heddle.worker.Floor;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerState;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The external workers of one job type: started ahead of need, a few at a time, and each {@link Seat} filled again when
 * its worker is lost.
 *
 * <p>All looking after happens on one thread, the {@link Crew}'s, so that nothing here needs a lock. What must be seen at
 * once by whoever gives out jobs is a worker's state, and that changes on the thread where the trouble is.
 */
final class ExternalWorkforce implements Workforce {

    private static final Set<WorkerState> AT_REST = Set.of(WorkerState.INITIALIZING, WorkerState.READY,
            WorkerState.DEGRADED, WorkerState.TERMINATED);

    private static final RestartPolicy RESTARTS = RestartPolicy.standard();

    private final String type;
    private final ExternalSettings settings;
    private final Launcher launcher;
    private final InstantSource clock = InstantSource.system();
    private final Map<String, ExternalWorker> workers = new ConcurrentHashMap<>();
    /** Changed by the crew alone. */
    private final List<Seat> seats = new CopyOnWriteArrayList<>();
    private final Crew crew;
    private @Nullable Floor floor;
    private String prefix = "";
    private volatile CrashWindow window = CrashWindow.empty(RESTARTS.storm());
    /** Nothing is started before; null where nothing speaks against it. */
    private volatile @Nullable Instant holdUntil;
    private int made;
    private @Nullable LaunchException refusal;
    private volatile boolean closing;

    ExternalWorkforce(String type, ExternalSettings settings, Launcher launcher) {
        this.type = type;
        this.settings = settings;
        this.launcher = launcher;
        this.crew = new Crew(type);
    }

    @Override
    public void open(Floor newFloor, String idPrefix, int count) {
        floor = newFloor;
        prefix = idPrefix;
        // What cannot work at all, such as a command that does not exist, is said to whoever opens the pool.
        var _ = crew.await(() -> {
            resizeNow(count);
            LaunchException hopeless = refusal;
            if (hopeless != null && !hopeless.kind().isTransient()) {
                resizeNow(0);
                throw hopeless.ofType(type);
            }
            return workers.size();
        });
        crew.every(settings.timing().tick(), this::tick);
    }

    @Override
    public void resize(int count) {
        crew.execute(() -> resizeNow(count));
    }

    @Override
    public List<Worker> missed() {
        return seats.stream().map(Seat::missed).flatMap(Optional::stream).toList();
    }

    @Override
    public Worker grow() {
        return crew.await(() -> {
            Seat seat = new Seat(this, ++made);
            seats.add(seat);
            return seat.start();
        });
    }

    @Override
    public void dismiss(Worker worker) {
        crew.execute(() -> {
            // One that was replaced in this moment goes anyway; then it is another seat that is one too many.
            seats.stream().filter(seat -> seat.has(worker)).findFirst().ifPresentOrElse(seat -> {
                seats.remove(seat);
                seat.clear("stopped by hand");
            }, () -> resizeNow(seats.size() - 1));
        });
    }

    @Override
    public void rested(Worker worker) {
        find(worker.id()).ifPresent(ExternalWorker::rested);
    }

    @Override
    public void abandon(Worker worker) {
        find(worker.id()).ifPresent(lost -> lost.isStuck("its job was given up"));
    }

    @Override
    public void close() {
        closing = true;
        crew.execute(() -> {
            resizeNow(0);
            goHomeIfEmpty();
        });
    }

    private Optional<ExternalWorker> find(String id) {
        return Optional.ofNullable(workers.get(id));
    }

    /** Runs a job on the worker that the pool chose for it. */
    JsonNode execute(JsonNode payload, JobContext job) {
        return find(job.worker()).orElseThrow(() -> JobException.transientFailure(
                "WorkerLost: worker " + job.worker() + " ended before it got the job"))
                .execute(payload, job, type);
    }

    private void resizeNow(int count) {
        while (seats.size() < count) {
            seats.add(new Seat(this, ++made));
        }
        // Those whose worker rests go first.
        for (Set<WorkerState> states : List.of(AT_REST, Set.of(WorkerState.values()))) {
            for (Seat seat : List.copyOf(seats)) {
                if (seats.size() > count && states.contains(seat.state())) {
                    seats.remove(seat);
                    seat.clear(closing ? "closing" : "fewer workers are wanted");
                }
            }
        }
        fill();
    }

    /** Starts what is missing, as far as it may start at once, and nothing while all that is started ends. */
    void fill() {
        Instant heldBack = holdUntil;
        if (heldBack != null && clock.instant().isBefore(heldBack)) {
            return;
        }
        long starting = workers.values().stream()
                .filter(worker -> worker.worker().lifecycle().state() == WorkerState.INITIALIZING).count();
        for (Seat seat : seats) {
            if (starting < settings.startUps() && seat.wantsWorker()) {
                seat.start();
                starting++;
            }
        }
    }

    private void tick() {
        seats.forEach(seat -> crew.guarded(seat::lookAfter).run());
        fill();
    }

    private void goHomeIfEmpty() {
        if (closing && workers.isEmpty()) {
            crew.goHome();
        }
    }

    // What a seat needs.

    ExternalSettings settings() {
        return settings;
    }

    Crew crew() {
        return crew;
    }

    String type() {
        return type;
    }

    boolean isClosing() {
        return closing;
    }

    /**
     * A worker without a process yet.
     *
     * @param name the seat's number, and where it is not the first there, which one it is: no id is used twice
     */
    ExternalWorker hire(ExternalWorker.Guardian guardian, String name) {
        String id = prefix + name;
        Worker worker = new Worker(id, type, clock, () -> facts(id),
                change -> tell(new WorkerEvent.Changed(id, type, change)));
        ExternalWorker hired = new ExternalWorker(worker, guardian);
        workers.put(id, hired);
        show(hired);
        return hired;
    }

    private Map<String, String> facts(String id) {
        Map<String, String> facts = new TreeMap<>(find(id).map(ExternalWorker::facts).orElse(Map.of()));
        seats.stream().map(seat -> seat.note(id)).flatMap(Optional::stream)
                .forEach(note -> facts.put("note", note));
        return facts;
    }

    Instant now() {
        return clock.instant();
    }

    /** What there is to say of a place where workers were lost. On any thread. */
    String words(Vacancy vacancy) {
        return vacancy.note(clock.instant(), holdUntil);
    }

    /** Starts the process of a worker. */
    RunningProcess launch(ExternalWorker worker) {
        return launcher.launch(worker, settings);
    }

    /** Decides about a loss, the latest of so many in a row in one place. */
    synchronized RestartPolicy.Remedy crashed(int inARow) {
        Instant now = clock.instant();
        window = window.crashed(now);
        RestartPolicy.Remedy remedy = RESTARTS.remedy(inARow, window.isStorm());
        if (remedy instanceof RestartPolicy.Remedy.Hold(Duration after)) {
            holdUntil = now.plus(after);
        }
        return remedy;
    }

    /** Something works. On any thread. */
    void proved() {
        if (!window.crashes().isEmpty()) {
            synchronized (this) {
                window = window.succeeded();
                holdUntil = null;
            }
        }
    }

    /** How many sessions a worker has. */
    int sessions(ExternalWorker worker) {
        Floor known = floor;
        return known == null ? 0 : known.sessions(worker.worker());
    }

    @Override
    public void sessionEnded(Worker worker, String session, String reason) {
        find(worker.id()).ifPresent(one -> one.endSession(session, reason));
    }

    /** A process could not be started. */
    void refused(LaunchException why) {
        refusal = why;
    }

    /** Its process is gone. */
    void gone(ExternalWorker worker) {
        workers.remove(worker.id());
        show(worker);
        goHomeIfEmpty();
    }

    /** Lets the pool see that a worker's state has changed. */
    void show(ExternalWorker worker) {
        Floor shown = floor;
        if (shown != null) {
            shown.changed(worker.worker());
        }
    }

    void tell(WorkerEvent event) {
        Floor told = floor;
        if (told != null) {
            told.tell(event);
        }
    }
}

package dev.heddle.external;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.env.Environment;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.process.LaunchException;
import dev.heddle.process.RunningProcess;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerState;
import dev.heddle.worker.Workforce;
import dev.heddle.worker.WorkforceListener;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The external workers of one job type. They are started ahead of need, a few at a time, and each {@link WorkerSlot} is
 * filled again if its worker is lost.
 *
 * <p>All supervision runs on the {@link SupervisorThread}, so it needs no locks. Only the state of a worker changes on
 * the thread that notices a fault, because the pool must see it at once.
 */
final class ExternalWorkforce implements Workforce {

    private static final Set<WorkerState> WITHOUT_JOB = Set.of(WorkerState.INITIALIZING, WorkerState.READY,
            WorkerState.DEGRADED, WorkerState.TERMINATED);

    private final String type;
    private final ExternalSettings settings;
    private final RestartPolicy restarts;
    private final WorkerLauncher launcher;
    private final Environment env = Environment.system();
    private final Map<String, ExternalWorker> workers = new ConcurrentHashMap<>();
    /** Changed on the supervisor thread only. */
    private final List<WorkerSlot> slots = new CopyOnWriteArrayList<>();
    private final SupervisorThread supervisorThread;
    private @Nullable WorkforceListener pool;
    private String prefix = "";
    private volatile CrashWindow crashes;
    /** The {@link #now} until which no worker is started after too many crashes; null if there is no such time. */
    private volatile @Nullable Duration holdUntil;
    private int slotsCreated;
    private @Nullable LaunchException lastLaunchFailure;
    private volatile boolean closing;

    ExternalWorkforce(String type, ExternalSettings settings, RestartPolicy restarts, WorkerLauncher launcher) {
        this.type = type;
        this.settings = settings;
        this.restarts = restarts;
        this.crashes = CrashWindow.empty(restarts.storm());
        this.launcher = launcher;
        this.supervisorThread = new SupervisorThread(type);
    }

    @Override
    public void open(WorkforceListener listener, String idPrefix, int count) {
        pool = listener;
        prefix = idPrefix;
        // A permanent failure, such as a command that does not exist, is thrown to the caller that opens the pool.
        var _ = supervisorThread.call(() -> {
            resizeNow(count);
            LaunchException failure = lastLaunchFailure;
            if (failure != null && !failure.kind().isTransient()) {
                resizeNow(0);
                throw failure.ofType(type);
            }
            return workers.size();
        });
        supervisorThread.scheduleEvery(settings.timing().tick(), this::tick);
    }

    @Override
    public void resize(int count) {
        supervisorThread.execute(() -> resizeNow(count));
    }

    @Override
    public List<Worker> awaitingReplacement() {
        return slots.stream().map(WorkerSlot::lostWorker).flatMap(Optional::stream).toList();
    }

    @Override
    public Worker addWorker() {
        return supervisorThread.call(() -> addSlot().start());
    }

    private WorkerSlot addSlot() {
        WorkerSlot slot = new WorkerSlot(this, ++slotsCreated);
        slots.add(slot);
        return slot;
    }

    @Override
    public void removeWorker(Worker worker) {
        supervisorThread.execute(() -> {
            // If the worker has just been replaced, it ends anyway, and another slot is one too many.
            slots.stream().filter(slot -> slot.has(worker)).findFirst()
                    .ifPresentOrElse(slot -> removeSlot(slot, "stopped by hand"), () -> resizeNow(slots.size() - 1));
        });
    }

    private void removeSlot(WorkerSlot slot, String reason) {
        slots.remove(slot);
        slot.close(reason);
    }

    @Override
    public void jobEnded(Worker worker) {
        find(worker.id()).ifPresent(ExternalWorker::jobEnded);
    }

    @Override
    public void abandon(Worker worker) {
        find(worker.id()).ifPresent(stuck -> stuck.abandon("its job was abandoned"));
    }

    @Override
    public void sessionEnded(Worker worker, String session, String reason) {
        find(worker.id()).ifPresent(one -> one.endSession(session, reason));
    }

    @Override
    public void close() {
        closing = true;
        supervisorThread.execute(() -> {
            resizeNow(0);
            shutDownIfEmpty();
        });
    }

    private Optional<ExternalWorker> find(String id) {
        return Optional.ofNullable(workers.get(id));
    }

    /** Runs a job on the worker that the pool chose for it. */
    JsonNode execute(JsonNode payload, JobContext job) {
        return find(job.worker())
                .orElseThrow(() -> JobException
                        .transientFailure("WorkerLost: worker " + job.worker() + " ended before it got the job"))
                .execute(payload, job, type);
    }

    private void resizeNow(int count) {
        while (slots.size() < count) {
            addSlot();
        }
        // Slots whose worker has no job go first.
        for (Set<WorkerState> states : List.of(WITHOUT_JOB, Set.of(WorkerState.values()))) {
            for (WorkerSlot slot : List.copyOf(slots)) {
                if (slots.size() > count && states.contains(slot.state())) {
                    removeSlot(slot, closing ? "closing" : "the number of workers was reduced");
                }
            }
        }
        startMissing();
    }

    /** Starts workers in empty slots, at most the configured number at once, and none after too many crashes. */
    void startMissing() {
        Duration hold = holdUntil;
        if (hold != null && now().compareTo(hold) < 0) {
            return;
        }
        long starting = workers.values().stream()
                .filter(worker -> worker.worker().lifecycle().state() == WorkerState.INITIALIZING).count();
        for (WorkerSlot slot : slots) {
            if (starting < settings.startUps() && slot.needsWorker()) {
                slot.start();
                starting++;
            }
        }
    }

    private void tick() {
        slots.forEach(slot -> supervisorThread.guarded(slot::tick).run());
        startMissing();
    }

    private void shutDownIfEmpty() {
        if (closing && workers.isEmpty()) {
            supervisorThread.shutDown();
        }
    }

    // The methods below are for the slots.

    ExternalSettings settings() {
        return settings;
    }

    SupervisorThread supervisorThread() {
        return supervisorThread;
    }

    String type() {
        return type;
    }

    /**
     * Creates a worker that has no process yet.
     *
     * @param name the number of the slot, and from the second worker on its number within the slot; no id is used twice
     * @param replaces the id of the worker before it in the slot; null if it is the first
     */
    ExternalWorker createWorker(ExternalWorker.Supervisor supervisor, String name, @Nullable String replaces) {
        String id = prefix + name;
        Worker worker = new Worker(id, type, env.clock(), () -> facts(id, replaces),
                change -> publish(new WorkerEvent.Changed(id, type, change)));
        ExternalWorker created = new ExternalWorker(worker, supervisor);
        workers.put(id, created);
        notifyPool(created);
        return created;
    }

    private Map<String, String> facts(String id, @Nullable String replaces) {
        Map<String, String> facts = new TreeMap<>(find(id).map(ExternalWorker::facts).orElse(Map.of()));
        if (replaces != null) {
            facts.put("replaces", replaces);
        }
        slots.stream().map(slot -> slot.note(id)).flatMap(Optional::stream).forEach(note -> facts.put("note", note));
        return facts;
    }

    RestartPolicy restarts() {
        return restarts;
    }

    /** Returns an {@link Environment#elapsed} time: nobody can set that clock. */
    Duration now() {
        return env.elapsed();
    }

    /** Describes an outage. Thread-safe. */
    String describe(SlotOutage outage) {
        return outage.describe(now(), holdUntil);
    }

    RunningProcess launch(ExternalWorker worker) {
        return launcher.launch(worker, settings);
    }

    /** Counts a lost worker, and decides when the next one starts in its slot. */
    synchronized RestartPolicy.Decision crashed(int inARow) {
        Duration now = now();
        crashes = crashes.crashed(now);
        RestartPolicy.Decision decision = restarts.decide(inARow, crashes.isStorm());
        if (decision instanceof RestartPolicy.Decision.Hold(Duration delay)) {
            holdUntil = now.plus(delay);
        }
        return decision;
    }

    /** Forgets all crashes, because a worker has answered a job. Thread-safe. */
    void succeeded() {
        if (!crashes.crashes().isEmpty()) {
            synchronized (this) {
                crashes = crashes.succeeded();
                holdUntil = null;
            }
        }
    }

    /** Returns how many sessions a worker has. */
    int sessions(ExternalWorker worker) {
        WorkforceListener listener = pool;
        return listener == null ? 0 : listener.sessionCount(worker.worker());
    }

    void launchFailed(LaunchException failure) {
        lastLaunchFailure = failure;
    }

    /** Removes a worker whose process has ended. */
    void remove(ExternalWorker worker) {
        workers.remove(worker.id());
        notifyPool(worker);
        shutDownIfEmpty();
    }

    /** Tells the pool that the state of a worker has changed. */
    void notifyPool(ExternalWorker worker) {
        WorkforceListener listener = pool;
        if (listener != null) {
            listener.workerChanged(worker.worker());
        }
    }

    /** Passes an event on to the observers of the pool. */
    void publish(WorkerEvent event) {
        WorkforceListener listener = pool;
        if (listener != null) {
            listener.publish(event);
        }
    }
}

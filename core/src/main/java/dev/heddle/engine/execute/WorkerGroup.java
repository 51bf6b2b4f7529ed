package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.engine.dispatch.ClaimTarget;
import dev.heddle.engine.session.SessionQueues;
import dev.heddle.engine.session.SessionTable;
import dev.heddle.engine.session.SessionWorkers;
import dev.heddle.engine.support.UserCode;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.env.Environment;
import dev.heddle.job.JobException;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.Workforce;
import dev.heddle.worker.WorkforceListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one group and the claims that wait for them. A worker that ends a job takes the next claim itself,
 * on its own thread. If there is none, it becomes idle and its thread ends. The {@link Workforce} decides where
 * workers come from and when they go.
 */
public final class WorkerGroup implements WorkforceListener, ClaimTarget, SessionWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);

    private final Settings settings;
    private final ExecutorService threads;
    private final ClaimRunner handler;
    private final Listener listener;
    private final @Nullable SessionQueues sessions;
    private final WorkerRoster roster;
    private final PastWorkers past = new PastWorkers();

    /**
     * How a group works.
     *
     * @param virtual whether its handlers run on virtual threads
     * @param ahead whether jobs may be claimed beyond the free workers
     * @param sessions knows which worker has which session; null if jobs of this group have none
     */
    public record Settings(String name, Workforce workforce, boolean virtual, boolean ahead,
            @Nullable SessionTable sessions) {}

    /** Runs claims, or returns them to the store. */
    public interface ClaimRunner {
        /** Runs a claim on a worker; returns whether the worker's thread may take another one. */
        boolean run(Worker worker, Claim claim);

        /** Releases a claim that no worker here can run now. */
        default void release(Claim claim, String reason) {
            release(claim, reason, () -> {});
        }

        /** Releases a claim, then runs the action before this node claims again. */
        void release(Claim claim, String reason, Runnable then);

        /** Fails a claim without having started it. */
        void fail(Claim claim, JobException cause);
    }

    /** Hears of changes in the group. */
    public interface Listener {
        /** Called when a worker has ended its job and has no other. */
        void workerFreed();

        /** Called when a worker can take jobs that could not before. */
        void workerJoined();

        /** Publishes an event of a worker. */
        void publish(WorkerEvent event);
    }

    /** Creates a group without workers. */
    public WorkerGroup(Settings settings, ClaimRunner handler, Listener listener, StartControl starts,
            Environment env) {
        this.roster = new WorkerRoster(env, starts);
        this.settings = settings;
        this.handler = handler;
        this.listener = listener;
        SessionTable table = settings.sessions();
        this.sessions = table == null ? null : new SessionQueues(this, roster, table);
        this.threads = env.threadPool("heddle-" + settings.name() + "-", settings.virtual());
    }

    /**
     * Starts the workers.
     *
     * @param node the id of the node, with which the ids of its workers begin
     */
    public void open(String node, int count) {
        roster.setTarget(count);
        settings.workforce().open(this, node + "/" + settings.name() + "-", count);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public int maxAhead(int nodeLimit) {
        if (settings.ahead()) {
            return nodeLimit;
        }
        // Without a worker to run them, claims would only be released again.
        if (sessions == null || roster.eligible().isEmpty()) {
            return 0;
        }
        // Jobs with sessions wait for their own worker, so the group must claim past them to find jobs for the
        // others.
        return sessions.areInUse() ? SessionQueues.MAX_WAITING : Math.min(nodeLimit, SessionQueues.MAX_WAITING);
    }

    /** Changes the number of workers: grows at once, shrinks as workers become idle. */
    public void resize(int count) {
        roster.setTarget(count);
        settings.workforce().resize(count);
    }

    @Override
    public void workerChanged(Worker worker) {
        boolean live = worker.lifecycle().state().isLive();
        if (!live && sessions != null) {
            // Before the worker counts as gone: closing waits for that, and then closes the store.
            sessions.workerLost(worker.id());
        }
        WorkerRoster.Update update = roster.update(worker, live);
        if (!live) {
            past.add(worker);
        }
        if (update.joined()) {
            listener.workerJoined();
        }
        if (sessions != null) {
            update.orphans().forEach(sessions::orphaned);
        }
        startIdle();
        releaseSurplus();
    }

    /** Adds one worker. */
    public Worker grow() {
        roster.incrementTarget();
        return settings.workforce().addWorker();
    }

    /** Removes a worker once its job has ended; returns whether there is such a worker. */
    public boolean shrink(String workerId) {
        boolean known = roster.find(workerId) != null;
        roster.dismiss(workerId, name()).ifPresent(settings.workforce()::removeWorker);
        return known;
    }

    @Override
    public int sessionCount(Worker worker) {
        return sessions == null ? 0 : sessions.sessionCount(worker.id());
    }

    @Override
    public void publish(WorkerEvent event) {
        listener.publish(event);
    }

    @Override
    public void offer(List<Claim> claims) {
        if (sessions == null) {
            roster.add(claims);
        } else {
            sessions.offer(claims, false);
        }
        startIdle();
        releaseSurplus();
    }

    @Override
    public void startRefused() {
        startIdle();
        releaseSurplus();
    }

    @Override
    public void offerParked(List<Claim> claims) {
        if (sessions != null) {
            sessions.offer(claims, true);
        }
        startIdle();
        releaseSurplus();
    }

    /**
     * Releases claims whose workers have become unhealthy. With sessions, claims may wait as long as a worker is
     * eligible.
     */
    private void releaseSurplus() {
        if (!settings.ahead() && (sessions == null || roster.eligible().isEmpty())) {
            roster.removeSurplus().forEach(claim -> handler.release(claim, "no worker is ready"));
        }
    }

    /** Releases matching claims that no worker has taken yet. */
    public void releaseWaiting(Predicate<Claim> which, String reason) {
        roster.remove(which).forEach(claim -> handler.release(claim, reason));
    }

    /** Returns the queues of jobs with sessions; empty if jobs of this group have none. */
    public Optional<SessionQueues> sessions() {
        return Optional.ofNullable(sessions);
    }

    @Override
    public Optional<SessionQueues> parked() {
        return sessions();
    }

    @Override
    public void release(Claim claim, String reason, Runnable then) {
        handler.release(claim, reason, then);
    }

    @Override
    public void sessionEnded(Worker worker, String session, String reason) {
        callWorkforce(workforce -> workforce.sessionEnded(worker, session, reason));
    }

    @Override
    public void fail(Claim claim, JobException cause) {
        execute(claim, () -> handler.fail(claim, cause));
    }

    /** Runs a task on a thread of the group. Releases the claim and returns false if the group is closed. */
    private boolean execute(Claim claim, Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("The group is closed; releasing job {}", claim.job().id(), e);
            handler.release(claim, "closing");
            return false;
        }
    }

    private void startIdle() {
        for (WorkerRoster.Assignment assignment = roster.assign(); assignment != null; assignment = roster.assign()) {
            Worker worker = assignment.worker();
            Claim claim = assignment.claim();
            if (!execute(claim, () -> loop(worker, claim))) {
                next(worker, claim);
            }
        }
    }

    private void loop(Worker worker, Claim first) {
        for (Claim claim = first; claim != null; claim = next(worker, claim)) {
            if (!run(worker, claim)) {
                return;
            }
        }
    }

    private boolean run(Worker worker, Claim claim) {
        if (sessions == null) {
            return handler.run(worker, claim);
        }
        sessions.jobStarted(claim.job());
        try {
            return handler.run(worker, claim);
        } finally {
            sessions.jobEnded(claim.job());
        }
    }

    private @Nullable Claim next(Worker worker, Claim ended) {
        // A worker that became unhealthy during its job and recovered may have another job by now.
        boolean stillAssigned = worker.checkIn(ended.job().id());
        if (stillAssigned) {
            callWorkforce(workforce -> workforce.jobEnded(worker));
        }
        Claim next = roster.next(worker, stillAssigned);
        if (next == null && stillAssigned) {
            listener.workerFreed();
        }
        return next;
    }

    /** Replaces a worker whose handler does not return. */
    public void replace(Worker lost) {
        roster.workerLost();
        callWorkforce(workforce -> workforce.abandon(lost));
    }

    @Override
    public int freeLessWaiting() {
        return roster.free();
    }

    /** Waits until a worker is free; returns whether one was in time. */
    public boolean awaitFree(Duration timeout) throws InterruptedException {
        return roster.awaitFree(timeout);
    }

    /** Waits until all workers are idle; returns whether they were in time. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        return roster.awaitIdle(timeout);
    }

    /** Returns how many workers there are, including unhealthy ones. */
    public int size() {
        return roster.all().size();
    }

    /** Returns how many workers run a job. */
    public int active() {
        return roster.active();
    }

    /** Returns all workers as they are now. */
    public List<WorkerSnapshot> snapshots() {
        return visible().map(Worker::snapshot).map(one -> sessions == null ? one : sessions.describe(one)).toList();
    }

    /** Returns the last workers that are gone and not {@linkplain #snapshots() visible} any more, newest first. */
    public List<WorkerSnapshot> pastSnapshots() {
        List<Worker> visible = visible().toList();
        return past.newestFirst().stream().filter(worker -> !visible.contains(worker)).map(Worker::snapshot).toList();
    }

    /** Returns the state changes of a worker, newest first. */
    public List<StateChange> history(String workerId) {
        return Stream.concat(visible(), past.newestFirst().stream()).filter(worker -> worker.id().equals(workerId))
                .findFirst()
                .map(worker -> worker.lifecycle().history()).orElse(List.of());
    }

    /** Includes workers that could not start, because people need to see them. */
    private Stream<Worker> visible() {
        return Stream.concat(roster.all().stream(), settings.workforce().awaitingReplacement().stream()).distinct();
    }

    /** Removes a claim that no worker has taken yet. */
    Optional<Claim> removeWaiting(Fence fence) {
        return roster.remove(fence);
    }

    /** Removes all claims that no worker has taken yet. */
    List<Claim> removeWaiting() {
        return roster.removeAll();
    }

    /** Waits after {@link #close()} until all workers are gone, {@code enough} is true, or the time is over. */
    public void awaitEmpty(Duration timeout, BooleanSupplier enough) {
        try {
            roster.awaitEmpty(timeout, enough);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes {@link #awaitEmpty} check its condition again. */
    public void recheck() {
        roster.recheck();
    }

    /** Starts no more claims. Claims that wait stay until they are removed. */
    public void close() {
        roster.close();
        threads.shutdown();
        callWorkforce(Workforce::close);
    }

    /** Calls the workforce, which may be the application's own; whatever it throws must not stop this group. */
    private void callWorkforce(Consumer<Workforce> call) {
        UserCode.run(() -> call.accept(settings.workforce()),
                e -> LOG.error("The workforce of group {} failed; the group goes on", name(), e));
    }
}

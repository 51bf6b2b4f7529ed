package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import dev.heddle.engine.Node;
import dev.heddle.engine.execute.StoredChildren;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.support.CommandResults;
import dev.heddle.event.EventSource;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Limits;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.limit.LimitUsage;
import dev.heddle.log.LogPage;
import dev.heddle.log.LogQuery;
import dev.heddle.log.LogReader;
import dev.heddle.stats.ErrorGroup;
import dev.heddle.stats.ErrorStore;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsStore;
import dev.heddle.stats.StatsWindow;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.waiting.Explainer;
import dev.heddle.waiting.JobExplanation;
import dev.heddle.waiting.NodeStatus;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The commands and questions of an administrator: jobs, queues, dead letters, workers, nodes and sessions.
 * {@link Pool#admin()} returns it. Safe for use by many threads.
 */
public final class PoolAdmin implements JobReader {

    private final Node node;
    private final Store store;

    PoolAdmin(Node node, Store store) {
        this.node = node;
        this.store = store;
    }

    // Jobs

    @Override
    public Optional<Job> find(JobId id) {
        return store.find(requireNonNull(id, "id"));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return store.list(requireNonNull(query, "query"));
    }

    @Override
    public long count(JobQuery query) {
        return store.count(requireNonNull(query, "query"));
    }

    @Override
    public Optional<JobDetails> details(JobId id) {
        return store.details(requireNonNull(id, "id"));
    }

    @Override
    public Map<Long, Instant> firstFailures(List<Long> seqs) {
        return store.firstFailures(requireNonNull(seqs, "seqs"));
    }

    @Override
    public JobCounts countJobs() {
        return store.countJobs();
    }

    /** Returns the same as {@link Pool#stats}, from counts that were read already. */
    public PoolStats stats(JobCounts counts) {
        return node.stats(counts.in(JobState.QUEUED));
    }

    /**
     * Returns the children of a job and their results so far, read as they are asked for; none if there is no such job.
     */
    public Children children(JobId id) {
        return new StoredChildren(store, Supplier::get, requireNonNull(id, "id"), node.codec());
    }

    /**
     * Returns a page of the log of a job: what its handler logged and its processes wrote, on any node, and what happened
     * to it. Lines appear about a second after they were written.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws IllegalArgumentException if the cursor of the query is not one that a page returned
     */
    public LogPage logs(JobId id, LogQuery query) {
        return new LogReader(this, node.clock()).read(requireNonNull(id, "id"), requireNonNull(query, "query"))
                .orElseThrow(() -> new NoSuchJobException(id));
    }

    /**
     * Cancels a job that has not ended, with its children. A running handler is told by its token; its result is
     * ignored.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job has ended
     */
    public void cancel(JobId id, String reason) {
        CommandResults.require("cancel", id, execute(new AdminCommand.Cancel(requireNonNull(id, "id"),
                Limits.reason(reason), node.id(), node.now())));
    }

    /**
     * Holds back a job that waits to run.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job runs or has ended
     */
    public void pause(JobId id, String reason) {
        CommandResults.require("pause", id, execute(new AdminCommand.Pause(requireNonNull(id, "id"),
                Limits.reason(reason), node.id(), node.now())));
    }

    /**
     * Lets a paused job run again.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job is not paused
     */
    public void resume(JobId id) {
        CommandResults.require("resume", id,
                execute(new AdminCommand.Resume(requireNonNull(id, "id"), node.id(), node.now())));
    }

    /**
     * Lets a waiting job run as soon as a worker is free: one that is delayed, that waits for a retry, or that is
     * paused. Does nothing if the job waits only for a worker.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job runs, waits for other jobs, or has ended
     */
    public void runNow(JobId id) {
        reschedule("run", id, new Start.AtOnce());
    }

    /**
     * Lets a waiting job run after a delay, instead of when it was to run before. A paused job stays paused; the delay
     * then goes by while it is.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job runs, waits for other jobs, or has ended
     */
    public void reschedule(JobId id, Duration delay) {
        reschedule("reschedule", id, new Start.After(Limits.notNegative("delay", delay)));
    }

    /**
     * Lets a waiting job run at a time, instead of when it was to run before. A paused job stays paused; a time in the
     * past means at once.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job runs, waits for other jobs, or has ended
     */
    public void reschedule(JobId id, Instant time) {
        reschedule("reschedule", id, new Start.At(Limits.time("time", time)));
    }

    private void reschedule(String verb, JobId id, Start start) {
        CommandResults.require(verb, id,
                execute(new AdminCommand.Reschedule(requireNonNull(id, "id"), start, node.id(), node.now())));
    }

    /**
     * Deletes a job and everything stored for it.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if a node is running it, even if it is cancelled
     */
    public void delete(JobId id) {
        CommandResult result = execute(new AdminCommand.Delete(requireNonNull(id, "id"), node.id(), node.now()));
        if (result instanceof CommandResult.StillRunning) {
            throw WrongStateException.stillRunning("delete", id);
        }
        CommandResults.require("delete", id, result);
    }

    /** Executes a command as {@link Store#execute} does, and lets this node act on it at once. */
    public CommandResult execute(AdminCommand command) {
        CommandResult result = store.execute(requireNonNull(command, "command"));
        node.afterCommand().run(command, result);
        return result;
    }

    /** Executes commands as {@link Store#executeAll} does, and lets this node act on them at once. */
    public List<CommandResult> executeAll(List<? extends AdminCommand> commands) {
        List<CommandResult> results = store.executeAll(commands);
        for (int i = 0; i < results.size(); i++) {
            node.afterCommand().run(commands.get(i), results.get(i));
        }
        return results;
    }

    /** Returns the jobs that failed for good, to look at, retry or delete. */
    public DeadLetters deadLetters() {
        return new DeadLetters(store, node.clock(), node.id(), this::execute);
    }

    // Limits

    /** Returns all limits, by name. */
    public List<Limit> limits() {
        return store.capability(LimitStore.class).map(LimitStore::limits).orElse(List.of());
    }

    /**
     * Sets a limit, replacing the one with its name. Its bounds hold at once on all nodes. It covers jobs that are
     * submitted from now on, on other nodes from a second later; a job keeps the keys that it has.
     *
     * @throws IllegalArgumentException if the limit bounds nothing
     * @throws UnsupportedOperationException if the store cannot keep limits
     */
    public void setLimit(Limit limit) {
        limitStore().setLimit(requireNonNull(limit, "limit").complete());
        node.limitsChanged();
    }

    /** Removes a limit, so that jobs no longer wait for it; returns whether there was one. */
    public boolean removeLimit(String name) {
        boolean removed = limitStore().removeLimit(requireNonNull(name, "name"));
        node.limitsChanged();
        return removed;
    }

    /** Returns how much of the keys of a limit is in use, the fullest first. */
    public List<LimitUsage> limitUsage(String name, int most) {
        return limitStore().limitUsage(requireNonNull(name, "name"), Limits.atLeast(1, "most", most));
    }

    private LimitStore limitStore() {
        return store.capability(LimitStore.class)
                .orElseThrow(() -> new UnsupportedOperationException("this store keeps no limits"));
    }

    // Statistics

    /**
     * Returns what happened to jobs in the last hour, day or week on all nodes, by slices of time, type and queue, the
     * oldest first. Slices in which nothing happened are left out.
     *
     * @param type only jobs of this type; null for all
     * @param queue only jobs of this queue; null for all
     */
    public List<StatsSlice> statistics(StatsWindow window, @Nullable String type, @Nullable String queue) {
        Instant start = window.start(node.clock().instant());
        return window.merge(
                store.capability(StatsStore.class).map(known -> known.slices(start, type, queue)).orElse(List.of()));
    }

    /** Returns the groups of failures with the same fingerprint, the one that was seen last first. */
    public List<ErrorGroup> errors(int limit) {
        return store.capability(ErrorStore.class)
                .map(known -> known.errors(null, Limits.atLeast(1, "limit", limit))).orElse(List.of());
    }

    /**
     * Sets the note and the assignee of a group of failures; returns false if there is no such group. To retry or delete
     * its dead letters, {@link #execute} {@link AdminCommand.RetryErrors} or {@link AdminCommand.PurgeErrors}.
     *
     * @param note null for none
     * @param assignee null for nobody
     */
    public boolean describeError(String fingerprint, @Nullable String note, @Nullable String assignee) {
        return store.capability(ErrorStore.class)
                .flatMap(known -> known.describeError(requireNonNull(fingerprint, "fingerprint"), note, assignee))
                .isPresent();
    }

    // Queues and types

    /**
     * Pauses a queue: no node claims its jobs any more, and this node releases those that it has claimed and not
     * started. Those that run go on. On another node, a job that was claimed before the pause may still start.
     */
    public void pauseQueue(String queue) {
        execute(new AdminCommand.PauseQueue(Limits.name("queue", queue), node.id(), node.now()));
    }

    /** Resumes a paused queue. */
    public void resumeQueue(String queue) {
        execute(new AdminCommand.ResumeQueue(Limits.name("queue", queue), node.id(), node.now()));
    }

    /** Returns the names of the job types that this node runs. */
    public Set<String> types() {
        return node.registry().types();
    }

    /** Returns why jobs of some types or tags may not start on this node now. */
    public HoldReasons holdReasons() {
        return node.held();
    }

    /**
     * Explains why a job does not run: everything that keeps it from running, on this node and on the others, or that
     * it does not wait. What is known of another node is as old as the last renewal of its lease.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws UnsupportedOperationException if the store cannot explain jobs
     */
    public JobExplanation why(JobId id) {
        return Explainer.explain(this, requireNonNull(id, "id"), Optional.of(node.describe()))
                .orElseThrow(() -> new NoSuchJobException(id));
    }

    /** Returns the circuit breaker of a type; empty if the type has none. */
    public Optional<Breaker> breaker(JobType<?, ?> type) {
        return node.registry().breaker(requireNonNull(type, "type").name()).map(Breaker.class::cast);
    }

    // Workers

    /** Returns the workers of this node. */
    public List<WorkerSnapshot> workers() {
        return node.groups().stream().flatMap(group -> group.snapshots().stream()).toList();
    }

    /** Returns the last workers of this node that are gone, up to 50 of each group, newest first. */
    public List<WorkerSnapshot> pastWorkers() {
        return node.groups().stream().flatMap(group -> group.pastSnapshots().stream()).toList();
    }

    /** Returns the state changes of a worker, newest first, even if it is gone; empty if there is no such worker. */
    public List<StateChange> workerHistory(String workerId) {
        return node.groups().stream().flatMap(group -> group.history(workerId).stream()).toList();
    }

    /** Changes the number of workers in the default group. */
    public void resize(int workers) {
        resize(PoolSettings.DEFAULT_GROUP, workers);
    }

    /** Changes the number of workers in a group. A smaller number takes effect as jobs end. */
    public void resize(String group, int workers) {
        Limits.atLeast(1, "workers of group '" + group + "'", workers);
        node.group(requireNonNull(group, "group")).resize(workers);
    }

    /** Adds a worker to the default group. */
    public WorkerSnapshot startWorker() {
        return node.group(PoolSettings.DEFAULT_GROUP).grow().snapshot();
    }

    /**
     * Removes a worker at once. The job it runs goes back to the queue; the attempt does not count.
     *
     * @return false if there is no such worker
     * @throws IllegalStateException if it is the last worker of its group
     */
    public boolean stopWorker(String workerId) {
        return node.dismiss(requireNonNull(workerId, "workerId"), true);
    }

    /**
     * Removes a worker once it has finished the job it runs.
     *
     * @return false if there is no such worker
     * @throws IllegalStateException if it is the last worker of its group
     */
    public boolean drainWorker(String workerId) {
        return node.dismiss(requireNonNull(workerId, "workerId"), false);
    }

    /**
     * Waits until a worker of the default group is free.
     *
     * @return false if the time is over first
     */
    public boolean awaitFreeWorker(Duration timeout) throws InterruptedException {
        return node.group(PoolSettings.DEFAULT_GROUP).awaitFree(requireNonNull(timeout, "timeout"));
    }

    // Nodes, sessions, store

    /** Returns the id of this node in the store. */
    public String nodeId() {
        return node.id();
    }

    /** Returns what the process of this node has used in the last minutes, oldest first. */
    public List<NodeStatus.Load> loads() {
        return node.loads();
    }

    @Override
    public List<NodeRecord> nodes() {
        return store.nodes();
    }

    /**
     * Writes to the store and returns why this node cannot work now, such as a full disk or a background service that
     * failed; empty if it can. Takes as long as the store takes to answer.
     */
    public Optional<String> problem() {
        return node.problem();
    }

    /**
     * Returns how often the clock of this machine was set since the pool opened, as far as it mattered: a store with a
     * server goes by the clock of that server.
     */
    public long clockJumps() {
        return node.clockJumps();
    }

    /** Returns the sessions on this store, the most recent first; empty if the store keeps none. */
    public List<SessionStore.Binding> sessions(int limit) {
        return store.capability(SessionStore.class).map(sessions -> sessions.sessions(limit)).orElse(List.of());
    }

    /** Returns the numbered events of this node, for a server that shows them beside those of other nodes. */
    public EventSource events() {
        return node.eventSource();
    }

    /**
     * Ends a session: its waiting jobs fail as lost, and the next job begins a new one.
     *
     * @return false if there was no such session
     */
    public boolean dropSession(String id) {
        return node.dropSession(requireNonNull(id, "id"));
    }

    /** Returns whether jobs of this type that have a session stay on one worker here. */
    public boolean keepsSessions(String type) {
        Registration<?, ?> known = node.registry().find(requireNonNull(type, "type"));
        return known != null && known.type().affinity().isPresent();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return store.capability(requireNonNull(type, "type"));
    }
}

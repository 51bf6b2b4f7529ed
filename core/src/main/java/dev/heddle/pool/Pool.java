package dev.heddle.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.run.RunArchive;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Ruling;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;
import dev.heddle.store.Transactional;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A durable worker pool: the entry point of the library.
 *
 * {@snippet :
 * try (Pool pool = Pool.on(SqliteStore.at(Path.of("jobs.db"))).handle(GREET, (g, job) -> "Hello " + g.name()).open()) {
 *     String hello = pool.submit(GREET, new Greeting("Ada")).await(Duration.ofSeconds(5));
 * }
 * }
 *
 * <p>A submit that returns is committed: the job survives a crash of the process and of the machine. Execution is
 * at least once; {@link dev.heddle.job.JobContext#step steps} keep what is done from being done again.
 */
public final class Pool implements AutoCloseable {

    private final Node node;
    private final Store store;
    private volatile @Nullable CompletableFuture<ClosingReport> closing;

    private Pool(Node node, Store store) {
        this.node = node;
        this.store = store;
    }

    /** Starts the description of a pool on a store, which is then its own: no other may have it, and it closes with the pool. */
    public static PoolBuilder on(Store store) {
        return new PoolBuilder(store);
    }

    static Pool open(Parts parts) {
        return new Pool(Node.open(parts), parts.store());
    }

    /** Submits a job with no options. */
    public <P, R> JobHandle<R> submit(JobType<P, R> type, P payload) {
        return submit(type.with(payload));
    }

    /**
     * Submits a job. Never waits for room.
     *
     * @throws QueueFullException where the queue has a capacity and no room
     */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request) {
        requireOpen("job type '" + request.type() + "' was not submitted");
        return new JobHandle<>(this, node.intake().submit(List.of(request)).getFirst(), request.type());
    }

    /** Submits a job, waiting for room up to the time. */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request, Duration wait) throws InterruptedException {
        requireOpen("job type '" + request.type() + "' was not submitted");
        return new JobHandle<>(this, node.intake().submit(List.of(request), wait).getFirst(), request.type());
    }

    /** Submits a job if its queue has room. */
    public <P, R> Optional<JobHandle<R>> trySubmit(JobRequest<P, R> request) {
        try {
            return Optional.of(submit(request));
        } catch (QueueFullException _) {
            return Optional.empty();
        }
    }

    /** Submits many in one commit: all of them, or none where a queue has no room. */
    public <P, R> List<JobHandle<R>> submitAll(List<JobRequest<P, R>> requests) {
        requireOpen(requests.size() + " jobs were not submitted");
        if (requests.isEmpty()) {
            return List.of();
        }
        List<JobId> ids = node.intake().submit(requests);
        List<JobHandle<R>> handles = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            handles.add(new JobHandle<>(this, ids.get(i), requests.get(i).type()));
        }
        return handles;
    }

    /**
     * Submits within a transaction of the application's own, on a connection to the database the store lies in.
     *
     * @throws UnsupportedOperationException where the store is none that an application can share
     * @throws IllegalStateException where the connection has no transaction, but commits every statement
     */
    public InTransaction within(Connection connection) throws SQLException {
        requireOpen("nothing can be submitted");
        if (!(store instanceof Transactional shared)) {
            throw new UnsupportedOperationException(store.getClass().getSimpleName()
                    + " has no transactions to share with an application; PostgresStore has");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection commits every statement by itself;"
                    + " call setAutoCommit(false) to begin a transaction first");
        }
        return new InTransaction(this, node.intake(), shared, connection);
    }

    /** A handle of a job that was submitted earlier, perhaps by another process. */
    public <R> JobHandle<R> handle(JobId id, JobType<?, R> type) {
        return new JobHandle<>(this, id, type);
    }

    public Optional<Job> find(JobId id) {
        return store.find(id);
    }

    /** Newest first. */
    public List<Job> list(JobQuery query) {
        return store.list(query);
    }

    /** A job with its attempts and its history. */
    public Optional<Story> story(JobId id) {
        return store.story(id);
    }

    /** What attempts left that ran as processes; empty where the store keeps nothing of it. */
    public Optional<RunArchive> runs() {
        return store instanceof RunArchive archive ? Optional.of(archive) : Optional.empty();
    }

    /** An interface of its own that a feature needs of the store; empty where the store is none. */
    public <T> Optional<T> feature(Class<T> type) {
        return type.isInstance(store) ? Optional.of(type.cast(store)) : Optional.empty();
    }

    /**
     * Runs one type more on this node from now on; nothing where it has one of that name. For types that are only known
     * once they are needed, such as one for each batch.
     */
    public <P, R> void handle(JobType<P, R> type, JobHandler<P, ? extends R> handler) {
        node.handle(type, new Handling.InOne<>(handler));
    }

    /** What follows each end of a job of this type here from now on, in the commit of that end. */
    public void then(JobType<?, ?> type, Sequel sequel) {
        node.then(type.name(), sequel);
    }

    /** What may not start here now, with the reason. */
    public Held held() {
        return node.registry().held();
    }

    /** What became of the children of a job so far; none where there is no such job. Read as it is asked for. */
    public Children children(JobId id) {
        return new StoredChildren(store, id, node.codec());
    }

    /** Does what somebody asked for, as {@link Store#execute} does, and lets this node act on it at once. */
    public Ruling execute(Command command) {
        Ruling ruling = store.execute(command);
        node.consequences().of(command, ruling);
        return ruling;
    }

    /** Ends a job that has not ended; a running handler is told by its token, and its result is ignored. */
    public void cancel(JobId id, String reason) {
        Rulings.require("cancel", id, execute(new Command.Cancel(id, reason, node.id(), node.now())));
    }

    /** Holds back a job that waits. */
    public void pause(JobId id, String reason) {
        Rulings.require("pause", id, execute(new Command.Pause(id, reason, node.id(), node.now())));
    }

    public void resume(JobId id) {
        Rulings.require("resume", id, execute(new Command.Resume(id, node.id(), node.now())));
    }

    /** Removes a job that no node holds, with everything of its. */
    public void delete(JobId id) {
        Rulings.require("delete", id, execute(new Command.Delete(id, node.id(), node.now())));
    }

    /** Lets nothing of the queue start; what runs goes on. */
    public void pauseQueue(String queue) {
        execute(new Command.PauseQueue(queue, node.id(), node.now()));
    }

    public void resumeQueue(String queue) {
        execute(new Command.ResumeQueue(queue, node.id(), node.now()));
    }

    public DeadLetters deadLetters() {
        return new DeadLetters(store, node.clock(), node.id(), this::execute);
    }

    /** The type's circuit breaker; empty where it has none. */
    public Optional<Breaker> breaker(JobType<?, ?> type) {
        return node.registry().breaker(type.name());
    }

    public PoolStats stats() {
        return node.stats(store.tally().in(JobState.QUEUED));
    }

    /** Jobs that have not ended, counted by queue, type and state. */
    public Tally tally() {
        return store.tally();
    }

    public List<WorkerSnapshot> workers() {
        return node.groups().stream().flatMap(group -> group.snapshots().stream()).toList();
    }

    /** What a worker went through, newest first; empty where there is no such worker. */
    public List<StateChange> history(String workerId) {
        return node.groups().stream().flatMap(group -> group.history(workerId).stream()).toList();
    }

    /** The nodes on this store, each with the snapshot of its workers at its last renewal, as JSON. */
    public List<NodeRecord> nodes() {
        return store.nodes();
    }

    /** Submits the jobs of one client, and keeps them on one worker. */
    public PoolSession session(String id) {
        return new PoolSession(this, id);
    }

    /** The clients' sessions on this store, the most recently begun first; empty where it keeps none. */
    public List<SessionStore.Binding> sessions(int limit) {
        return store instanceof SessionStore sessions ? sessions.sessions(limit) : List.of();
    }

    /** Ends a session: jobs of it that wait fail as lost, and the next one begins it anew. Says whether there was one. */
    public boolean dropSession(String id) {
        return node.dropSession(id);
    }

    /** Changes the number of workers of the default group while the pool runs. */
    public void resize(int workers) {
        resize(PoolSettings.DEFAULT_GROUP, workers);
    }

    /** Changes the number of workers of a group; a smaller number takes effect as jobs end. */
    public void resize(String group, int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException(
                    "workers of group '" + group + "' must be at least 1: " + workers);
        }
        node.group(group).resize(workers);
    }

    /** One worker more in the default group. */
    public WorkerSnapshot startWorker() {
        return node.group(PoolSettings.DEFAULT_GROUP).grow().snapshot();
    }

    /**
     * One worker fewer: this one stops what it runs, which goes back to the queue uncounted. False where there is no such
     * worker.
     *
     * @throws IllegalStateException where it is the last of its group
     */
    public boolean stopWorker(String workerId) {
        return node.dismiss(workerId, true);
    }

    /** As {@link #stopWorker}, once the worker has ended what it runs. */
    public boolean drainWorker(String workerId) {
        return node.dismiss(workerId, false);
    }

    /** Whether a worker of the default group was free within the time. */
    public boolean awaitFreeWorker(Duration timeout) throws InterruptedException {
        return node.group(PoolSettings.DEFAULT_GROUP).awaitFree(timeout);
    }

    /** Whether, within the time, nothing was left that runs or waits; paused jobs do not count. */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return node.idleness().await(timeout);
    }

    /**
     * Tells everything that happens on this node from now on, on the thread where it happens, so be quick. Unlike a
     * {@link JobListener} it costs no worker a wait for its commit. What the observer throws is logged and harms nothing.
     *
     * @return to be closed when it should hear no more
     */
    public AutoCloseable observe(Consumer<PoolEvent> observer) {
        return node.observers().add(observer);
    }

    /** The names of the job types that run here. */
    public Set<String> types() {
        return node.registry().types();
    }

    /** Whether jobs of that type that have a session keep to one worker here. */
    public boolean keepsSessions(String type) {
        Registration<?, ?> known = node.registry().find(type);
        return known != null && known.type().affinity().isPresent();
    }

    /** This node's id in the store. */
    public String nodeId() {
        return node.id();
    }

    CompletableFuture<Job> ending(JobId id) {
        requireOpen("job " + id + " cannot be waited for");
        return node.lookout().ending(id);
    }

    Codec codec() {
        return node.codec();
    }

    private void requireOpen(String otherwise) {
        if (closing != null) {
            throw new PoolClosedException(otherwise);
        }
    }

    /** What this node found of dead nodes when it opened; where several share a store, others are found later, and logged. */
    public RecoveryReport opening() {
        return node.opening();
    }

    /** How it closed; empty until it has. */
    public Optional<ClosingReport> closing() {
        CompletableFuture<ClosingReport> begun = closing;
        return begun == null || !begun.isDone() ? Optional.empty() : Optional.of(begun.join());
    }

    /**
     * Stops claiming, gives back what has not started, tells running handlers to stop at their next step or checkpoint,
     * gives unfinished jobs back to the queue with their checkpoints, and closes the store. Handlers have the close
     * time-out to finish or give way, then they are interrupted, and then left behind: this returns in time whatever they
     * do. Called again, it waits for the first call; called while the pool drains, it ends the draining.
     */
    @Override
    public void close() {
        node.hurry();
        close(Duration.ZERO).join();
    }

    /**
     * Closes without telling the running handlers to stop, so that they can finish; those that have not after this time
     * are treated as {@link #close()} treats them.
     *
     * @return how it went
     */
    public ClosingReport drain(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a pool cannot drain for a negative time: " + atMost);
        }
        return close(atMost).join();
    }

    /** On a thread of its own: the caller's may be one that closing interrupts, where a handler closes its pool. */
    private synchronized CompletableFuture<ClosingReport> close(Duration drain) {
        CompletableFuture<ClosingReport> begun = closing;
        if (begun == null) {
            begun = CompletableFuture.supplyAsync(() -> node.close(drain),
                    task -> Thread.ofPlatform().daemon().name("heddle-closing").start(task));
            closing = begun;
        }
        return begun;
    }
}

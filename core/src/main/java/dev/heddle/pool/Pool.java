package dev.heddle.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.heddle.engine.Node;
import dev.heddle.engine.NodeParts;
import dev.heddle.engine.execute.ClosingTimes;
import dev.heddle.engine.registry.Handling;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.job.SubmitEffect;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.job.VoidJobHandler;
import dev.heddle.pool.PoolSettings.Stopping;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.Receipt.Stored;
import dev.heddle.store.Store;
import dev.heddle.store.TransactionalStore;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * A durable worker pool: the entry point of the library. Safe for use by many threads.
 *
 * {@snippet :
 * try (Pool pool = Pool.on(SqliteStore.at(Path.of("jobs.db")))
 *         .register(GREET, (greeting, job) -> "Hello " + greeting.name()).open()) {
 *     String hello = pool.submit(GREET, new Greeting("Ada")).await(Duration.ofSeconds(5));
 * }
 * }
 *
 * <p>Once {@code submit} returns, the job is committed: it survives a crash of the process and of the machine. A job
 * runs at least once; {@link dev.heddle.job.JobContext#step steps} keep work that is done from being done again.
 *
 * <p>Commands on jobs, queues, workers, nodes and sessions are in {@link #admin()}.
 */
public final class Pool implements AutoCloseable {

    private final Node node;
    private final Store store;
    private final PoolAdmin admin;
    private final ReentrantLock closingLock = new ReentrantLock();
    private volatile @Nullable CompletableFuture<ClosingReport> closing;

    private Pool(Node node, Store store) {
        this.node = node;
        this.store = store;
        this.admin = new PoolAdmin(node, store);
    }

    /**
     * Starts the configuration of a pool on a store. The store belongs to the pool from then on: no other pool may use
     * it, and it is closed with the pool.
     */
    public static PoolBuilder on(Store store) {
        return new PoolBuilder(requireNonNull(store, "store"));
    }

    static Pool open(NodeParts parts) {
        return new Pool(Node.open(parts), parts.store());
    }

    /** Submits a job with default options. */
    public <P, R> JobHandle<R> submit(JobType<P, R> type, P payload) {
        return submit(requireNonNull(type, "type").with(payload));
    }

    /** Submits a job of a type that has no payload. */
    public <R> JobHandle<R> submit(JobType<Void, R> type) {
        return submit(requireNonNull(type, "type").withoutPayload());
    }

    /**
     * Submits a job. Does not wait for room in its queue.
     *
     * @throws QueueFullException if the queue has a capacity and no room
     */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request) {
        requireOpen(request);
        return handleOf(node.intake().submit(List.of(request)).getFirst(), request.type());
    }

    /**
     * Submits a job, waiting up to the given time for room in its queue.
     *
     * @throws QueueFullException if the queue still has no room then
     */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request, Duration wait) throws InterruptedException {
        requireOpen(request);
        return handleOf(node.intake().submit(List.of(request), requireNonNull(wait, "wait")).getFirst(),
                request.type());
    }

    /** Submits a job if its queue has room; returns empty if it has none. */
    public <P, R> Optional<JobHandle<R>> trySubmit(JobRequest<P, R> request) {
        try {
            return Optional.of(submit(request));
        } catch (QueueFullException _) {
            return Optional.empty();
        }
    }

    /**
     * Submits many jobs in one commit: all of them or none.
     *
     * @throws QueueFullException if a queue has no room
     */
    public <P, R> List<JobHandle<R>> submitAll(List<JobRequest<P, R>> requests) {
        requireOpen(requireNonNull(requests, "requests").size() + " jobs were not submitted");
        if (requests.isEmpty()) {
            return List.of();
        }
        List<Stored> submitted = node.intake().submit(requests);
        List<JobHandle<R>> handles = new ArrayList<>(submitted.size());
        for (int i = 0; i < submitted.size(); i++) {
            handles.add(handleOf(submitted.get(i), requests.get(i).type()));
        }
        return handles;
    }

    /**
     * Returns a submitter whose jobs are part of a transaction of the application, on a connection to the store's
     * database.
     *
     * @throws UnsupportedOperationException if the store cannot share a transaction with an application
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    public TransactionalSubmitter within(Connection connection) throws SQLException {
        requireOpen("nothing can be submitted");
        TransactionalStore shared = store.capability(TransactionalStore.class)
                .orElseThrow(() -> new UnsupportedOperationException(store.getClass().getSimpleName()
                        + " cannot share a transaction with an application; PostgresStore can"));
        if (requireNonNull(connection, "connection").getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in auto-commit mode; call setAutoCommit(false) to begin a transaction first");
        }
        return new TransactionalSubmitter(this, node.intake(), shared, connection);
    }

    /** Returns a submitter for the jobs of one client, which stay on one worker. */
    public PoolSession session(String id) {
        return new PoolSession(this, requireNonNull(id, "id"));
    }

    /** Returns a handle on a job that was submitted earlier, perhaps by another process. */
    public <R> JobHandle<R> job(JobId id, JobType<?, R> type) {
        return new JobHandle<>(this, requireNonNull(id, "id"), requireNonNull(type, "type"),
                SubmitEffect.UNCHANGED);
    }

    /** Returns a job as the store has it now; empty if there is none with this id. */
    public Optional<Job> find(JobId id) {
        return store.find(requireNonNull(id, "id"));
    }

    /**
     * Runs one more job type on this node from now on, for types that become known only while the pool is open.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public <P, R> void register(JobType<P, R> type, JobHandler<P, ? extends R> handler) {
        if (!registerIfAbsent(type, handler)) {
            throw alreadyRegistered(type);
        }
    }

    /**
     * Runs one more job type in two phases on this node from now on.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public <P, R> void register(JobType<P, R> type, TwoPhaseHandler<P, ? extends R> handler) {
        if (!node.register(requireNonNull(type, "type"), new Handling.TwoPhase<>(requireNonNull(handler, "handler")))) {
            throw alreadyRegistered(type);
        }
    }

    /**
     * Runs one more job type without results on this node from now on.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public <P> void registerVoid(JobType<P, Void> type, VoidJobHandler<P> handler) {
        register(type, requireNonNull(handler, "handler").asJobHandler());
    }

    /**
     * Runs one more job type on this node from now on, unless it has a handler already; returns whether it was added.
     */
    public <P, R> boolean registerIfAbsent(JobType<P, R> type, JobHandler<P, ? extends R> handler) {
        return node.register(requireNonNull(type, "type"),
                new Handling.SinglePhase<>(requireNonNull(handler, "handler")));
    }

    private static IllegalArgumentException alreadyRegistered(JobType<?, ?> type) {
        return new IllegalArgumentException("job type '" + type + "' has a handler already");
    }

    /** Adds the jobs that follow each end of a job of this type from now on, committed together with that end. */
    public void then(JobType<?, ?> type, Sequel sequel) {
        node.addSequel(requireNonNull(type, "type").name(), requireNonNull(sequel, "sequel"));
    }

    /** Returns what this pool has done since it opened, and what it holds now. */
    public PoolStats stats() {
        return admin.stats(store.countJobs());
    }

    /**
     * Waits until no job runs or waits to run. Paused jobs do not count.
     *
     * @return false if the time is over first
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return node.idleCheck().await(requireNonNull(timeout, "timeout"));
    }

    /**
     * Calls the observer for everything that happens on this node from now on, on the thread where it happens, so be
     * quick. Unlike a {@link JobListener}, an observer never makes a worker wait for a commit. Exceptions are logged
     * and ignored.
     *
     * @return closes the subscription
     */
    public AutoCloseable observe(Consumer<PoolEvent> observer) {
        return node.events().add(requireNonNull(observer, "observer"));
    }

    /**
     * Returns the schedules of the store, which submit jobs again and again.
     *
     * @throws UnsupportedOperationException if the store keeps no schedules
     */
    public Schedules schedules() {
        return node.schedules().orElseThrow(() -> noSchedules(store));
    }

    static UnsupportedOperationException noSchedules(Store store) {
        return new UnsupportedOperationException(store.getClass().getSimpleName() + " does not keep schedules");
    }

    /** Returns the commands and questions of an administrator. */
    public PoolAdmin admin() {
        return admin;
    }

    /** Returns what this node recovered from dead nodes when it opened. Nodes that die later are only logged. */
    public RecoveryReport recoveryReport() {
        return node.openingReport();
    }

    /** Returns how the pool closed; empty until it has. */
    public Optional<ClosingReport> closingReport() {
        CompletableFuture<ClosingReport> begun = closing;
        return begun == null || !begun.isDone() ? Optional.empty() : Optional.of(begun.join());
    }

    /**
     * Closes the pool and its store. Stops claiming, releases jobs that have not started, and tells running handlers to
     * stop at their next step or checkpoint; their jobs go back to the queue with their checkpoints. A handler that has
     * not stopped within the close timeout is interrupted, and then abandoned, so that this returns in time whatever
     * handlers do.
     *
     * <p>A second call waits for the first. A call while the pool drains ends the draining.
     */
    @Override
    public void close() {
        close(stopping -> ClosingTimes.draining(Duration.ZERO, stopping)).join();
    }

    /**
     * Closes the pool like {@link #close()}, but first gives running handlers this much time to finish undisturbed.
     *
     * @return how it went
     */
    public ClosingReport drain(Duration atMost) {
        if (requireNonNull(atMost, "atMost").isNegative()) {
            throw new IllegalArgumentException("the time to drain must not be negative: " + atMost);
        }
        return close(stopping -> ClosingTimes.draining(atMost, stopping)).join();
    }

    /**
     * Closes the pool, and keeps a limit for everything together. Running handlers go on undisturbed at first. Those
     * that have not finished shortly before the limit are told to stop: as early as the close timeout asks for, but not
     * before half of the time is over. What has not stopped at the limit is abandoned.
     *
     * <p>A call while the pool drains shortens the drain.
     *
     * @return how it went
     */
    public ClosingReport closeWithin(Duration limit) {
        if (requireNonNull(limit, "limit").isNegative()) {
            throw new IllegalArgumentException("the time to close must not be negative: " + limit);
        }
        return close(stopping -> ClosingTimes.within(limit, stopping)).join();
    }

    /** Runs on a thread of its own: the caller's may be one that closing interrupts, if a handler closes its pool. */
    private CompletableFuture<ClosingReport> close(Function<Stopping, ClosingTimes> times) {
        node.limitClosing(times);
        closingLock.lock();
        try {
            CompletableFuture<ClosingReport> begun = closing;
            if (begun == null) {
                begun = CompletableFuture.supplyAsync(node::close,
                        task -> node.env().start("heddle-closing", task));
                closing = begun;
            }
            return begun;
        } finally {
            closingLock.unlock();
        }
    }

    <R> JobHandle<R> handleOf(Stored submitted, JobType<?, R> type) {
        return new JobHandle<>(this, submitted.id(), type, submitted.effect());
    }

    /** Returns a future that callers of the engine share. */
    CompletableFuture<Job> end(JobId id) {
        requireOpen("job " + id + " cannot be waited for");
        return node.completionWatcher().completion(id);
    }

    /**
     * Returns a future of the caller's own. It completes on its own thread, because what the application attaches to it
     * may take long, or wait for another job.
     */
    CompletableFuture<Job> completion(JobId id) {
        return end(id).whenCompleteAsync((_, _) -> {},
                task -> node.env().threads("heddle-completion-", true).newThread(task).start());
    }

    JsonCodec codec() {
        return node.codec();
    }

    private void requireOpen(JobRequest<?, ?> request) {
        requireOpen("the job of type '" + requireNonNull(request, "request").type() + "' was not submitted");
    }

    private void requireOpen(String otherwise) {
        if (closing != null) {
            throw new PoolClosedException(otherwise);
        }
    }
}

package dev.heddle.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import dev.heddle.engine.submit.Intake;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.store.TransactionalStore;

/**
 * Submits jobs within a transaction of the application: a job exists once the transaction commits, and never if it does
 * not. {@link Pool#within} creates it. Wait for such a job after the commit, not before. Like its connection, not safe
 * for use by many threads.
 */
public final class TransactionalSubmitter {

    private final Pool pool;
    private final Intake intake;
    private final TransactionalStore store;
    private final Connection connection;

    TransactionalSubmitter(Pool pool, Intake intake, TransactionalStore store, Connection connection) {
        this.pool = pool;
        this.intake = intake;
        this.store = store;
        this.connection = connection;
    }

    /**
     * Submits a job with default options.
     *
     * @throws QueueFullException if the queue has a capacity and no room
     * @throws SQLException if the database refused; roll back, as after any failed statement
     */
    public <P, R> JobHandle<R> submit(JobType<P, R> type, P payload) throws SQLException {
        return submit(type.with(payload));
    }

    /**
     * Submits a job. The capacity of a queue counts committed jobs only, so concurrent transactions may exceed it.
     *
     * @throws QueueFullException if the queue has a capacity and no room
     * @throws SQLException if the database refused; roll back, as after any failed statement
     */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request) throws SQLException {
        return pool.handleOf(intake.submit(store, connection, List.of(request)).getFirst(), request.type());
    }
}

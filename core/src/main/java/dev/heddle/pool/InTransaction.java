package dev.heddle.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.store.Transactional;

/**
 * Submits within a transaction of the application's own: the job is there when, and only if, the transaction commits.
 * A job that cannot be waited for inside the transaction can be after it.
 */
public final class InTransaction {

    private final Pool pool;
    private final Intake intake;
    private final Transactional store;
    private final Connection connection;

    InTransaction(Pool pool, Intake intake, Transactional store, Connection connection) {
        this.pool = pool;
        this.intake = intake;
        this.store = store;
        this.connection = connection;
    }

    /** Submits a job with no options. */
    public <P, R> JobHandle<R> submit(JobType<P, R> type, P payload) throws SQLException {
        return submit(type.with(payload));
    }

    /**
     * Submits a job. A queue's capacity counts what is committed, so that several transactions at once may go over it.
     *
     * @throws QueueFullException where the queue has a capacity and no room
     * @throws SQLException where the database refused; as after any failed statement, roll back
     */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request) throws SQLException {
        return pool.handle(intake.submit(store, connection, List.of(request)).getFirst(), request.type());
    }
}

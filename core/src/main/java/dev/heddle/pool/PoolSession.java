package dev.heddle.pool;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;

/**
 * Submits the jobs of one client, which stay on one worker for types that have an {@link dev.heddle.job.Affinity}. The
 * first one chooses the worker; the session ends when it was idle for 5 min, when it is dropped, or with its worker.
 */
public final class PoolSession {

    private final Pool pool;
    private final String id;

    PoolSession(Pool pool, String id) {
        this.pool = pool;
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** Submits a job with no options; it has 60 s for waiting and running. */
    public <P, R> JobHandle<R> submit(JobType<P, R> type, P payload) {
        return submit(type.with(payload));
    }

    /** Submits a job; its time-out, if it has one, is for waiting and running. */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request) {
        return pool.submit(request.session(id));
    }

    /** Ends the session: jobs of it that wait fail as lost, and the next one begins it anew. */
    public void drop() {
        pool.dropSession(id);
    }
}

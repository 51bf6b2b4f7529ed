package dev.heddle.pool;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;

/**
 * Submits the jobs of one client, which stay on one worker if their type has an {@link dev.heddle.job.Affinity}. The
 * first job chooses the worker. The session ends after 5 idle minutes, when it is dropped, or with its worker. Safe for
 * use by many threads.
 */
public final class PoolSession {

    private final Pool pool;
    private final String id;

    PoolSession(Pool pool, String id) {
        this.pool = pool;
        this.id = id;
    }

    /** Returns the id of the session. */
    public String id() {
        return id;
    }

    /** Submits a job with default options. It has 60 s to wait for its worker and to run. */
    public <P, R> JobHandle<R> submit(JobType<P, R> type, P payload) {
        return submit(type.with(payload));
    }

    /** Submits a job. Its timeout, if it has one, covers both the wait for its worker and the run. */
    public <P, R> JobHandle<R> submit(JobRequest<P, R> request) {
        return pool.submit(request.session(id));
    }

    /** Ends the session: its waiting jobs fail as lost, and the next job begins a new session. */
    public void drop() {
        pool.admin().dropSession(id);
    }
}

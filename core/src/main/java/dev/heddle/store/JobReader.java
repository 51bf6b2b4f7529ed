package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;

/** Reads jobs and nodes, from a store directly or through a pool that is open on it. Safe for use by many threads. */
public interface JobReader {

    /**
     * The header in which a store that holds damaged data tells what it cannot read of a job. Such a job is returned
     * all the same, without what makes no sense.
     */
    String DAMAGE_HEADER = "heddle-damage";

    /** Returns a job; empty if there is none with this id. */
    Optional<Job> find(JobId id);

    /**
     * Returns the jobs that match, newest first unless the query says otherwise.
     *
     * @throws dev.heddle.query.QueryTimeoutException if the query has conditions without an index, and takes too long
     */
    List<Job> list(JobQuery query);

    /** Counts the jobs that match; the limit of the query does not matter. */
    long count(JobQuery query);

    /** Returns a job with its attempts, history, saved state and children; empty if there is none with this id. */
    Optional<JobDetails> details(JobId id);

    /**
     * Returns when the first attempt of each of these jobs ended that did not complete it. Jobs without one are left
     * out.
     *
     * @param seqs the jobs, by {@link Job#seq}
     */
    Map<Long, Instant> firstFailures(List<Long> seqs);

    /** Counts the jobs that have not ended, by queue, type and state. */
    JobCounts countJobs();

    /** Returns the nodes on this store, each with a snapshot of its workers, as JSON, at its last renewal. */
    List<NodeRecord> nodes();

    /**
     * Returns an optional capability of the store, such as {@link SessionStore} or {@link dev.heddle.run.RunArchive};
     * empty if the store does not offer it.
     *
     * @param <T> the capability
     */
    <T> Optional<T> capability(Class<T> type);
}

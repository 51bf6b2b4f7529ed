package dev.heddle.stats;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobState;
import dev.heddle.store.JobCounts;

/**
 * An optional capability of a store: counts of all jobs, ended ones included, that are kept up to date by the
 * transactions that change jobs. Reading them costs the same however many jobs there are.
 *
 * <p>Transactions only add what they change, as rows of their own, so they never wait for each other. Reading sums
 * these rows; {@link #foldCounts} keeps them few.
 */
public interface CountStore {

    /** Returns how many jobs there are by queue, type and state; combinations without jobs are left out. */
    List<JobCounts.Line> keptCounts();

    /**
     * Returns since when the jobs wait that are claimed next, by queue and type. Types without queued jobs are left
     * out.
     */
    List<Head> heads();

    /**
     * The job of a queue and type that is claimed next.
     *
     * @param queue the queue
     * @param type the type
     * @param submittedAt when it was submitted
     */
    record Head(String queue, String type, Instant submittedAt) {}

    /** Sums what transactions have added since the last call, and returns how many rows that were. */
    int foldCounts();

    /**
     * Counts all jobs by reading them, and returns where the kept counts differ. Takes seconds with millions of jobs.
     * Jobs may change meanwhile.
     *
     * @param repair whether to correct the kept counts
     */
    List<Difference> checkCounts(boolean repair);

    /**
     * A kept count that is wrong.
     *
     * @param queue the queue of the jobs
     * @param type their type
     * @param state their state
     * @param kept how many there are according to the kept count
     * @param counted how many there are
     */
    record Difference(String queue, String type, JobState state, long kept, long counted) {}
}

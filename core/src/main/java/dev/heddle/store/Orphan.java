package dev.heddle.store;

import dev.heddle.job.Job;

/**
 * A job that a dead node held.
 *
 * @param job the job
 * @param guarantee how its attempt was started; NONE if it never was
 * @param hasCheckpoint whether the job has a checkpoint
 * @param children how many children it has, in any state, counted for jobs in their second phase only;
 *         {@link #UNREADABLE} if they could not be read, 0 for all other jobs
 */
public record Orphan(Job job, StartGuarantee guarantee, boolean hasCheckpoint, long children) {

    /** The number of children if they could not be read. */
    public static final long UNREADABLE = -1;

    /** Creates an orphan without children. */
    public Orphan(Job job, StartGuarantee guarantee, boolean hasCheckpoint) {
        this(job, guarantee, hasCheckpoint, 0);
    }
}

package dev.heddle.store;

import dev.heddle.job.Job;

/**
 * A job that a dead node held.
 *
 * @param care how its attempt was started; NONE where it never was
 * @param hasCheckpoint whether an attempt saved where to go on
 * @param children how many it has in whatever state, counted for jobs in their second phase; {@link #UNREADABLE} where
 *            they could not be read, 0 for all others
 */
public record Orphan(Job job, Care care, boolean hasCheckpoint, long children) {

    public static final long UNREADABLE = -1;

    /** Of a job without children. */
    public Orphan(Job job, Care care, boolean hasCheckpoint) {
        this(job, care, hasCheckpoint, 0);
    }
}

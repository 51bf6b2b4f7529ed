package dev.heddle.job;

/** Where a job stands. {@code ARCHITECTURE.md} draws the ways between these. */
public enum JobState {
    /** Waits for a worker. */
    QUEUED,
    /** Waits for its time: a delay, a retry, a staged recovery. */
    SCHEDULED,
    /** Held back by a person, a budget or a rate. */
    PAUSED,
    /** Claimed by a node; its handler may not have started yet. */
    ASSIGNED,
    /** Its handler runs. */
    RUNNING,
    /** A two-phase parent whose children still run; holds no worker. */
    WAITING,
    /** Ended well. */
    COMPLETED,
    /** Ended for good without success: a dead letter. */
    FAILED,
    /** Ended because somebody said so. */
    CANCELLED;

    /** Whether the job has ended; only a manual retry leads out of {@link #FAILED}. */
    public boolean isFinal() {
        return switch (this) {
            case COMPLETED, FAILED, CANCELLED -> true;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING -> false;
        };
    }

    /** Whether a node holds the job for an attempt. */
    public boolean isHeld() {
        return this == ASSIGNED || this == RUNNING;
    }
}

package dev.heddle.job;

/** The states of a job. {@code docs/concepts.md} shows the transitions between them. */
public enum JobState {
    /** The job waits for a worker. */
    QUEUED,
    /** The job waits for a time: a delay, a retry, a staged recovery. */
    SCHEDULED,
    /** Someone paused the job. Queued jobs that a gate or a budget holds back are only shown as PAUSED. */
    PAUSED,
    /** A node has claimed the job; its handler may not have started yet. */
    ASSIGNED,
    /** The handler runs. */
    RUNNING,
    /** A two-phase job waits for its children; it occupies no worker. */
    WAITING,
    /** The job ended with success. */
    COMPLETED,
    /** The job failed for good: it is a dead letter. */
    FAILED,
    /** The job was cancelled. */
    CANCELLED;

    /** Returns whether the job has ended. Only a manual retry of a {@link #FAILED} job leads out of these states. */
    public boolean isFinal() {
        return switch (this) {
            case COMPLETED, FAILED, CANCELLED -> true;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING -> false;
        };
    }

    /** Returns whether a node holds the job for an attempt. */
    public boolean isHeld() {
        return this == ASSIGNED || this == RUNNING;
    }
}

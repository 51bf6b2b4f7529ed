package dev.heddle.store;

import dev.heddle.job.JobState;

/** The reasons that every store writes into the history of parents and children. */
public final class FamilyReasons {

    /** Why a child is cancelled if its parent was cancelled. */
    public static final String PARENT_CANCELLED = "parent job cancelled";

    /** Why a child is cancelled if its parent was deleted. */
    public static final String PARENT_DELETED = "parent job deleted";

    /** Why a waiting parent continues. */
    public static final String CHILDREN_ENDED = "All children have ended";

    private FamilyReasons() {}

    /**
     * Returns why a child is cancelled if its parent has ended.
     *
     * @param end the final state of the parent
     */
    public static String parentEnded(JobState end) {
        return switch (end) {
            case COMPLETED -> "parent job completed";
            case FAILED -> "parent job failed";
            case CANCELLED -> PARENT_CANCELLED;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING ->
                throw new IllegalArgumentException("a parent that is " + end + " has not ended");
        };
    }
}

package dev.heddle.control.model;

/** What a bulk operation does to each of its jobs. */
public enum BulkAction {
    /** Queues dead letters again, with all their retries. */
    RETRY,
    /** Cancels jobs that have not ended, with their children. */
    CANCEL,
    /** Deletes jobs that no node runs. */
    DELETE,
    /** Pauses waiting jobs. */
    PAUSE,
    /** Resumes paused jobs. */
    RESUME,
    /** Gives waiting jobs another priority. */
    REPRIORITIZE,
    /** Moves waiting jobs to another queue. */
    MOVE
}

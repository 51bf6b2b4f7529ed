package dev.heddle.control.model;

import org.jspecify.annotations.Nullable;

/**
 * A bulk operation to start.
 *
 * @param action what to do
 * @param q the query for the jobs; those that are submitted later are left alone
 * @param dryRun whether only to count the jobs; null for no
 * @param reason why, for the histories of jobs that are cancelled or paused; null for a default
 * @param priority the new priority, for REPRIORITIZE
 * @param queue the new queue, for MOVE
 */
public record BulkDraft(@Nullable BulkAction action, @Nullable String q, @Nullable Boolean dryRun,
        @Nullable String reason, @Nullable Integer priority, @Nullable String queue) {

    /** Returns the same operation, as a dry run or not. */
    public BulkDraft dryRun(boolean value) {
        return new BulkDraft(action, q, value, reason, priority, queue);
    }
}

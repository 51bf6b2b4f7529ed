package dev.heddle.control.local;

import java.time.Instant;
import java.util.Set;

import dev.heddle.control.model.BulkAction;
import dev.heddle.job.JobId;
import dev.heddle.query.Condition;
import dev.heddle.query.Field;
import dev.heddle.query.QueryParser;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a bulk operation.
 *
 * @param action what to do
 * @param q the query for its jobs
 * @param now what times in the query are relative to, however long the operation takes
 * @param last the {@code seq} of the last job that it may change
 * @param total how many jobs matched
 * @param estimated whether that was estimated
 * @param actor who started it
 * @param reason why
 * @param priority the new priority; null if it does not change
 * @param queue the new queue; null if it does not change
 * @param commandLines whether the actor may have command lines run
 * @param closedTypes types that the actor may not have run
 */
record BulkOrder(BulkAction action, String q, Instant now, long last, long total, boolean estimated, String actor,
        String reason, @Nullable Integer priority, @Nullable String queue, boolean commandLines,
        Set<String> closedTypes) {

    /** The type of the jobs that carry out bulk operations. */
    static final String TYPE = "heddle-bulk";

    /** How far an operation is: everything up to {@code cursor} is handled. */
    record Progress(long cursor, long done, long failed, long skipped) {

        Progress plus(long moreDone, long moreFailed, long moreSkipped) {
            return new Progress(cursor, done + moreDone, failed + moreFailed, skipped + moreSkipped);
        }

        Progress at(long newCursor) {
            return new Progress(newCursor, done, failed, skipped);
        }

        long handled() {
            return done + failed + skipped;
        }
    }

    /** Returns the query for its jobs. Bulk operations are never among them. */
    JobQuery query() {
        return JobQuery.all().where(QueryParser.parse(q, now))
                .where(new Condition.Not(new Condition.Is(Field.TYPE, TYPE)));
    }

    /** Returns whether the actor may do this to jobs of a type. Only a retry makes a job run that would not. */
    boolean permits(String type) {
        return action != BulkAction.RETRY
                || (!closedTypes.contains(type) && (commandLines || !ReservedNames.isCommandLine(type)));
    }

    /** Returns the order for one job. */
    AdminCommand command(JobId job, Instant at) {
        return switch (action) {
            case RETRY -> new AdminCommand.Retry(job, actor, at);
            case CANCEL -> new AdminCommand.Cancel(job, reason, actor, at);
            case DELETE -> new AdminCommand.Delete(job, actor, at);
            case PAUSE -> new AdminCommand.Pause(job, reason, actor, at);
            case RESUME -> new AdminCommand.Resume(job, actor, at);
            case REPRIORITIZE -> new AdminCommand.Reprioritize(job, priority == null ? 0 : priority, actor, at);
            case MOVE -> new AdminCommand.Move(job, queue == null ? "" : queue, actor, at);
        };
    }
}

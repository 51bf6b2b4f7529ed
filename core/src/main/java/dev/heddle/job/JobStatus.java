package dev.heddle.job;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The state a job is in, with the data that belongs to it: one record per {@link JobState}. Accessors that a state has
 * no value for return null.
 */
public sealed interface JobStatus {

    /** Returns the state. */
    JobState state();

    /** Returns when the job may run, if it waits for a time. */
    default @Nullable Instant dueAt() {
        return null;
    }

    /** Returns the node that holds the job, if one does. */
    default @Nullable String node() {
        return null;
    }

    /** Returns when the current attempt was claimed. */
    default @Nullable Instant assignedAt() {
        return null;
    }

    /** Returns when the handler of the current attempt started, once that is committed. */
    default @Nullable Instant startedAt() {
        return null;
    }

    /** Returns the progress that the current attempt reported last. */
    default @Nullable Progress progress() {
        return null;
    }

    /** Returns why the job is paused, failed or cancelled. */
    default @Nullable String reason() {
        return null;
    }

    /** Returns the result as JSON. */
    default @Nullable String result() {
        return null;
    }

    /** Returns when the job ended. */
    default @Nullable Instant endedAt() {
        return null;
    }

    /** The job waits for a worker. */
    record Queued() implements JobStatus {
        @Override
        public JobState state() {
            return JobState.QUEUED;
        }
    }

    /**
     * The job waits for a time.
     *
     * @param dueAt when it may run
     */
    record Scheduled(Instant dueAt) implements JobStatus {
        @Override
        public JobState state() {
            return JobState.SCHEDULED;
        }
    }

    /**
     * The job was paused.
     *
     * @param reason why
     * @param dueAt the time it waits for once it is resumed; null if it may run at once
     */
    record Paused(@Nullable String reason, @Nullable Instant dueAt) implements JobStatus {
        @Override
        public JobState state() {
            return JobState.PAUSED;
        }
    }

    /**
     * A node has claimed the job; its handler may not have started yet.
     *
     * @param node the node
     * @param assignedAt when it claimed the job
     */
    record Assigned(String node, Instant assignedAt) implements JobStatus {
        @Override
        public JobState state() {
            return JobState.ASSIGNED;
        }
    }

    /**
     * A handler runs.
     *
     * @param node the node it runs on
     * @param assignedAt when that node claimed the job
     * @param startedAt when the handler started
     * @param progress what it reported last; null if nothing
     */
    record Running(String node, Instant assignedAt, Instant startedAt,
            @Nullable Progress progress) implements JobStatus {
        @Override
        public JobState state() {
            return JobState.RUNNING;
        }
    }

    /** A two-phase job waits for its children. */
    record Waiting() implements JobStatus {
        @Override
        public JobState state() {
            return JobState.WAITING;
        }
    }

    /**
     * The job ended with success.
     *
     * @param result the result as JSON; null if there is none
     * @param endedAt when it ended
     */
    record Completed(@Nullable String result, Instant endedAt) implements JobStatus {
        @Override
        public JobState state() {
            return JobState.COMPLETED;
        }
    }

    /**
     * The job failed for good: it is a dead letter.
     *
     * @param reason why
     * @param endedAt when it failed
     */
    record Failed(@Nullable String reason, Instant endedAt) implements JobStatus {
        @Override
        public JobState state() {
            return JobState.FAILED;
        }
    }

    /**
     * The job was cancelled.
     *
     * @param reason why
     * @param endedAt when its last attempt stopped; null until then
     * @param node the node whose attempt has not stopped yet; null once it has
     * @param assignedAt when that attempt was claimed
     * @param startedAt when the handler of that attempt started
     * @param progress what that attempt reported last
     */
    record Cancelled(@Nullable String reason, @Nullable Instant endedAt, @Nullable String node,
            @Nullable Instant assignedAt, @Nullable Instant startedAt,
            @Nullable Progress progress) implements JobStatus {

        /** Creates the status of a job that no node holds any more. */
        public Cancelled(@Nullable String reason, @Nullable Instant endedAt) {
            this(reason, endedAt, null, null, null, null);
        }

        @Override
        public JobState state() {
            return JobState.CANCELLED;
        }
    }

    /**
     * The columns in which a store keeps a status; those that the state has no use for are ignored.
     *
     * @param dueAt when the job may run
     * @param node the node that holds it
     * @param assignedAt when that node claimed it
     * @param startedAt when its handler started
     * @param progress what its handler reported last
     * @param reason why it is paused, failed or cancelled
     * @param result its result as JSON
     * @param endedAt when it ended
     */
    record Columns(@Nullable Instant dueAt, @Nullable String node, @Nullable Instant assignedAt,
            @Nullable Instant startedAt, @Nullable Progress progress, @Nullable String reason, @Nullable String result,
            @Nullable Instant endedAt) {

        /** Returns the status of a job in this state. */
        public JobStatus in(JobState state) {
            return switch (state) {
                case QUEUED -> new Queued();
                case SCHEDULED -> new Scheduled(required(dueAt, "dueAt", state));
                case PAUSED -> new Paused(reason, dueAt);
                case ASSIGNED -> new Assigned(required(node, "node", state), required(assignedAt, "assignedAt", state));
                case RUNNING -> new Running(required(node, "node", state), required(assignedAt, "assignedAt", state),
                        required(startedAt, "startedAt", state), progress);
                case WAITING -> new Waiting();
                case COMPLETED -> new Completed(result, required(endedAt, "endedAt", state));
                case FAILED -> new Failed(reason, required(endedAt, "endedAt", state));
                case CANCELLED -> new Cancelled(reason, endedAt, node, assignedAt, startedAt, progress);
            };
        }

        private static <T> T required(@Nullable T value, String column, JobState state) {
            return Objects.requireNonNull(value, () -> "a job that is " + state + " has no " + column);
        }
    }
}

package dev.heddle.job;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A job as the store has it at one moment.
 *
 * @param seq its place in the order of submission
 * @param spec what was asked for
 * @param state where it stands
 * @param phase what a two-phase job does next, or did last
 * @param counts what happened so far
 * @param status what belongs to the state it is in
 */
public record Job(long seq, JobSpec spec, JobState state, Phase phase, Counts counts,
        Status status) {

    /**
     * What was counted so far.
     *
     * @param attempt the number of the last claim, 0 before the first; never goes back
     * @param failures failed attempts that count against the retries
     * @param crashes times its node died while its start was known to be committed
     */
    public record Counts(int attempt, int failures, int crashes) {
        public static final Counts NONE = new Counts(0, 0, 0);
    }

    /**
     * What belongs to the state the job is in; null where it does not.
     *
     * @param dueAt when it may run, while SCHEDULED (or PAUSED with its time still ahead)
     * @param node who holds it, while ASSIGNED or RUNNING
     * @param assignedAt when the current attempt was claimed
     * @param startedAt when its handler started, once that is committed
     * @param progress what the attempt said last
     * @param reason why it is PAUSED, FAILED or CANCELLED
     * @param result JSON, once COMPLETED
     * @param failure what the last failed attempt said
     * @param endedAt when it ended
     */
    public record Status(@Nullable Instant dueAt, @Nullable String node, @Nullable Instant assignedAt,
            @Nullable Instant startedAt, @Nullable Progress progress, @Nullable String reason,
            @Nullable String result, @Nullable Failure failure, @Nullable Instant endedAt) {

        public static final Status NONE = new Status(null, null, null, null, null, null, null, null, null);
    }

    public JobId id() {
        return spec.id();
    }

    public String type() {
        return spec.type();
    }

    public String queue() {
        return spec.queue();
    }

    /** JSON, once COMPLETED with a result. */
    public Optional<String> result() {
        return Optional.ofNullable(status.result);
    }

    public Optional<Failure> failure() {
        return Optional.ofNullable(status.failure);
    }

    public Optional<String> reason() {
        return Optional.ofNullable(status.reason);
    }

    public Optional<Progress> progress() {
        return Optional.ofNullable(status.progress);
    }

    public Optional<Instant> dueAt() {
        return Optional.ofNullable(status.dueAt);
    }

    public Optional<Instant> endedAt() {
        return Optional.ofNullable(status.endedAt);
    }
}

package dev.heddle.job;

import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job as the store had it at one moment. Immutable.
 *
 * @param seq its place in the order of submission
 * @param spec what was asked for
 * @param phase the phase that a two-phase job runs next, or ran last
 * @param counts what happened so far
 * @param status its state, with the data that belongs to it
 * @param lastFailure why its last failed attempt failed; null if none has, or if the job completed or was cancelled
 */
public record Job(long seq, JobSpec spec, Phase phase, Counts counts, JobStatus status, @Nullable Failure lastFailure) {

    /** Reads the payloads and results of jobs whose pool has no custom JSON mapper. */
    private static final JsonMapper STANDARD = JsonMappers.standard();

    /**
     * What was counted so far.
     *
     * @param attempt the number of the last claim, 0 before the first; never decreases
     * @param failures failed attempts that count against the retries
     * @param crashes attempts that brought their node down, by all that is known
     */
    public record Counts(int attempt, int failures, int crashes) {

        /** Nothing has happened yet. */
        public static final Counts NONE = new Counts(0, 0, 0);
    }

    /** Returns the id. */
    public JobId id() {
        return spec.id();
    }

    /** Returns the name of the job's type. */
    public String type() {
        return spec.type();
    }

    /** Returns the name of the job's queue. */
    public String queue() {
        return spec.queue();
    }

    /** Returns the state. */
    public JobState state() {
        return status.state();
    }

    /** Returns the result as JSON, if the job completed with one. */
    public Optional<String> result() {
        return Optional.ofNullable(status.result());
    }

    /**
     * Returns the result, if the job completed with one.
     *
     * @param <R> the result of the type
     * @throws IllegalArgumentException if the result does not fit the type
     */
    public <R> Optional<R> result(JobType<?, R> type) {
        return result(type, STANDARD);
    }

    /**
     * Returns the result, read by the JSON mapper that the job's pool uses.
     *
     * @param <R> the result of the type
     * @throws IllegalArgumentException if the result does not fit the type
     */
    public <R> Optional<R> result(JobType<?, R> type, JsonMapper mapper) {
        return result().map(json -> read(mapper, json, type.resultType(), "result"));
    }

    /**
     * Returns the payload.
     *
     * @param <P> the payload of the type
     * @throws IllegalArgumentException if the payload does not fit the type
     */
    public <P> P payload(JobType<P, ?> type) {
        return payload(type, STANDARD);
    }

    /**
     * Returns the payload, read by the JSON mapper that the job's pool uses.
     *
     * @param <P> the payload of the type
     * @throws IllegalArgumentException if the payload does not fit the type
     */
    public <P> P payload(JobType<P, ?> type, JsonMapper mapper) {
        return read(mapper, spec.payload(), type.payloadType(), "payload");
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // the callers pass the type of T
    private <T> T read(JsonMapper mapper, String json, Type type, String what) {
        try {
            return mapper.readValue(json, mapper.constructType(type));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("the " + what + " of job " + id() + " cannot be read as "
                    + type.getTypeName() + ": " + JsonErrors.describe(e), e);
        }
    }

    /** Returns why the last failed attempt failed. */
    public Optional<Failure> failure() {
        return Optional.ofNullable(lastFailure);
    }

    /** Returns why the job is paused, failed or cancelled. */
    public Optional<String> reason() {
        return Optional.ofNullable(status.reason());
    }

    /** Returns the progress that the running attempt reported last. */
    public Optional<Progress> progress() {
        return Optional.ofNullable(status.progress());
    }

    /** Returns when the job may run, if it waits for a time. */
    public Optional<Instant> dueAt() {
        return Optional.ofNullable(status.dueAt());
    }

    /** Returns when the job ended. */
    public Optional<Instant> endedAt() {
        return Optional.ofNullable(status.endedAt());
    }
}

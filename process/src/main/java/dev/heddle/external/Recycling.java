package dev.heddle.external;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.job.DurationText;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * When a healthy worker is replaced, because it may leak memory or other resources. Immutable; each method returns a
 * changed copy. Begin with {@link #never()} and add limits.
 *
 * @param jobs replace after this many jobs; null for no limit
 * @param age replace after this time; null for no limit
 * @param idle replace after this time without a job; null for no limit
 * @param memory replace if its processes use more than this many bytes; null for no limit
 * @param jitter the largest share, from 0 to 1, by which the first three limits are lowered at random for each worker,
 *     so workers that were started together are not replaced together; default 0.1
 */
public record Recycling(@Nullable Integer jobs, @Nullable Duration age, @Nullable Duration idle, @Nullable Long memory,
        double jitter) {

    private static final double STANDARD_JITTER = 0.1;

    /** Checks the limits. */
    public Recycling {
        if (jobs != null) {
            Limits.atLeast(1, "jobs", jobs);
        }
        if (memory != null && memory < 1) {
            throw new IllegalArgumentException("memory must be at least 1 byte: " + memory);
        }
        if (age != null) {
            Limits.positive("age", age);
        }
        if (idle != null) {
            Limits.positive("idle", idle);
        }
        if (!(jitter >= 0 && jitter < 1)) {
            throw new IllegalArgumentException("jitter must be at least 0 and below 1: " + jitter);
        }
    }

    /** Returns a rule without limits, which never replaces a worker. */
    public static Recycling never() {
        return new Recycling(null, null, null, null, STANDARD_JITTER);
    }

    /** Replaces a worker after this many jobs. */
    public Recycling afterJobs(int count) {
        return new Recycling(count, age, idle, memory, jitter);
    }

    /** Replaces a worker this long after its start. */
    public Recycling afterAge(Duration time) {
        return new Recycling(jobs, time, idle, memory, jitter);
    }

    /** Replaces a worker that has had no job for this long. */
    public Recycling afterIdle(Duration time) {
        return new Recycling(jobs, age, time, memory, jitter);
    }

    /** Replaces a worker whose processes together use more memory than this. */
    public Recycling aboveMemory(long bytes) {
        return new Recycling(jobs, age, idle, bytes, jitter);
    }

    /** Lowers each worker's limits by a random share of up to this much. */
    public Recycling jitter(double share) {
        return new Recycling(jobs, age, idle, memory, share);
    }

    /**
     * What a worker has done and uses.
     *
     * @param memory of all its processes in bytes; 0 if unknown
     * @param luck the worker's random number from 0 to 1, which the jitter uses
     */
    record Usage(long jobs, Duration age, Duration idle, long memory, double luck) {}

    /** Returns why the worker should be replaced now; empty if it should not. */
    Optional<String> reason(Usage usage) {
        double share = 1 - jitter * usage.luck();
        if (jobs != null && usage.jobs() >= Math.max(1, Math.round(jobs * share))) {
            return Optional.of("recycled after " + usage.jobs() + " jobs");
        }
        if (memory != null && usage.memory() > memory) {
            return Optional.of("recycled at " + usage.memory() + " bytes of memory, over " + memory);
        }
        if (age != null && isOver(usage.age(), age, share)) {
            return Optional.of("recycled at the age of " + DurationText.of(usage.age()));
        }
        if (idle != null && isOver(usage.idle(), idle, share)) {
            return Optional.of("recycled after " + DurationText.of(usage.idle()) + " without a job");
        }
        return Optional.empty();
    }

    private static boolean isOver(Duration time, Duration limit, double share) {
        return time.toMillis() >= Math.round(limit.toMillis() * share);
    }
}

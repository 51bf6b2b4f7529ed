package dev.heddle.external;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.job.SpanText;
import org.jspecify.annotations.Nullable;

/**
 * When a worker that is well is replaced all the same, because it may have grown or aged. Immutable; each method gives a
 * changed copy. Nothing is set to begin with.
 *
 * @param jobs after this many jobs
 * @param age after this time
 * @param idle after this time without a job
 * @param memory once its processes hold more than this many bytes
 * @param jitter by how much of themselves the first three limits are lowered at most, chosen anew for each worker: those
 *     that were started together are not recycled together
 */
public record Recycling(@Nullable Integer jobs, @Nullable Duration age, @Nullable Duration idle,
        @Nullable Long memory,
        double jitter) {

    private static final double STANDARD_JITTER = 0.1;

    public Recycling {
        if (jobs != null && jobs < 1) {
            throw new IllegalArgumentException("recycle after at least 1 job: " + jobs);
        }
        if (memory != null && memory < 1) {
            throw new IllegalArgumentException("recycle above at least 1 byte of memory: " + memory);
        }
        if ((age != null && !age.isPositive()) || (idle != null && !idle.isPositive())) {
            throw new IllegalArgumentException(
                    "recycle after a time longer than zero");
        }
        if (!(jitter >= 0 && jitter < 1)) {
            throw new IllegalArgumentException("jitter must be at least 0 and below 1: " + jitter);
        }
    }

    public static Recycling never() {
        return new Recycling(null, null, null, null, STANDARD_JITTER);
    }

    public Recycling afterJobs(int count) {
        return new Recycling(count, age, idle, memory, jitter);
    }

    public Recycling afterAge(Duration time) {
        return new Recycling(jobs, time, idle, memory, jitter);
    }

    public Recycling afterIdle(Duration time) {
        return new Recycling(jobs, age, time, memory, jitter);
    }

    public Recycling aboveMemory(long bytes) {
        return new Recycling(jobs, age, idle, bytes, jitter);
    }

    public Recycling jitter(double share) {
        return new Recycling(jobs, age, idle, memory, share);
    }

    /**
     * What a worker has behind it.
     *
     * @param memory of all its processes; 0 where it is not known
     * @param luck its own number from 0 to 1, for the jitter
     */
    record Use(long jobs, Duration age, Duration idle, long memory, double luck) {}

    /** Why the worker should be replaced now; empty where it should not. */
    Optional<String> due(Use use) {
        double share = 1 - jitter * use.luck();
        if (jobs != null && use.jobs() >= Math.max(1, Math.round(jobs * share))) {
            return Optional.of("recycled after " + use.jobs() + " jobs");
        }
        if (memory != null && use.memory() > memory) {
            return Optional.of("recycled at " + use.memory() + " bytes of memory, over " + memory);
        }
        if (age != null && isOver(use.age(), age, share)) {
            return Optional.of("recycled at the age of " + SpanText.of(use.age()));
        }
        if (idle != null && isOver(use.idle(), idle, share)) {
            return Optional.of("recycled after " + SpanText.of(use.idle()) + " without a job");
        }
        return Optional.empty();
    }

    private static boolean isOver(Duration time, Duration limit, double share) {
        return time.toMillis() >= Math.round(limit.toMillis() * share);
    }
}

package dev.heddle.job;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * A job's id: a UUIDv7, made by whoever submits. Because the caller has the id before the call, a submit
 * whose answer was lost can be repeated without making a second job; because it starts with the time, ids
 * sort by age and index well.
 */
public record JobId(UUID value) implements Comparable<JobId> {

    /** The last 60-bit stamp handed out: 48 bits of milliseconds, 12 bits of count within one. */
    private static final AtomicLong LAST_STAMP = new AtomicLong();

    /** A new id, larger than every id this JVM made before. */
    public static JobId next() {
        long candidate = System.currentTimeMillis() << 12;
        long stamp = LAST_STAMP.accumulateAndGet(candidate, (last, now) -> Math.max(last + 1, now));
        long high = (stamp >>> 12 << 16) | 0x7000L | (stamp & 0xFFFL);
        long low = (ThreadLocalRandom.current().nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new JobId(new UUID(high, low));
    }

    /** Reads an id as {@link #toString()} writes it. */
    @JsonCreator
    public static JobId of(String text) {
        try {
            return new JobId(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not a job id: '" + text + "'; expected a UUID such as " + JobId.next(), e);
        }
    }

    @Override
    public int compareTo(JobId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(),
                        other.value.getLeastSignificantBits());
    }

    @JsonValue
    @Override
    public String toString() {
        return value.toString();
    }
}

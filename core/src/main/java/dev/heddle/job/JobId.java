package dev.heddle.job;

import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.heddle.env.Environment;

/**
 * The id of a job: a UUIDv7 that the submitter creates. Because the submitter knows the id before the call, it can
 * repeat a submit whose answer was lost without creating a second job. Because a UUIDv7 starts with the time, ids sort
 * by age.
 *
 * @param value the UUID
 */
public record JobId(UUID value) implements Comparable<JobId> {

    /** Returns a new id, larger than every id this JVM made before. */
    public static JobId next() {
        return next(Environment.system());
    }

    /**
     * Returns a new id from the clock and the randomness of an environment, larger than every id this JVM made before.
     */
    public static JobId next(Environment env) {
        // 48 bits of milliseconds, then a counter of 12 bits.
        long stamp = env.nextStamp(env.clock().millis() << 12);
        long high = (stamp >>> 12 << 16) | 0x7000L | (stamp & 0xFFFL);
        long low = (env.random().nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new JobId(new UUID(high, low));
    }

    /**
     * Parses an id from the text that {@link #toString()} returns.
     *
     * @throws IllegalArgumentException if the text is not a UUID
     */
    @JsonCreator
    public static JobId of(String text) {
        try {
            return new JobId(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a job id: '" + text + "'; expected a UUID such as " + JobId.next(),
                    e);
        }
    }

    /** Compares by age: ids that were created earlier come first. */
    @Override
    public int compareTo(JobId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0 ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    /** Returns the UUID as text. */
    @JsonValue
    @Override
    public String toString() {
        return value.toString();
    }
}

package dev.heddle.env;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Reads the time of day and tells when it was set, by comparing it with the time that has passed. It jumps if NTP
 * corrects it, or if a virtual machine is resumed. After a suspend it does not, because it went on meanwhile. Not
 * thread-safe.
 */
public final class TimeOfDay {

    /** Less than this is not a jump: the clocks are not read at the same moment, and are not equally fast. */
    public static final Duration TOLERANCE = Duration.ofSeconds(1);
    private static final Duration LONGEST_READING = Duration.ofMillis(100);

    private final Environment env;
    private Clocks last;
    /** What was read before a jump; null if the last reading told of none. */
    private @Nullable Clocks beforeJump;

    private record Clocks(Instant now, Duration elapsed, Duration suspended) {

        /** Returns by how much more the time of day has moved since then than time has passed. */
        Duration ahead(Instant laterNow, Duration laterElapsed) {
            return Duration.between(now, laterNow).minus(laterElapsed.minus(elapsed));
        }
    }

    /** Starts to watch the clock of an environment. */
    public TimeOfDay(Environment env) {
        this.env = env;
        this.last = readTogether(null);
    }

    /**
     * What the clock shows.
     *
     * @param now the time of day
     * @param jump by how much it was set since the last reading, in milliseconds, negative if back; zero if it was not
     *         set
     */
    public record Reading(Instant now, Duration jump) {

        /** Returns whether the clock was set since the last reading. */
        public boolean hasJumped() {
            return !jump.isZero();
        }
    }

    /** Returns the time of day, without looking for a jump. Any thread may call this. */
    public Instant now() {
        return env.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Reads the clock. Only the first reading after a jump tells of it. */
    public Reading read() {
        Clocks before = last;
        last = readTogether(before);
        Duration jump = before.ahead(last.now, last.elapsed).minus(last.suspended.minus(before.suspended));
        boolean jumped = !isTolerable(jump);
        beforeJump = jumped ? before : null;
        return new Reading(last.now, jumped ? jump.truncatedTo(ChronoUnit.MILLIS) : Duration.ZERO);
    }

    /**
     * Reads all clocks, and again if this thread was stopped in between, which would look like a jump. Asks the
     * operating system about suspends only if there is something to explain.
     */
    private Clocks readTogether(@Nullable Clocks before) {
        while (true) {
            Duration elapsed = env.elapsed();
            Instant now = env.clock().instant();
            Duration suspended = before == null ? env.suspended()
                    : isTolerable(before.ahead(now, elapsed)) ? before.suspended : suspended(before);
            if (env.elapsed().minus(elapsed).compareTo(LONGEST_READING) < 0) {
                return new Clocks(now, elapsed, suspended);
            }
        }
    }

    private Duration suspended(Clocks before) {
        Duration suspended = env.suspended();
        return isTolerable(suspended.minus(before.suspended)) ? before.suspended : suspended;
    }

    private static boolean isTolerable(Duration ahead) {
        return ahead.abs().compareTo(TOLERANCE) < 0;
    }

    /** Takes back the last reading if it told of a jump, because nothing came of it. The next one tells of it again. */
    public void unread() {
        if (beforeJump != null) {
            last = beforeJump;
            beforeJump = null;
        }
    }
}

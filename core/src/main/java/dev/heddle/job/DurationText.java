package dev.heddle.job;

import java.time.Duration;
import java.util.Locale;

/**
 * Formats durations for messages: {@code 200 ms}, {@code 8 s}, {@code 3.4 s}, {@code 2m05s}, {@code 1h}, {@code 7d}.
 */
public final class DurationText {

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private DurationText() {}

    /**
     * Returns the duration in its two largest units, or in one if the second is zero. A negative duration is shown as
     * zero, and one beyond {@link Limits#DURATION} as that.
     */
    public static String of(Duration duration) {
        if (duration.compareTo(Limits.DURATION) > 0) {
            return "over 100 years";
        }
        long millis = duration.isNegative() ? 0 : duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < MINUTE) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0).replace(".0 s", " s");
        }
        if (millis < HOUR) {
            return inTwo(millis / MINUTE, "m", millis % MINUTE / 1_000, "s");
        }
        return millis < 2 * DAY ? inTwo(millis / HOUR, "h", millis % HOUR / MINUTE, "m")
                : inTwo(millis / DAY, "d", millis % DAY / HOUR, "h");
    }

    private static String inTwo(long large, String unit, long small, String smallUnit) {
        return large + unit + (small == 0 ? "" : String.format(Locale.ROOT, "%02d%s", small, smallUnit));
    }
}

package dev.heddle.schedule;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import dev.heddle.job.Limits;

/**
 * What to do if a schedule fires and an earlier run of it has not ended. Runs that are triggered, caught up or
 * backfilled start in any case.
 */
public enum Overlap {

    /** Starts the run beside the earlier one. */
    ALLOW("allow"),
    /** Leaves the run out. The default. */
    SKIP("skip"),
    /** Starts the run when the earlier one has ended. Only one run waits; others are left out meanwhile. */
    QUEUE_ONE("queueOne"),
    /** Cancels the earlier run, and starts the new one as soon as the earlier one has stopped. */
    CANCEL_PREVIOUS("cancelPrevious");

    private final String text;

    Overlap(String text) {
        this.text = text;
    }

    /**
     * Parses the text that {@link #toString} returns.
     *
     * @throws IllegalArgumentException if there is no such policy
     */
    public static Overlap parse(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values()).filter(policy -> policy.text.toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown policy for overlaps '" + Limits.quoted(text)
                        + "'; expected " + Arrays.stream(values()).map(Overlap::toString)
                                .collect(Collectors.joining(", "))));
    }

    /** Returns the name as it is written in configurations, such as {@code queueOne}. */
    @Override
    public String toString() {
        return text;
    }
}

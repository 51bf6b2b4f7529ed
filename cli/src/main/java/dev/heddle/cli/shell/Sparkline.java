package dev.heddle.cli.shell;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A row of bars, each one character wide. */
public final class Sparkline {

    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    /** Returns a bar for each value, and a dot for zero. The highest value has a full bar. */
    public static String of(long... values) {
        long most = Math.max(1, Arrays.stream(values).max().orElse(1));
        return Arrays.stream(values)
                .mapToObj(value -> value <= 0 ? "·"
                        : String.valueOf(BARS.charAt((int) Math.min(BARS.length() - 1, value * BARS.length() / most))))
                .collect(Collectors.joining());
    }
}

package dev.heddle.cli.shell;

import java.util.function.LongSupplier;

/**
 * One line on a terminal that says how far something is, drawn over and over and wiped at the end. It shows only once
 * the work has taken a second, and never where nobody watches.
 */
public final class ProgressLine implements AutoCloseable {

    private static final long PATIENCE = 1_000_000_000L;
    private static final long BETWEEN = 100_000_000L;
    private static final int BAR = 24;
    private static final String WIPE = "\r\u001b[K";

    private final Screen screen;
    private final LongSupplier nanos;
    private final long began;
    private long drawn;
    private boolean visible;

    public ProgressLine(Screen screen) {
        this(screen, System::nanoTime);
    }

    ProgressLine(Screen screen, LongSupplier nanos) {
        this.screen = screen;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.drawn = began - BETWEEN;
    }

    /** Shows a bar; without a known total only what there is to say. */
    public void show(long current, long total, String text) {
        show(total <= 0 ? text : bar(current, total) + " " + text);
    }

    /** Shows the text where it is time for it. */
    public void show(String text) {
        long now = nanos.getAsLong();
        if (!screen.terminal().err() || now - began < PATIENCE || now - drawn < BETWEEN) {
            return;
        }
        drawn = now;
        visible = true;
        int width = Math.min(screen.terminal().width(), 200) - 1;
        String line = Screen.harmless(text);
        screen.err().print(WIPE + (line.length() > width ? line.substring(0, width) : line));
        screen.err().flush();
    }

    static String bar(long current, long total) {
        double share = Math.clamp((double) current / total, 0, 1);
        int full = (int) Math.round(share * BAR);
        return "█".repeat(full) + "░".repeat(BAR - full) + " " + Math.round(share * 100) + "%";
    }

    @Override
    public void close() {
        if (visible) {
            screen.err().print(WIPE);
            screen.err().flush();
            visible = false;
        }
    }
}

package dev.heddle.cli.shell;

import java.util.function.LongSupplier;

import dev.heddle.output.SafeText;

/**
 * A progress line on a terminal that is redrawn in place and erased at the end. It appears after one second, and never
 * if stderr is not a terminal.
 */
public final class ProgressLine implements AutoCloseable {

    private static final long DELAY_NANOS = 1_000_000_000L;
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final int BAR_WIDTH = 24;
    private static final String ERASE = "\r\u001b[K";

    private final CliOutput output;
    private final LongSupplier nanos;
    private final long began;
    private long drawn;
    private boolean visible;

    /** Creates a line that is not visible yet. */
    public ProgressLine(CliOutput output) {
        this(output, System::nanoTime);
    }

    ProgressLine(CliOutput output, LongSupplier nanos) {
        this.output = output;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.drawn = began - REDRAW_NANOS;
    }

    /** Shows a bar and a text, or only the text if the total is not known. */
    public void show(long current, long total, String text) {
        show(total <= 0 ? text : bar(current, total) + " " + text);
    }

    /** Shows a text. Skips it if the line was drawn a moment ago. */
    public void show(String text) {
        long now = nanos.getAsLong();
        if (!output.terminal().err() || now - began < DELAY_NANOS || now - drawn < REDRAW_NANOS) {
            return;
        }
        drawn = now;
        visible = true;
        int width = Math.min(output.terminal().width(), 200) - 1;
        String line = SafeText.line(text);
        output.err().print(ERASE + (line.length() > width ? line.substring(0, width) : line));
        output.err().flush();
    }

    static String bar(long current, long total) {
        double share = Math.clamp((double) current / total, 0, 1);
        int full = (int) Math.round(share * BAR_WIDTH);
        return "█".repeat(full) + "░".repeat(BAR_WIDTH - full) + " " + Math.round(share * 100) + "%";
    }

    @Override
    public void close() {
        if (visible) {
            output.err().print(ERASE);
            output.err().flush();
            visible = false;
        }
    }
}

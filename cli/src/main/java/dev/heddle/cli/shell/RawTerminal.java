package dev.heddle.cli.shell;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The whole screen of a terminal, and single keys from it. Closing it, or the end of the process by Ctrl-C, shows what
 * was there before. If {@code stty} does not work, there are no keys.
 */
public final class RawTerminal implements AutoCloseable {

    private static final File TTY = new File("/dev/tty");
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String ERASE_LINE = "\u001b[K";
    private static final String ERASE_BELOW = "\u001b[J";
    private static final Size DEFAULT_SIZE = new Size(24, 80);
    private static final Duration SIZE_INTERVAL = Duration.ofSeconds(2);
    private static final Duration KEY_INTERVAL = Duration.ofMillis(100);

    private final PrintWriter out;
    private final @Nullable String saved;
    private final Thread restoring = new Thread(this::restore, "restore-terminal");
    private Size size = DEFAULT_SIZE;
    private long sizeRead;
    private boolean restored;

    /** How large a terminal is. */
    public record Size(int rows, int columns) {}

    /** What a key means. */
    public enum Key {
        /** No key was pressed. */
        NONE,
        /** The key q. */
        QUIT,
        /** The key p or the space bar. */
        PAUSE,
        /** The key s, or an arrow to the right or down. */
        NEXT,
        /** The key S, or an arrow to the left or up. */
        PREVIOUS
    }

    private RawTerminal(PrintWriter out, @Nullable String saved) {
        this.out = out;
        this.saved = saved;
    }

    /** Takes the terminal of this process. */
    public static RawTerminal open(CliOutput output) {
        PrintWriter out = output.out();
        String saved = stty("-g");
        RawTerminal terminal = new RawTerminal(out, saved);
        Runtime.getRuntime().addShutdownHook(terminal.restoring);
        if (saved != null) {
            stty("-icanon", "-echo", "min", "0", "time", "0");
        }
        out.print(ENTER);
        out.flush();
        terminal.readSize();
        return terminal;
    }

    /** Returns the size, which follows that of the window within two seconds. */
    public Size size() {
        if (System.nanoTime() - sizeRead > SIZE_INTERVAL.toNanos()) {
            readSize();
        }
        return size;
    }

    private void readSize() {
        sizeRead = System.nanoTime();
        String text = stty("size");
        String[] numbers = text == null ? new String[0] : text.split(" ", -1);
        if (numbers.length == 2 && numbers[0].matches("[1-9]\\d{0,4}") && numbers[1].matches("[1-9]\\d{0,4}")) {
            size = new Size(Integer.parseInt(numbers[0]), Math.max(40, Integer.parseInt(numbers[1])));
        }
    }

    /** Shows lines, as they are, in place of what was shown before. */
    public void draw(List<String> lines) {
        StringBuilder screen = new StringBuilder(HOME);
        for (int i = 0; i < Math.min(lines.size(), size.rows); i++) {
            screen.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(ERASE_LINE);
        }
        out.print(screen.append(ERASE_BELOW));
        out.flush();
    }

    /** Waits for a key, at most this long. */
    public Key await(Duration atMost) throws IOException, InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < until) {
            Key key = saved == null ? Key.NONE : read(System.in);
            if (key != Key.NONE) {
                return key;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(KEY_INTERVAL.toNanos(), Math.max(1, until - System.nanoTime())));
        }
        return Key.NONE;
    }

    static Key read(InputStream keys) throws IOException {
        if (keys.available() == 0) {
            return Key.NONE;
        }
        return switch (keys.read()) {
            case 'q', 'Q' -> Key.QUIT;
            case 'p', 'P', ' ' -> Key.PAUSE;
            case 's' -> Key.NEXT;
            case 'S' -> Key.PREVIOUS;
            case 0x1b -> arrow(keys);
            default -> Key.NONE;
        };
    }

    private static Key arrow(InputStream keys) throws IOException {
        if (keys.available() < 2 || keys.read() != '[') {
            return Key.NONE;
        }
        return switch (keys.read()) {
            case 'B', 'C' -> Key.NEXT;
            case 'A', 'D' -> Key.PREVIOUS;
            default -> Key.NONE;
        };
    }

    /** Runs {@code stty} for the terminal; returns its output, or null if that fails. */
    private static @Nullable String stty(String... arguments) {
        try {
            ProcessBuilder stty = new ProcessBuilder("stty").redirectInput(TTY)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            stty.command().addAll(List.of(arguments));
            Process process = stty.start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? text : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private synchronized void restore() {
        if (!restored) {
            restored = true;
            out.print(LEAVE);
            out.flush();
            if (saved != null) {
                stty(saved);
            }
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(restoring);
        } catch (IllegalStateException e) {
            // The process ends, and the hook has nothing left to do.
        }
    }
}

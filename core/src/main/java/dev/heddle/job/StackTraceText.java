package dev.heddle.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Writes throwables as text, in the form of {@link Throwable#printStackTrace()}, and reads such texts.
 *
 * <p>Any throwable can be written: the methods of an application's exception may throw, return null, or lead in
 * circles. The text has at most {@link Limits#STACK_TRACE} characters, however long the messages are.
 */
final class StackTraceText {

    private static final String CAUSED_BY = "Caused by: ";
    private static final Pattern FRAME = Pattern.compile("\tat (.+)\\.([^.(]+)\\(([^()]*?)(?::(\\d{1,9}))?\\)");
    private static final StackTraceElement[] NO_FRAMES = {};
    private static final String CUT = "\n… (the rest of the stack trace was cut)";
    private static final int MOST = Limits.STACK_TRACE - CUT.length();

    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackTraceText() {}

    /** Returns the stack trace with all causes; null if it would show no more than the first line. */
    static @Nullable String of(Throwable thrown) {
        StackTraceText trace = new StackTraceText();
        trace.write(thrown, "", "", NO_FRAMES);
        String text = trace.text.toString().strip();
        if (text.length() > MOST) {
            return text.substring(0, MOST) + CUT;
        }
        return text.indexOf('\n') < 0 ? null : text;
    }

    /** Returns the message of a throwable, or a note that it has none that can be read; null if it has none. */
    static @Nullable String message(Throwable thrown) {
        return guarded(thrown::getMessage, "(getMessage() failed)");
    }

    private void write(Throwable first, String indent, String caption, StackTraceElement[] around) {
        @Nullable Throwable thrown = first;
        String before = caption;
        StackTraceElement[] enclosing = around;
        while (thrown != null && text.length() <= Limits.STACK_TRACE) {
            Throwable current = thrown;
            text.append(indent).append(before).append(title(current)).append('\n');
            if (!seen.add(current)) {
                return;
            }
            StackTraceElement[] frames = writeFrames(current, indent, enclosing);
            for (Throwable suppressed : current.getSuppressed()) {
                write(suppressed, indent + "\t", "Suppressed: ", frames);
            }
            before = CAUSED_BY;
            enclosing = frames;
            thrown = guarded(current::getCause, null);
        }
    }

    /** Writes the frames that the enclosing trace does not end with as well. */
    private StackTraceElement[] writeFrames(Throwable thrown, String indent, StackTraceElement[] enclosing) {
        StackTraceElement @Nullable [] known = guarded(thrown::getStackTrace, null);
        StackTraceElement[] frames = known == null ? NO_FRAMES : known;
        int common = 0;
        while (common < frames.length && common < enclosing.length && frames[frames.length - 1 - common] != null
                && frames[frames.length - 1 - common].equals(enclosing[enclosing.length - 1 - common])) {
            common++;
        }
        for (int i = 0; i < frames.length - common && text.length() <= Limits.STACK_TRACE; i++) {
            text.append(indent).append("\tat ").append(frames[i]).append('\n');
        }
        if (common > 0) {
            text.append(indent).append("\t... ").append(common).append(" more\n");
        }
        return frames;
    }

    private static String title(Throwable thrown) {
        String name = thrown.getClass().getName();
        @Nullable String own = guarded(thrown::toString, name + " (toString() failed)");
        return Limits.cut(own == null ? name : own, Limits.MESSAGE);
    }

    @SuppressWarnings("CatchingThrowable") // an application may have written these methods
    private static <T> @Nullable T guarded(Supplier<@Nullable T> method, @Nullable T otherwise) {
        try {
            return method.get();
        } catch (Throwable e) {
            return otherwise;
        }
    }

    /**
     * What can be read of a text that {@link #of} returned.
     *
     * @param frames the frames of the first throwable
     * @param cause its cause; null if it has none
     */
    record Parsed(List<StackTraceElement> frames, @Nullable Throwable cause) {}

    static Parsed parse(String text) {
        List<String> titles = new ArrayList<>(List.of(""));
        List<List<StackTraceElement>> traces = new ArrayList<>(List.of(new ArrayList<>()));
        text.lines().forEach(line -> {
            Matcher frame = FRAME.matcher(line);
            if (line.startsWith(CAUSED_BY)) {
                titles.add(line.substring(CAUSED_BY.length()));
                traces.add(new ArrayList<>());
            } else if (frame.matches()) {
                traces.getLast().add(element(frame));
            }
        });
        @Nullable Throwable cause = null;
        for (int i = titles.size() - 1; i > 0; i--) {
            cause = new Recorded(titles.get(i), cause, traces.get(i));
        }
        return new Parsed(traces.getFirst(), cause);
    }

    private static StackTraceElement element(Matcher frame) {
        String place = frame.group(3);
        return switch (place) {
            case "Native Method" -> new StackTraceElement(frame.group(1), frame.group(2), null, -2);
            case "Unknown Source" -> new StackTraceElement(frame.group(1), frame.group(2), null, -1);
            default -> new StackTraceElement(frame.group(1), frame.group(2), place,
                    frame.group(4) == null ? -1 : Integer.parseInt(frame.group(4)));
        };
    }

    /** A cause that is known only as text. */
    private static final class Recorded extends Exception {
        Recorded(String title, @Nullable Throwable cause, List<StackTraceElement> frames) {
            super(title, cause);
            setStackTrace(frames.toArray(StackTraceElement[]::new));
        }

        // The text begins with the name of the class that was thrown.
        @SuppressWarnings("OverrideThrowableToString")
        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}

package dev.heddle.cli.log;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.heddle.output.SafeText;

/** Formats an event as one line: time, level, message, then its fields as {@code key=value}. */
final class LineLayout extends LayoutBase<ILoggingEvent> {

    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    private final DateTimeFormatter time;
    private final boolean color;

    /** Creates a layout, with colors for a terminal that shows them. */
    LineLayout(String timePattern, boolean color) {
        this.color = color;
        this.time = DateTimeFormatter.ofPattern(timePattern).withZone(ZoneId.systemDefault());
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(128)
                .append(painted(DIM, time.format(Instant.ofEpochMilli(event.getTimeStamp())))).append(' ')
                .append(painted(color(event.getLevel()), event.getLevel().toString()))
                .append(event.getLevel().toString().length() == 4 ? "  " : " ")
                .append(SafeText.line(event.getFormattedMessage()));
        fields(event)
                .forEach((key, value) -> line.append(' ').append(painted(DIM, SafeText.line(key) + "="))
                        .append(SafeText.line(value)));
        line.append(System.lineSeparator());
        if (event.getThrowableProxy() != null) {
            ThrowableProxyUtil.asString(event.getThrowableProxy()).lines()
                    .forEach(frame -> line.append(frame.startsWith("\t") ? "\t" : "")
                            .append(SafeText.line(frame.strip())).append(System.lineSeparator()));
        }
        return line.toString();
    }

    private String painted(String style, String text) {
        return color && !style.isEmpty() ? style + text + PLAIN : text;
    }

    private static String color(Level level) {
        return level.isGreaterOrEqual(Level.ERROR) ? "\u001b[31m"
                : level.isGreaterOrEqual(Level.WARN) ? "\u001b[33m" : "";
    }

    /** Returns the fields of an event, sorted. */
    static Map<String, String> fields(ILoggingEvent event) {
        Map<String, String> fields = new TreeMap<>(event.getMDCPropertyMap());
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
        }
        return fields;
    }
}

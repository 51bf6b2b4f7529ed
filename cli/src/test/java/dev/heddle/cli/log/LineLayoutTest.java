package dev.heddle.cli.log;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.heddle.control.ControlJson;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class LineLayoutTest {

    /** Sets the clipboard, asks for the cursor's position, and forges a line. */
    private static final String EVIL = "begin \u001b]52;c;ZXZpbA==\u0007 \u001b[6n \u009b2J\r\n12:00:00 INFO  forged \u202e end";

    private final LoggerContext context = new LoggerContext();

    private String line(String message, Throwable thrown) {
        LineLayout layout = new LineLayout("HH:mm:ss", false);
        layout.setContext(context);
        LoggingEvent event = new LoggingEvent("", context.getLogger("test"), Level.WARN, message, thrown, null);
        event.setMDCPropertyMap(Map.of("job", EVIL));
        event.setKeyValuePairs(List.of(new KeyValuePair(EVIL, EVIL)));
        return layout.doLayout(event);
    }

    @Test
    void neutralizesControlCharactersInMessagesFieldsAndStackTraces() {
        IllegalStateException thrown = new IllegalStateException(EVIL, new IllegalArgumentException(EVIL));
        thrown.addSuppressed(new IllegalArgumentException(EVIL));

        String text = line(EVIL, thrown);

        assertThat(text.replace("\n", "").replace("\t", "").chars()).as(text)
                .noneMatch(c -> Character.isISOControl(c) || c == '\u202e');
        assertThat(text).contains("IllegalStateException: begin ?]52;c;ZXZpbA==?",
                "Caused by: java.lang.IllegalArgumentException: begin",
                "Suppressed: java.lang.IllegalArgumentException");
        assertThat(text.lines().findFirst().orElseThrow()).startsWith(text.substring(0, 8) + " WARN  begin ?]52")
                .contains("forged", "job=begin");
    }

    @Test
    void colorsTheLevelOnATerminal() {
        LineLayout layout = new LineLayout("HH:mm:ss", true);
        LoggingEvent event = new LoggingEvent("", context.getLogger("test"), Level.WARN, "careful", null, null);
        event.setMDCPropertyMap(Map.of("job", "1"));

        assertThat(layout.doLayout(event)).contains("\u001b[33mWARN\u001b[0m  careful", "\u001b[2mjob=\u001b[0m1");
    }

    @Test
    void writesAJsonDocumentPerLine() {
        LoggingEvent event = new LoggingEvent("", context.getLogger("test"), Level.ERROR, EVIL,
                new IllegalStateException(EVIL), null);
        event.setMDCPropertyMap(Map.of("job", "1", "level", "forged"));

        String text = new JsonLayout().doLayout(event);

        assertThat(text).hasLineCount(1).endsWith("\n");
        JsonNode line = ControlJson.tree(text);
        assertThat(line.propertyNames()).startsWith("time", "level", "message", "logger");
        assertThat(line.get("level").stringValue()).isEqualTo("ERROR");
        assertThat(line.get("job").stringValue()).isEqualTo("1");
        assertThat(line.get("exception").stringValue()).contains("IllegalStateException");
    }
}

package dev.heddle.log;

import java.time.Instant;
import java.util.Map;

import dev.heddle.log.LogCursor.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogCursorTest {

    @Test
    void isReadAsItWasWritten() {
        LogCursor cursor = new LogCursor(true, 7,
                Map.of(7, new Seen(120, true, true), 9, new Seen(0, true, false), 12, new Seen(1L << 40, false, false)),
                Instant.ofEpochMilli(1_700_000_000_123L), 2);
        assertThat(LogCursor.parse(cursor.text())).isEqualTo(cursor);
        assertThat(LogCursor.parse(LogCursor.START.text())).isEqualTo(LogCursor.START);
        assertThat(LogCursor.parse(null)).isEqualTo(LogCursor.START);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "s", "s1", "s1_", "s1_2", "s1_-_1", "s1_-_1x2", "s1_-_1x2x", "s1_ax1", "n9999999999_-"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> LogCursor.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cursor '" + text + "'");
    }
}

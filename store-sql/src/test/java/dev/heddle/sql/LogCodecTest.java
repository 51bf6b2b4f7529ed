package dev.heddle.sql;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import dev.heddle.log.LogChunk;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogStream;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogCodecTest {

    private static final LogChunk CHUNK = new LogChunk(3,
            List.of(new LogLine(3, 7, Instant.ofEpochMilli(1_700_000_000_000L), Level.INFO, LogStream.LOG, "one"),
                    new LogLine(3, 8, Instant.ofEpochMilli(1_699_999_999_000L), Level.ERROR, LogStream.STDERR, "ü\0"),
                    new LogLine(3, 1L << 40, Instant.ofEpochMilli(0), Level.TRACE, LogStream.STDOUT, "")),
            true);

    @Test
    void readsWhatItWrote() {
        assertThat(LogCodec.read(3, LogCodec.write(CHUNK))).isEqualTo(CHUNK);
        assertThat(LogCodec.write(CHUNK)).hasSizeLessThan(50);
    }

    @Test
    void refusesDamagedBytesInsteadOfFailing() {
        byte[] bytes = LogCodec.write(CHUNK);
        assertThatThrownBy(() -> LogCodec.read(3, new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LogCodec.read(3, new byte[]{9, 0})).hasMessageContaining("version 9");
        assertThatThrownBy(() -> LogCodec.read(3, Arrays.copyOf(bytes, bytes.length - 1)))
                .isInstanceOf(IllegalArgumentException.class);
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                assertThat(LogCodec.read(3, damaged).lines()).isNotEmpty();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("of a log");
            }
        }
    }
}

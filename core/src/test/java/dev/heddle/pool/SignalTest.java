package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class SignalTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    /** A lease is to be renewed then, whatever the clock on the wall says meanwhile. */
    @Test
    @Timeout(10)
    void sleepsNoLongerBecauseTheClockIsSetBack() {
        AtomicInteger looks = new AtomicInteger();
        Signal signal = new Signal(() -> looks.getAndIncrement() == 0 ? NOW : NOW.minus(Duration.ofHours(1)));

        signal.await(NOW.plusMillis(50));

        assertThat(looks).hasValueGreaterThan(1);
    }
}

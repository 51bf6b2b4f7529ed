package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class OrphanTest {

    private static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");

    private static @Nullable Instant at(@Nullable Integer seconds) {
        return seconds == null ? null : T0.plusSeconds(seconds);
    }

    /** Columns, in seconds: start, last renewal, when the node was found dead; how long the attempt ran. */
    @ParameterizedTest
    @CsvSource({"100,130,5000,35", "100,130,132,32", "100,100,5000,5", "104,100,5000,1", "108,100,5000,0",
        "100,,160,60", ",130,5000,0"})
    void estimatesHowLongAnAttemptRanByTheLastRenewalOfItsNode(@Nullable Integer started, @Nullable Integer renewed,
            int found, int ran) {
        assertThat(Orphan.ranFor(at(started), at(renewed), Duration.ofSeconds(30), T0.plusSeconds(found)))
                .isEqualTo(Duration.ofSeconds(ran));
    }
}

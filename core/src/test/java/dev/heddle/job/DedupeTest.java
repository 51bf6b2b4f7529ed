package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DedupeTest {

    private static final JobType<String, String> MAIL = JobType.of("mail", String.class, String.class);

    @ParameterizedTest
    @CsvSource({"PT1H,within 1h", "PT90M,within 90m", "PT36H,within 36h", "P2D,within 2d", "PT0.25S,within 250ms",
        "PT61S,within 61s"})
    void writesTimesInTheLargestUnitThatFits(Duration time, String text) {
        assertThat(Dedupe.within(time)).hasToString(text);
        assertThat(Dedupe.parse(text)).isEqualTo(Dedupe.within(time));
    }

    @Test
    void readsWhatItWrites() {
        for (Dedupe mode : List.of(Dedupe.whileActive(), Dedupe.within(Limits.DURATION), Dedupe.replace(),
                Dedupe.debounce(Duration.ofMillis(1), Limits.DURATION), Dedupe.supersede())) {
            assertThat(Dedupe.parse(mode.toString())).isEqualTo(mode);
        }
        assertThat(Dedupe.parse("  Debounce  10s   MAX 1m ")).hasToString("debounce 10s max 1m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "within", "within 1", "within -1h", "within 1w", "debounce 10s", "replace 1h",
        "within 1h replace"})
    void namesWhatItCannotRead(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Dedupe.parse(text))
                .withMessage("dedupe must be 'while active', 'within 1h', 'replace', 'debounce 10s max 1m' or "
                        + "'supersede', with any times: '" + text + "'");
    }

    @Test
    void refusesTimesThatMakeNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> Dedupe.within(Duration.ofSeconds(-1)))
                .withMessage("within must be longer than zero: PT-1S");
        assertThatIllegalArgumentException().isThrownBy(() -> Dedupe.parse("within 999999999999d"))
                .withMessage("within must be at most 36500 days: over 100 years");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dedupe.debounce(Duration.ofSeconds(10), Duration.ofSeconds(5)))
                .withMessage("debounce must wait no longer than its max: it waits 10s, and max is 5s");
    }

    @Test
    void onlyDebounceSetsTheStart() {
        Dedupe debounce = Dedupe.debounce(Duration.ofSeconds(1), Duration.ofSeconds(9));
        assertThat(MAIL.with("x").delay(Duration.ofHours(1)).dedupeKey("k", Dedupe.replace()).start())
                .isEqualTo(new JobRequest.Start.After(Duration.ofHours(1)));
        String message = "a job that is debounced cannot have a delay or a start time: debounce says when it starts";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MAIL.with("x").delay(Duration.ofHours(1)).dedupeKey("k", debounce))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MAIL.with("x").dedupeKey("k", debounce).runAt(Instant.parse("2030-01-01T00:00:00Z")))
                .withMessage(message);
    }
}

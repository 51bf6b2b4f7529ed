package dev.heddle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ScheduleRuleTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 30 2 *        | it never fires: no month has such a day
            0 0 31 4,6 *      | it never fires: no month has such a day
            60 * * * *        | value 60 not in range [0, 59]
            0 24 * * *        | value 24 not in range [0, 23]
            0 9 0 * *         | value 0 not in range [1, 31]
            0 9 * * 8         | value 8 not in range [0, 7]
            0 22-2 * * *      | the range 22-2 is backwards; write two ranges
            0 0 1 NOV-FEB *   | the range 11-2 is backwards; write two ranges
            0 0 31W * *       | not every month has day 31; for the last weekday of the month, write LW
            0 9 * *           | it has 4 fields; expected 5
            daily             | it has 1 field; expected 5
            @reboot           | invalid cron expression '@reboot': expected @yearly
            */0 * * * *       | the step 0 must be from 1 to 59
            0 */99 * * *      | the step 99 must be from 1 to 23
            * * * * * * *     | it has 7 fields; expected 5
            every -5m         | invalid interval 'every -5m': write a whole number of at least 1
            every 500ms       | invalid interval 'every 500ms': write a whole number of at least 1
            every 0s          | interval must be at least 1 s, in whole seconds: 0 ms
            every 1.5h        | invalid interval 'every 1.5h'
            every 100000d     | interval must be at most 36500 days
            every             | invalid interval 'every'
            """)
    void refusesWhatCannotBeMeant(String text, String reason) {
        assertThatThrownBy(() -> ScheduleRule.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason).hasMessageNotContaining("\n");
    }

    @Test
    void refusesWhatFiresMoreThanOnceASecond() {
        assertThatThrownBy(() -> ScheduleRule.every(Duration.ofMillis(500)))
                .hasMessage("interval must be at least 1 s, in whole seconds: 500 ms");
        assertThatThrownBy(() -> ScheduleRule.every(Duration.ofMinutes(-5)))
                .hasMessage("interval must be at least 1 s, in whole seconds: -5m");
        assertThatThrownBy(() -> ScheduleRule.every(Duration.ofMillis(1_500)))
                .hasMessage("interval must be at least 1 s, in whole seconds: 1.5 s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            every 15m          | 2026-01-01T10:07:00Z | 2026-01-01T10:15:00Z
            every 15m          | 2026-01-01T10:15:00Z | 2026-01-01T10:30:00Z
            every 1s           | 2026-01-01T10:15:00.5Z | 2026-01-01T10:15:01Z
            every 1d           | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z
            * * * * * *        | 2026-01-01T10:15:00.5Z | 2026-01-01T10:15:01Z
            0 0 9 * * ?        | 2026-01-01T10:15:00Z | 2026-01-02T09:00:00Z
            0 9 * * FRI-MON    | 2026-01-06T10:00:00Z | 2026-01-09T09:00:00Z
            0 9 * * 5-7        | 2026-01-03T10:00:00Z | 2026-01-04T09:00:00Z
            0 0 29 2 *         | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z
            @YEARLY            | 2026-01-01T00:00:00Z | 2027-01-01T00:00:00Z
            """)
    void firesNextIn(String rule, Instant after, Instant next) {
        assertThat(ScheduleRule.parse(rule).nextAfter(after, ZoneOffset.UTC)).contains(next);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30 2 * * *         | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z
            0 3 * * *          | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z
            0,30 2 * * *       | 2026-03-29T01:00:00Z | 2026-03-30T00:00:00Z
            30 2 * * *         | 2026-10-24T12:00:00Z | 2026-10-25T00:30:00Z
            30 2 * * *         | 2026-10-25T00:30:00Z | 2026-10-26T01:30:00Z
            30 2 * * *         | 2026-10-25T01:10:00Z | 2026-10-26T01:30:00Z
            30 * * * *         | 2026-10-25T00:30:00Z | 2026-10-25T01:30:00Z
            30 */2 * * *       | 2026-10-25T00:30:00Z | 2026-10-25T01:30:00Z
            """)
    void movesTimesInAGapAndMeetsTimesInAFoldAsPromised(String rule, Instant after, Instant next) {
        assertThat(ScheduleRule.parse(rule).nextAfter(after, BERLIN)).contains(next);
    }

    @Test
    void hasATextThatCanBeParsedAgain() {
        for (String text : new String[]{"every 15m", "every 90s", "every 2h", "every 1d", "0 9 * * MON-FRI",
            "@daily"}) {
            assertThat(ScheduleRule.parse(text)).hasToString(text).isEqualTo(ScheduleRule.parse(text));
        }
    }

    @Test
    void saysItselfInWords() {
        assertThat(ScheduleRule.parse("0 9 * * MON-FRI").inWords())
                .isEqualTo("at 09:00 every day between Monday and Friday");
        assertThat(ScheduleRule.parse("every 90m").inWords()).isEqualTo("every 1h30m");
    }
}

package dev.heddle.cli.config;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.heddle.cli.shell.CliException;
import dev.heddle.limit.Limit;
import dev.heddle.limit.Limit.WhenFull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reads the section {@code limits}. */
class LimitConfigTest extends ConfigFixture {

    @Test
    void readsLimits() throws IOException {
        assertThat(
                read("limits: {mail: {type: mail, rate: 10/1m, burst: 3, whenFull: dropNew}, one: {max: 1}}").pool()
                        .limits())
                .isEqualTo(List.of(Limit.named("mail").ofType("mail").rate(10, Duration.ofMinutes(1)).burst(3)
                        .whenFull(WhenFull.DROP_NEW), Limit.named("one").maxConcurrent(1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    {}                           | set how many jobs may run at once, or a rate such as 100/1m
                    {max: 0}                     | limits.x.max must be at least 1: 0
                    {max: 2000000}               | maxConcurrent of limit 'x' must be at most 1000000: 2000000
                    {max: many}                  | limits.x.max
                    {rate: 5}                    | a rate is a number and a time, such as 100/1m: '5'
                    {rate: 5/0s}                 | the time of a rate must be at least 1 ms: 0 ms
                    {rate: 0/1m}                 | the count of a rate must be at least 1: 0
                    {max: 1, burst: 2}           | limit 'x' has no rate
                    {max: 1, key: customer}      | 'customer' is not a path to one value
                    {max: 1, whenFull: explode}  | unknown policy for a full limit 'explode'; expected queue, dropNew or cancelRunning
                    {max: 1, type: a, queue: b}  | a limit covers a type, a queue or a tag, only one of them
                    {most: 1}                    | unknown key 'limits.x.most'
                    """)
    void refusesWhatCannotBeMeant(String limit, String reason) {
        assertThatThrownBy(() -> read("workers: 2\nlimits:\n  x: " + limit)).isInstanceOf(CliException.class)
                .hasMessageContaining("heddle.yaml:3").hasMessageContaining(reason).hasMessageNotContaining("\n");
    }
}

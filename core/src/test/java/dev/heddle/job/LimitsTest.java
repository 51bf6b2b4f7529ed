package dev.heddle.job;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Staging;
import dev.heddle.store.Retention;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static java.time.temporal.ChronoUnit.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LimitsTest {

    private static final Duration FOR_EVER = FOREVER.getDuration();
    private static final JobType<String, String> TYPE = JobType.of("type", String.class, String.class);
    private static final String LONG = "x".repeat(201);
    private static final String NAME = "must have 1 to 200 characters and no control characters: '";

    private static JobRequest<String, String> request() {
        return TYPE.with("payload");
    }

    private static PoolBuilder pool() {
        return Pool.on(new MemoryStore());
    }

    private static Map<String, String> headers(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "h" + i, i -> "v"));
    }

    private static String[] tags(int count) {
        return IntStream.range(0, count).mapToObj(i -> "t" + i).toArray(String[]::new);
    }

    static Stream<Arguments> refused() {
        return Stream.of(refused(() -> JobType.of(LONG), "type " + NAME + "x".repeat(80) + "…'"),
                refused(() -> request().queue(" "), "queue " + NAME + " '"),
                refused(() -> request().subject("a\u001b[2Jb"), "subject " + NAME + "a\uFFFD[2Jb'"),
                refused(() -> request().session("\uD800"), "session " + NAME + "\uFFFD'"),
                refused(() -> request().dedupeKey("a\0"), "dedupeKey " + NAME + "a\uFFFD'"),
                refused(() -> request().tags("a", LONG), "tag " + NAME),
                refused(() -> request().tags(tags(51)), "the number of tags must be at most 50: 51"),
                refused(() -> request().headers(headers(51)), "the number of headers must be at most 50: 51"),
                refused(() -> request().headers(Map.of("a", "x".repeat(1_001))), "the value of header 'a' must be"),
                refused(() -> request().headers(Map.of("a", "\uD800")), "the value of header 'a' must be"),
                refused(() -> request().headers(Map.of("a\n", "b")), "header " + NAME + "a\uFFFD'"),
                refused(() -> request().maxRetries(-1), "maxRetries must be at least 0: -1"),
                refused(() -> request().timeout(Duration.ofNanos(1)), "timeout must be at least 1 ms: PT0.000000001S"),
                refused(() -> request().timeout(Duration.ZERO), "timeout must be longer than zero: PT0S"),
                refused(() -> request().timeout(FOR_EVER), "timeout must be at most 36500 days: over 100 years"),
                refused(() -> request().delay(FOR_EVER), "delay must be at most 36500 days: over 100 years"),
                refused(() -> request().delay(Duration.ofSeconds(Long.MIN_VALUE)), "delay must not be negative: PT-"),
                refused(() -> request().runAt(Instant.MAX),
                        "runAt must be from 1970-01-01T00:00:00Z to 2170-01-01T00:00:00Z: +1000000000-12-31T23:59:59"),
                refused(() -> request().runAt(Instant.MIN), "runAt must be from 1970-01-01T00:00:00Z to"),
                refused(() -> TYPE.timeout(FOR_EVER), "timeout must be at most"),
                refused(() -> TYPE.stallAfter(FOR_EVER), "stall time must be at most"),
                refused(() -> TYPE.stopWithin(FOR_EVER), "stop time must be at most"),
                refused(() -> TYPE.group(LONG), "worker group " + NAME),
                refused(() -> TYPE.maxConcurrentPerNode(0), "maxConcurrentPerNode must be at least 1: 0"),
                refused(() -> RetryPolicy.linear(1, FOR_EVER), "backoff must be at most"),
                refused(() -> RetryPolicy.exponential(1, Duration.ZERO, FOR_EVER), "backoff cap must be at most"),
                refused(() -> new BreakerPolicy(1, FOR_EVER), "breaker reset time must be at most"),
                refused(() -> new BreakerPolicy(0, Duration.ofSeconds(1)), "breaker failures must be at least 1: 0"),
                refused(() -> pool().timeout(FOR_EVER).open(), "timeout must be at most"),
                refused(() -> pool().lease(FOR_EVER).open(), "lease must be at most"),
                refused(() -> pool().renewEvery(FOR_EVER).open(), "renewEvery must be at most"),
                refused(() -> pool().closeTimeout(FOR_EVER), "closeTimeout must be at most"),
                refused(() -> pool().cancelGrace(FOR_EVER, Duration.ZERO), "interruptAfter must be at most"),
                refused(() -> pool().pollEvery(FOR_EVER), "pollEvery must be at most"),
                refused(() -> pool().claimErrors(1, FOR_EVER), "maxBackoff must be at most"),
                refused(() -> pool().group("a\nb", 1), "worker group " + NAME + "a\uFFFDb'"),
                refused(() -> pool().queueCapacity(LONG, 1), "queue " + NAME),
                refused(() -> pool().payloadLimit(65 << 20).open(), "payloadLimit must be at most 67108864: 68157440"),
                refused(() -> new Staging(1, 1, FOR_EVER, Duration.ZERO), "staging: warmEvery must be at most"),
                refused(() -> new Retention(FOR_EVER, 1, Duration.ZERO, 1), "retention: age must be at most"),
                refused(() -> new Budget(new Scope.Pool(), Measure.USD_24H, new BigDecimal("1e200000")),
                        "a budget must be at most 1000000000000000 and have at most 9 decimal places: 1E+200000"),
                refused(() -> Scope.of("type:" + LONG), "the type of a budget " + NAME),
                refused(() -> Limits.reason("x".repeat(1_001)), "reason must have at most 1000 characters"));
    }

    private static Arguments refused(Supplier<?> call, String message) {
        return Arguments.of(message, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refused(String message, Supplier<?> call) {
        assertThatThrownBy(call::get).isInstanceOf(IllegalArgumentException.class).message().startsWith(message)
                .doesNotContain("\n").hasSizeLessThan(300);
    }

    @Test
    void acceptsWhatIsJustWithinTheLimits() {
        assertThatCode(() -> request().queue("x".repeat(200)).subject("日本 😀").tags(tags(50)).headers(headers(50))
                .headers(Map.of("a", "line\n".repeat(200))).delay(Limits.DURATION).timeout(Duration.ofMillis(1))
                .runAt(Limits.LATEST)).doesNotThrowAnyException();
        assertThat(request().tags("a", "a").spec("null", Instant.EPOCH).tags()).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({"2147483647, 36500", "1, 36500"})
    void neverBacksOffLongerThanTheLongestDuration(int retry, long days) {
        Duration longest = Duration.ofDays(days);
        Random largest = new Random() {
            @Override
            public double nextDouble(double origin, double bound) {
                return Math.nextDown(bound);
            }
        };
        assertThat(new Backoff.Linear(Limits.DURATION).delay(retry, largest)).isEqualTo(longest);
        assertThat(new Backoff.Exponential(Limits.DURATION, Limits.DURATION, 0.9).delay(retry, largest))
                .isEqualTo(longest);
    }

    @Test
    void waitsForEverIfAskedTo() {
        assertThat(Limits.waitNanos(FOR_EVER)).isEqualTo(Limits.DURATION.toNanos());
        assertThat(Limits.waitNanos(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
        assertThat(Limits.waitNanos(Duration.ofMillis(7))).isEqualTo(7_000_000);
        assertThat(DurationText.of(FOR_EVER)).isEqualTo("over 100 years");
        assertThat(DurationText.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("0 ms");
    }

    @Test
    void cutsTextsAndSaysByHowMuch() {
        assertThat(Limits.cut("x".repeat(40), 40)).isEqualTo("x".repeat(40));
        String cut = Limits.cut("x".repeat(50), 40);
        assertThat(cut).isEqualTo("x".repeat(10) + "… (40 more characters)");
        assertThat(Limits.cut(cut, 40)).as("cut again").isEqualTo(cut);
        assertThat(Limits.cut("x".repeat(Integer.MAX_VALUE / 64), 40)).hasSizeLessThanOrEqualTo(40);
        assertThat(Limits.cut("é\n\0b\uD800", 40)).isEqualTo("é\n\uFFFDb\uFFFD");
        assertThat(Limits.cut("x".repeat(9) + "😀".repeat(20), 40)).as("a pair that is cut in half")
                .isEqualTo("x".repeat(9) + "\uFFFD… (39 more characters)");
    }
}

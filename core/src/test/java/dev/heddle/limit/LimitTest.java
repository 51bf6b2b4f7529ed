package dev.heddle.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LimitTest {

    private static final String PAYLOAD = """
            {"customer": {"id": 42, "vip": true, "a b": "x", "none": null}, "items": [{"sku": "s-1"}]}""";

    private static JobSpec job(LimitKey... named) {
        return new JobSpec(JobId.next(), "mail", "bulk", 0, PAYLOAD, Instant.EPOCH,
                new JobSpec.Extras(null, null, null, null, null, Set.of("eu"), null, Dedupe.whileActive(), false,
                        Map.of(),
                        List.of(named), Map.of()));
    }

    private static List<LimitKey> covered(JobSpec job, Limit... limits) {
        return new LimitRules(List.of(limits)).cover(job).limits();
    }

    private static Limit limit(String name) {
        return Limit.named(name).maxConcurrent(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"$.customer.id | 42", "$.customer.vip | true", "$.customer['a b'] | x",
        "$.items[0].sku | s-1", "$['customer']['id'] | 42"})
    void findsTheKeyInThePayload(String path, String key) {
        assertThat(covered(job(), limit("one").key(path))).containsExactly(new LimitKey("one", key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$.nothing", "$.customer.none", "$.items[7].sku", "$.customer[0]"})
    void doesNotCoverAJobWithoutTheValue(String path) {
        assertThat(covered(job(), limit("one").key(path))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "customer.id", "$", "$.", "$..id", "$.items[*]", "$.items[-1]", "$.a b", "$.a[",
        "$.a['']", "$.a[?(@.b)]"})
    void refusesWhatIsNoPathToOneValue(String path) {
        assertThatThrownBy(() -> limit("one").key(path)).isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getMessage()).isNotBlank().doesNotContain("\n"));
    }

    @Test
    void refusesAValueThatCannotBeAKey() {
        assertThatThrownBy(() -> covered(job(), limit("one").key("$.items")))
                .hasMessage("the key of limit 'one' must be a string, a number or a boolean at $.items in the payload");
        assertThatThrownBy(() -> new LimitKey("one", "x".repeat(201))).hasMessageContaining("1 to 200 characters");
    }

    @Test
    void coversATypeAQueueOrATagAsOne() {
        assertThat(covered(job(), limit("a").ofType("mail"), limit("b").ofQueue("bulk"), limit("c").ofTag("eu"),
                limit("d").ofType("fax"), limit("e").ofQueue("default"), limit("f").ofTag("us"), limit("g")))
                .containsExactly(new LimitKey("a", LimitKey.ALL), new LimitKey("b", LimitKey.ALL),
                        new LimitKey("c", LimitKey.ALL));
    }

    @Test
    void aKeyOfTheRequestComesBeforeThatOfThePayload() {
        assertThat(covered(job(new LimitKey("one", "mine")), limit("one").key("$.customer.id"), limit("two")))
                .containsExactly(new LimitKey("one", "mine"));
    }

    @Test
    void refusesAnUnknownLimitAndTooMuchWeight() {
        assertThatThrownBy(() -> covered(job(new LimitKey("tow", "x")), limit("two")))
                .hasMessage("there is no limit 'tow'; there are two");
        assertThatThrownBy(() -> covered(job(new LimitKey("two", "x", 5)),
                Limit.named("two").rate(10, Duration.ofSeconds(1)).burst(4)))
                .hasMessage("the weight 5 is over the burst of limit 'two', which is 4");
    }

    @Test
    void refusesBoundsThatMakeNoSense() {
        assertThatThrownBy(() -> Limit.named("one").maxConcurrent(0))
                .hasMessage("maxConcurrent of limit 'one' must be at least 1: 0");
        assertThatThrownBy(() -> Limit.named("one").rate(5, Duration.ofSeconds(-1)))
                .hasMessage("the time of a rate must be at least 1 ms: -1 s");
        assertThatThrownBy(() -> Limit.WhenFull.parse("never")).hasMessage(
                "unknown policy for a full limit 'never'; expected queue, dropNew or cancelRunning");
        assertThatThrownBy(() -> new LimitKey("one", "k".repeat(201)))
                .hasMessageStartingWith("the key of limit 'one' must have 1 to 200 characters");
        assertThatThrownBy(() -> Limit.named("one").burst(3)).hasMessageContaining("has no rate");
        assertThatThrownBy(() -> Limit.named("one").complete()).hasMessageContaining("limits nothing");
        assertThatThrownBy(() -> Limit.named(" ")).hasMessageContaining("1 to 200 characters");
        assertThatThrownBy(() -> Limit.named("one").rate(1, Duration.ofSeconds(1))
                .whenFull(Limit.WhenFull.CANCEL_RUNNING)).hasMessageContaining("makes no room");
    }
}

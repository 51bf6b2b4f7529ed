package dev.heddle.testkit.pool;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.JsonMappers;
import dev.heddle.pool.JobHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is stored comes back unchanged, whatever the store; what some store could not keep is refused on all of them. */
abstract class ValueContract extends PoolFixture {

    private static final JobType<JsonNode, JsonNode> ECHO = JobType.of("echo", JsonNode.class, JsonNode.class);
    private static final JobType<String, Object> MAKE = JobType.of("make", String.class, Object.class);

    ValueContract(PoolContract contract) {
        super(contract);
    }

    private static JsonNode json(String text) {
        return JsonMappers.standard().readTree(text);
    }

    private static boolean same(JsonNode a, JsonNode b) {
        return a.equals((x, y) -> x.isNumber() && y.isNumber() ? x.decimalValue().compareTo(y.decimalValue())
                : x.equals(y) ? 0 : 1, b);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e-400", "0.1e400", "1e999", "1e-999", "12345678901234567890.5",
        "0.1000000000000000055511151231257827021181583404541015625", "123456789012345678901234567890", "-0.0",
        "[1e400,{\"a\":1.50,\"b\":[]},\"é😀\\u0001\",null,true]"})
    void keepsEveryDigit(String text) {
        JsonNode value = json(text);
        open(builder().register(ECHO, (payload, job) -> {
            JsonNode step = job.step("echo", JsonNode.class, () -> payload);
            if (job.attempt() == 1) {
                job.saveCheckpoint(step);
                throw JobException.transientFailure("once more");
            }
            Optional<JsonNode> checkpoint = job.checkpoint(JsonNode.class);
            if (!same(payload, step) || !same(payload, checkpoint.orElseThrow())) {
                throw JobException.permanent(payload + " became " + step + " and " + checkpoint);
            }
            return step;
        }));
        Job ended = end(pool().submit(ECHO, value));
        assertThat(ended.state()).as("%s", ended.failure()).isEqualTo(JobState.COMPLETED);
        assertThat(same(ended.payload(ECHO), value)).as("%s", ended.spec().payload()).isTrue();
        assertThat(same(ended.result(ECHO).orElseThrow(), value)).as("%s", ended.result()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000", "1e-1000", "1e200000", "1e-20000", "[{\"a\":1e2000}]"})
    void refusesAPayloadWithANumberOfTooManyDigits(String text) {
        open(builder().register(ECHO, (payload, job) -> payload));
        assertThatThrownBy(() -> pool().submit(ECHO, json(text))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number of more than 1000 digits").hasMessageContaining("pass it as text");
    }

    private Job make(Object value) {
        open(builder().register(MAKE, (how, job) -> switch (how) {
            case "step" -> job.step("it", Object.class, () -> value);
            case "checkpoint" -> {
                job.saveCheckpoint(value);
                yield "not reached";
            }
            default -> value;
        }));
        List<Job> ended = List.of("result", "step", "checkpoint").stream().map(how -> pool().submit(MAKE, how))
                .map((JobHandle<Object> handle) -> end(handle)).toList();
        assertThat(ended).allSatisfy(job -> {
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
            assertThat(job.counts().attempt()).isEqualTo(1);
        });
        return ended.getFirst();
    }

    @Test
    void failsAJobThatMakesANumberOfTooManyDigits() {
        assertThat(make(new BigDecimal("1e200000")).reason().orElseThrow()).contains("more than 1000 digits");
    }

    @Test
    void failsAJobThatMakesAFieldTwice() {
        Map<Object, String> twice = new LinkedHashMap<>();
        twice.put(1, "a");
        twice.put("1", "b");
        assertThat(make(twice).reason().orElseThrow()).contains("cannot be written as JSON", "Duplicate");
    }

    @Test
    void failsAJobThatMakesANameOfTooManyCharacters() {
        assertThat(make(Map.of("n".repeat(50_001), 1)).reason().orElseThrow()).contains("field name of 50001");
    }
}

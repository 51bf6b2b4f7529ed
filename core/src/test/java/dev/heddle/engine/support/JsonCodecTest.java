package dev.heddle.engine.support;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.job.JsonMappers;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JsonCodecTest {

    private final JsonCodec codec = new JsonCodec(JsonMappers.standard());

    @Test
    void keepsAllDigitsOfNumbersWithoutAType() {
        String json = "[1E+400,12345678901234567890.5,1E-900,0.1,123456789012345678901234567890]";
        assertThat(codec.write(codec.read(json, JsonNode.class, "it"), "it")).isEqualTo(json);
        assertThat(codec.write(codec.read(json, Object.class, "it"), "it")).isEqualTo(json);
    }

    @Test
    void refusesToWriteAFieldTwice() {
        Map<Object, String> twice = new LinkedHashMap<>();
        twice.put(1, "a");
        twice.put("1", "b");
        assertThatThrownBy(() -> codec.write(twice, "result of job x")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("result of job x cannot be written as JSON: Duplicate");
    }

    @Test
    void doesNotReadNumbersOutOfAllRange() {
        assertThatThrownBy(() -> codec.read("1e99999999999", JsonNode.class, "payload of job x"))
                .isInstanceOf(JsonCodec.UnreadableException.class).hasMessageContaining("payload of job x");
    }
}

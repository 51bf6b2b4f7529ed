package dev.heddle.external;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HandshakeTest {

    private static Handshake parse(String json) {
        return Handshake.parse(JsonMapper.shared().readTree(json), "embed");
    }

    @Test
    void acceptsAWorkerWithOrWithoutAListOfTypes() {
        assertThat(parse("{\"protocolVersion\": 1, \"name\": \"w\"}")).isEqualTo(new Handshake(1, "w", List.of()));
        assertThat(parse("{\"protocolVersion\": 1, \"name\": \"w\", \"types\": [\"rank\", \"embed\"]}"))
                .isEqualTo(new Handshake(1, "w", List.of("rank", "embed")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    {}                                      | its response to initialize has no protocolVersion
                    {"protocolVersion": "1"}                | the protocolVersion in its response to initialize must be a number such as 1, but is the string "1"
                    {"protocolVersion": 2, "name": "w"}     | it uses protocol version 2, but Heddle supports only version 1
                    {"protocolVersion": 1}                  | its response to initialize has no name
                    {"protocolVersion": 1, "name": " "}     | its response to initialize has no name
                    {"protocolVersion": 1, "name": "w", "types": ["rank", "sort"]} | it does not handle 'embed', only: rank, sort
                    """)
    void refusesAWorkerThatDoesNotFit(String json, String message) {
        assertThatThrownBy(() -> parse(json)).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}

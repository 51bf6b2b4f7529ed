package dev.heddle.engine.support;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class JsonCodecTest {

    /** An escaped backslash before it turns the escape into plain text. */
    @ParameterizedTest
    @CsvSource({"'\"a\\u0000\"',true", "'\"a\\\\u0000\"',false", "'\"\\\\\\u0000\"',true", "'\"u0000\"',false",
        "'{}',false", "'\"\\\\u0000\\u0000\"',true"})
    void findsNuls(String json, boolean found) {
        assertThat(JsonCodec.hasNul(json)).isEqualTo(found);
    }

    @Test
    void findsHalvesOfSurrogatePairs() {
        assertThat(JsonCodec.hasLoneSurrogate("\"a\uD83D\uDE00b\"")).isFalse();
        assertThat(JsonCodec.hasLoneSurrogate("\"a\uD83Db\"")).isTrue();
        assertThat(JsonCodec.hasLoneSurrogate("\"\uDE00\uD83D\"")).isTrue();
        assertThat(JsonCodec.hasLoneSurrogate("\uD83D")).isTrue();
    }
}

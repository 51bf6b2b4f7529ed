package dev.heddle.pool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CodecTest {

    /** A backslash of its own before it makes the escape plain text. */
    @ParameterizedTest
    @CsvSource({"'\"a\\u0000\"',true", "'\"a\\\\u0000\"',false", "'\"\\\\\\u0000\"',true",
        "'\"u0000\"',false",
        "'{}',false", "'\"\\\\u0000\\u0000\"',true"})
    void findsNuls(String json, boolean found) {
        assertThat(Codec.hasNul(json)).isEqualTo(found);
    }

    @Test
    void findsHalvesOfSurrogatePairs() {
        assertThat(Codec.hasLoneSurrogate("\"a\uD83D\uDE00b\"")).isFalse();
        assertThat(Codec.hasLoneSurrogate("\"a\uD83Db\"")).isTrue();
        assertThat(Codec.hasLoneSurrogate("\"\uDE00\uD83D\"")).isTrue();
        assertThat(Codec.hasLoneSurrogate("\uD83D")).isTrue();
    }
}

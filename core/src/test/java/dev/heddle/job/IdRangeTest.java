package dev.heddle.job;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IdRangeTest {

    @Test
    void containsEveryIdWithThePrefix() {
        IdRange range = IdRange.startingWith("019a-B");

        assertThat(range.first()).hasToString("019ab000-0000-0000-0000-000000000000");
        assertThat(range.last()).hasToString("019abfff-ffff-ffff-ffff-ffffffffffff");
        assertThat(range.contains(JobId.of("019ab123-4567-7000-8000-000000000000"))).isTrue();
        assertThat(range.contains(JobId.of("019ac000-0000-7000-8000-000000000000"))).isFalse();
        assertThat(range.contains(JobId.of("019aafff-ffff-7fff-bfff-ffffffffffff"))).isFalse();
    }

    @Test
    void containsOneIdIfThePrefixIsAWholeId() {
        JobId id = JobId.next();

        assertThat(IdRange.startingWith(id.toString())).isEqualTo(new IdRange(id, id));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "-1", "g", "01 9", "01900000-0000-7000-8000-0000000000000", "%", "é"})
    void refusesATextThatNoIdStartsWith(String prefix) {
        assertThatThrownBy(() -> IdRange.startingWith(prefix)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + prefix + "'");
    }
}

package dev.heddle.process;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessMarkTest {

    @Test
    void recognizesMarks() {
        ProcessMark mark = ProcessMark.random();

        assertThat(ProcessMark.isMark(mark.value())).isTrue();
        assertThat(ProcessMark.parse(mark.toString())).isEqualTo(mark);
        assertThat(ProcessMark.isMark(0)).isFalse();
        assertThat(ProcessMark.isMark(-1)).isFalse();
        assertThat(ProcessMark.isMark(200_000)).isFalse();
    }
}

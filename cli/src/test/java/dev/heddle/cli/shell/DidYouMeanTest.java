package dev.heddle.cli.shell;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DidYouMeanTest {

    private static final List<String> WORDS = List.of("list", "show", "cancel", "retry", "workers");

    @Test
    void suggestsTheClosestWord() {
        assertThat(DidYouMean.closest("lsit", WORDS)).contains("list");
        assertThat(DidYouMean.closest("cancle", WORDS)).contains("cancel");
        assertThat(DidYouMean.closest("Workers", WORDS)).contains("workers");
        assertThat(DidYouMean.closest("shw", WORDS)).contains("show");
    }

    @Test
    void suggestsNothingIfNoWordIsClose() {
        assertThat(DidYouMean.closest("xyz", WORDS)).isEmpty();
        assertThat(DidYouMean.hint("xyz", WORDS, "; see help")).isEqualTo("; see help");
    }
}

package dev.heddle.cli.shell;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NearestTest {

    private static final List<String> WORDS = List.of("list", "show", "cancel", "retry", "workers");

    @Test
    void findsTheWordThatWasMeant() {
        assertThat(Nearest.to("lsit", WORDS)).contains("list");
        assertThat(Nearest.to("cancle", WORDS)).contains("cancel");
        assertThat(Nearest.to("Workers", WORDS)).contains("workers");
        assertThat(Nearest.to("shw", WORDS)).contains("show");
    }

    @Test
    void saysNothingRatherThanNonsense() {
        assertThat(Nearest.to("xyz", WORDS)).isEmpty();
        assertThat(Nearest.hint("xyz", WORDS, "; see help")).isEqualTo("; see help");
    }
}

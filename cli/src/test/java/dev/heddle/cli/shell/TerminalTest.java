package dev.heddle.cli.shell;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TerminalTest {

    @Test
    void showsNoColourWhereNobodyWatches() {
        assertThat(Terminal.showsColour(Map.of("TERM", "xterm"), false)).isFalse();
    }

    @Test
    void showsColourOnATerminal() {
        assertThat(Terminal.showsColour(Map.of("TERM", "xterm"), true)).isTrue();
        assertThat(Terminal.showsColour(Map.of("TERM", "xterm", "NO_COLOR", ""), true)).isTrue();
    }

    @Test
    void showsNoColourToThoseWhoAskNotTo() {
        assertThat(Terminal.showsColour(Map.of("TERM", "xterm", "NO_COLOR", "1"), true)).isFalse();
        assertThat(Terminal.showsColour(Map.of("TERM", "dumb"), true)).isFalse();
        assertThat(Terminal.showsColour(Map.of(), true)).isFalse();
    }
}

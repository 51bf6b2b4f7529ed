package dev.heddle.cli.shell;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TerminalTest {

    @Test
    void showsNoColorWithoutATerminal() {
        assertThat(Terminal.showsColor(Map.of("TERM", "xterm"), false)).isFalse();
    }

    @Test
    void showsColorOnATerminal() {
        assertThat(Terminal.showsColor(Map.of("TERM", "xterm"), true)).isTrue();
        assertThat(Terminal.showsColor(Map.of("TERM", "xterm", "NO_COLOR", ""), true)).isTrue();
    }

    @Test
    void showsNoColorIfTheEnvironmentDisablesIt() {
        assertThat(Terminal.showsColor(Map.of("TERM", "xterm", "NO_COLOR", "1"), true)).isFalse();
        assertThat(Terminal.showsColor(Map.of("TERM", "dumb"), true)).isFalse();
        assertThat(Terminal.showsColor(Map.of(), true)).isFalse();
    }
}

package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import dev.heddle.process.EnvironmentRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class AdaptersTest {

    @TempDir private Path home;

    @Test
    void findsThoseOfOthersBesideItsOwn() {
        assertThat(Adapters.here().names()).containsExactly("claude", "codex", "gemini", "text", "parrot");
        assertThat(Adapters.here().find("nobody")).isEmpty();
    }

    @Test
    void anAdapterOfOnesOwnRunsLikeAnyOther() throws Exception {
        try (AgentBench bench = new AgentBench(home, 1, Agent.of("repeat", "parrot").directory(home))) {
            AgentReport report = Objects
                    .requireNonNull(bench.pool.submit(bench.agent.type(), AgentTask.of("Polly"))
                            .await(Duration.ofSeconds(60)));
            assertThat(report.text()).isEqualTo("Polly");
            assertThat(report.cost()).isNull();
        }
    }

    @Test
    void anAgentSeesTheKeyOfItsOwnVendorAndNoOther() {
        Map<String, String> node = Map.of("ANTHROPIC_API_KEY", "a", "OPENAI_API_KEY", "b", "GEMINI_API_KEY",
                "c",
                "GITHUB_TOKEN", "d", "PATH", "/bin");
        assertThat(seenBy(new Claude(), node)).containsOnlyKeys("ANTHROPIC_API_KEY", "PATH");
        assertThat(seenBy(new Codex(), node)).containsOnlyKeys("OPENAI_API_KEY", "PATH");
        assertThat(seenBy(new Gemini(), node)).containsOnlyKeys("GEMINI_API_KEY", "PATH");
        assertThat(seenBy(new PlainText(), node)).containsOnlyKeys("PATH");
    }

    private static Map<String, String> seenBy(Adapter adapter, Map<String, String> node) {
        return EnvironmentRules.standard().allowing(adapter.variables()).environment(node, Map.of(),
                Map.of());
    }
}

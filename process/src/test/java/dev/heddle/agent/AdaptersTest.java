package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.command.WorkspaceSpec;
import dev.heddle.process.environment.EnvironmentRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AdaptersTest {

    @TempDir
    private Path home;

    @Test
    void findsBuiltInAdaptersAndThoseOnTheClassPath() {
        assertThat(Adapters.load().names()).containsExactly("claude", "codex", "gemini", "text", "parrot");
        assertThat(Adapters.load().find("nobody")).isEmpty();
    }

    @Test
    void runsAnAgentThroughACustomAdapter() throws Exception {
        try (AgentFixture node = new AgentFixture(home, 1, Agent.of("repeat", "parrot").directory(home))) {
            AgentReport report = Objects.requireNonNull(
                    node.pool.submit(node.agent.type(), AgentTask.of("Polly")).await(Duration.ofSeconds(60)));
            assertThat(report.text()).isEqualTo("Polly");
            assertThat(report.cost()).isNull();
        }
    }

    @Test
    void anAgentInheritsOnlyTheKeyOfItsVendor() {
        Map<String, String> node = Map.of("ANTHROPIC_API_KEY", "a", "OPENAI_API_KEY", "b", "GEMINI_API_KEY", "c",
                "GITHUB_TOKEN", "d", "PATH", "/bin", "COMPANY_REGION", "eu");
        assertThat(inheritedBy(new ClaudeAdapter(), node)).containsOnlyKeys("ANTHROPIC_API_KEY", "PATH");
        assertThat(inheritedBy(new CodexAdapter(), node)).containsOnlyKeys("OPENAI_API_KEY", "PATH");
        assertThat(inheritedBy(new GeminiAdapter(), node)).containsOnlyKeys("GEMINI_API_KEY", "PATH");
        assertThat(inheritedBy(new PlainTextAdapter(), node)).containsOnlyKeys("PATH");
    }

    @Test
    void anAgentOfAnyAdapterInheritsOnlyBasicVariables() {
        assertThat(Adapters.load().names()).allSatisfy(name -> assertThat(
                Agent.of("x", name).workspace().environment().inherit()).isEqualTo(WorkspaceSpec.Inherit.BASIC));
    }

    /** Adapters of users are protected too: a session that an agent or a payload names never becomes an option. */
    @Test
    void anInvocationHasNoSessionThatIsNotAnId() {
        assertThatThrownBy(() -> new Invocation("-c", true, null, Invocation.Limits.NONE, List.of()))
                .hasMessage("not the id of a session: '-c'");
        assertThat(new Invocation("0199a213-81c0:x_y.z", true, null, Invocation.Limits.NONE, List.of()).session())
                .isNotNull();
    }

    private static Map<String, String> inheritedBy(Adapter adapter, Map<String, String> node) {
        return EnvironmentRules.standard().inheriting(EnvironmentRules.BASIC).allowing(adapter.allowedVariables())
                .inherit(node);
    }
}

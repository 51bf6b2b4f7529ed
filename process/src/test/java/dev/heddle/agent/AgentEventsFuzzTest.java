package dev.heddle.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.HtmlView;
import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever an agent prints, its run has an outcome and its conversation can be shown; nothing is ever thrown. */
class AgentEventsFuzzTest {

    private static final List<String> RECORDINGS = List.of("claude/plain", "claude/subagents", "claude/failed",
            "codex/plain", "codex/failed", "gemini/failed", "gemini/noise");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Test
    void haveAnOutcomeAndCanBeShown() throws Exception {
        List<Adapter> adapters = List.of(new ClaudeAdapter(), new CodexAdapter(), new GeminiAdapter(),
                new PlainTextAdapter());
        Fuzz.check(AgentEventsFuzzTest.class, Duration.ofSeconds(6), Inputs.mutated(samples()), lines -> {
            for (Adapter adapter : adapters) {
                Replay run = Replay.of(adapter, lines, directory);
                Conversation conversation = run.conversation();
                assertThat(HtmlView.page("title", "prompt", conversation)).isNotBlank();
                assertThat(run.exit(0)).isNotNull();
                assertThat(run.exit(1)).isNotNull();
            }
        });
    }

    /** Returns the recordings and each of their lines. */
    private static List<String> samples() throws IOException {
        List<String> samples = new ArrayList<>();
        for (String name : RECORDINGS) {
            try (InputStream in = Objects.requireNonNull(Replay.class.getResourceAsStream(name + ".jsonl"), name)) {
                String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                samples.add(all);
                all.lines().forEach(samples::add);
            }
        }
        return samples;
    }
}

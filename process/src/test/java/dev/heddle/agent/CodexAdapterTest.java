package dev.heddle.agent;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.agent.AgentOutcome.Failed;
import dev.heddle.agent.AgentOutcome.Reason;
import dev.heddle.agent.AgentOutcome.Succeeded;
import dev.heddle.agent.EndRules.Cause;
import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Cost.Basis;
import dev.heddle.conversation.Part;
import dev.heddle.conversation.Part.Note;
import dev.heddle.conversation.Part.Text;
import dev.heddle.conversation.Part.ToolCall;
import dev.heddle.conversation.Tokens;
import dev.heddle.conversation.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class CodexAdapterTest {

    @TempDir
    private Path directory;

    private Replay replay(String name) {
        return Replay.of("codex/" + name, directory);
    }

    @Test
    void parsesAWholeRun() {
        Replay run = replay("plain");
        Conversation conversation = run.conversation();
        assertThat(run.exit(0)).isEqualTo(new Succeeded("I wrote docs/foo.md."));
        assertThat(conversation.totals().session()).isEqualTo("0199a213-81c0-7800-8aa1-bbab2a035a53");
        List<Part> parts = conversation.turns().getFirst().parts();
        assertThat(parts.get(0)).isEqualTo(new Part.Thinking("**Scanning the repository**"));
        assertThat(parts.subList(1, 4)).extracting(part -> ((ToolCall) part).tool()).containsExactly("shell",
                "file_change", "wiki.lookup");
        assertThat(parts.subList(1, 4)).extracting(part -> ((ToolCall) part).output()).containsExactly("docs\nsrc\n",
                "completed", "no such page");
        assertThat(parts.subList(1, 4)).extracting(part -> ((ToolCall) part).failed()).containsExactly(false, false,
                true);
        assertThat(parts.get(4)).isEqualTo(new Text("I wrote docs/foo.md."));
        assertThat(conversation.turns()).hasSize(1);
    }

    @Test
    void estimatesTheCostByTheRequestedModel() {
        Totals totals = replay("plain").conversation("gpt-5-codex", Tokens.NONE).totals();
        assertThat(totals.tokens()).isEqualTo(new Tokens(315, 0, 24448, 122));
        // 315 × $1 + 24,448 × $0.10 + 122 × $10, per million
        assertThat(totals.cost()).isEqualTo(new Cost(new BigDecimal("0.0039798"), Basis.ESTIMATED, "test-1"));
    }

    @Test
    void knowsNoCostForAnUnknownModel() {
        assertThat(replay("plain").conversation().totals().cost()).isNull();
        assertThat(replay("plain").conversation("gpt-9", Tokens.NONE).totals().cost()).isNull();
    }

    @Test
    void countsOnlyWhatAResumedSessionUsedSinceItsLastRun() {
        Totals first = replay("several-turns").conversation("gpt-5", Tokens.NONE).totals();
        assertThat(first.tokens()).isEqualTo(new Tokens(2000, 0, 1000, 300));
        Tokens before = first.ofSession();
        assertThat(before).isEqualTo(new Tokens(2000, 0, 1000, 300));
        Totals resumed = replay("plain").conversation("gpt-5", new Tokens(300, 0, 20_000, 100)).totals();
        assertThat(resumed.tokens()).isEqualTo(new Tokens(15, 0, 4448, 22));
        assertThat(resumed.ofSession()).isEqualTo(new Tokens(315, 0, 24448, 122));
    }

    @Test
    void acceptsASessionThatRestartsItsCount() {
        assertThat(replay("plain").conversation("gpt-5", new Tokens(1_000_000, 0, 0, 0)).totals().tokens())
                .isEqualTo(new Tokens(315, 0, 24448, 122));
    }

    @Test
    void theFirstSuccessCountsUnlessTurnsFollowIt() {
        assertThat(replay("several-turns").exit(0)).isEqualTo(new Succeeded("Second answer."));
    }

    @Test
    void deniedAccessIsPermanent() {
        Replay run = replay("failed");
        assertThat(run.exit(1)).isEqualTo(
                new Failed(Reason.REFUSED, "codex failed (turn.failed): unexpected status 401 Unauthorized", null));
        assertThat(run.conversation().turns().getFirst().parts()).containsExactly(new Note("Reconnecting... 1/5"),
                new Note("a plugin could not be loaded"));
    }

    @Test
    void keepsNoiseUnknownEventsAndATruncatedEnd() {
        Replay run = replay("noise");
        assertThat(run.conversation().turns()).flatExtracting(turn -> turn.parts())
                .containsExactly(new Note("Reading prompt from stdin..."), new Note(
                        "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\",\"type\":\"telepathy\",\"text\":\"hm\"}}"),
                        new Note("{\"type\":\"turn.paused\"}"), new Text("Fine."),
                        new Note("{\"type\":\"turn.completed\",\"usage\":{\"input_tok"));
        assertThat(run.exit(0)).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.reason()).isEqualTo(Reason.NO_RESULT));
        assertThat(run.outcome(new Cause.Stalled())).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.message()).endsWith("session t-noise can be resumed"));
    }

    @Test
    void parsesALineOfTwentyMegabytes() {
        Replay run = Replay.of(new CodexAdapter(),
                """
                        {"type":"item.completed","item":{"id":"i","type":"command_execution","aggregated_output":"%s","exit_code":0}}
                        {"type":"turn.completed","usage":{"input_tokens":1000000,"output_tokens":0}}
                        """
                        .formatted("é\\u00e9\\\\\\n".repeat(2 << 20)),
                directory);
        assertThat(run.exit(0)).isInstanceOf(Succeeded.class);
        assertThat(run.conversation("gpt-5", Tokens.NONE).totals().cost())
                .isEqualTo(new Cost(new BigDecimal("1.000000"), Basis.ESTIMATED, "test-1"));
        assertThat(run.conversation().turns().getFirst().parts()).singleElement().isInstanceOfSatisfying(ToolCall.class,
                call -> assertThat(call.output()).startsWith("éé\\\n").contains("more bytes in the transcript"));
    }

    @Test
    void readsThePromptFromStandardInput() {
        assertThat(new CodexAdapter().arguments(
                new Invocation(null, false, "gpt-5", Invocation.Limits.NONE, List.of("--sandbox=workspace-write"))))
                .containsExactly("exec", "--json", "--model=gpt-5", "--sandbox=workspace-write", "-");
        assertThat(new CodexAdapter().arguments(new Invocation("t-1", true, null, Invocation.Limits.NONE, List.of())))
                .containsExactly("exec", "--json", "resume", "--", "t-1", "-");
    }
}

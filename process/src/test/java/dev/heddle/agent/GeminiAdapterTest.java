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
import dev.heddle.conversation.Part.Note;
import dev.heddle.conversation.Part.Text;
import dev.heddle.conversation.Part.ToolCall;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class GeminiAdapterTest {

    @TempDir
    private Path directory;

    private Replay replay(String name) {
        return Replay.of("gemini/" + name, directory);
    }

    @Test
    void parsesAWholeRun() {
        Replay run = replay("plain");
        Conversation conversation = run.conversation();
        assertThat(run.exit(0)).isEqualTo(new Succeeded("There are two directories."));
        assertThat(conversation.totals().session()).isEqualTo("g-1");
        assertThat(conversation.turns()).extracting(turn -> turn.speaker()).containsExactly(Speaker.USER,
                Speaker.AGENT);
        assertThat(conversation.turns().getFirst().parts()).containsExactly(new Text("List the files"));
        assertThat(conversation.turns().get(1).parts().subList(0, 2)).extracting(part -> ((ToolCall) part).output())
                .containsExactly("docs\nsrc", "no such file");
        assertThat(conversation.turns().get(1).parts().get(2)).isEqualTo(new Text("There are two directories."));
    }

    @Test
    void estimatesTheCostFromTheReportedTokens() {
        Conversation conversation = replay("plain").conversation();
        assertThat(conversation.totals().tokens()).isEqualTo(new Tokens(5000, 0, 10_000, 200));
        // 5,000 × $1 + 10,000 × $0.10 + 200 × $10, per million
        assertThat(conversation.totals().cost())
                .isEqualTo(new Cost(new BigDecimal("0.0080000"), Basis.ESTIMATED, "test-1"));
    }

    @Test
    void theFirstSuccessCounts() {
        Replay run = replay("several-results");
        assertThat(run.exit(0)).isEqualTo(new Succeeded("First."));
        assertThat(run.conversation().totals().tokens()).isEqualTo(new Tokens(100, 0, 0, 10));
    }

    @Test
    void aReportedFailureHasTheAgentsMessage() {
        assertThat(replay("failed").exit(1))
                .isEqualTo(new Failed(Reason.REPORTED, "gemini failed (error): quota exhausted", null));
        assertThat(replay("failed").conversation().turns().getFirst().parts())
                .containsExactly(new Note("Loop detected, stopping execution"));
    }

    @Test
    void keepsNoiseUnknownEventsAndATruncatedEnd() {
        Replay run = replay("noise");
        assertThat(run.conversation().turns().getFirst().parts()).containsExactly(
                new Note("Loaded cached credentials."), new Note("{\"type\":\"weather\",\"sky\":\"blue\"}"),
                new Note("{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"half a sen"));
        assertThat(run.exit(0)).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.reason()).isEqualTo(Reason.NO_RESULT));
        assertThat(run.outcome(new Cause.Stalled())).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.message())
                        .isEqualTo("gemini fell silent and was stopped; session g-4 can be resumed"));
    }

    @Test
    void someExitCodesArePermanent() {
        Replay run = replay("noise");
        assertThat(run.exit(42))
                .isEqualTo(new Failed(Reason.REFUSED, "gemini rejected its input (exit code 42)", null));
        assertThat(run.exit(53))
                .isEqualTo(new Failed(Reason.REFUSED, "gemini reached its turn limit (exit code 53)", null));
        assertThat(run.exit(1)).isEqualTo(new Failed(Reason.EXIT, "gemini exited with 1 and reported no result", null));
    }

    @Test
    void parsesALineOfTwentyMegabytes() {
        Replay run = Replay.of(new GeminiAdapter(), """
                {"type":"init","session_id":"g-5","model":"gemini-2.5-pro"}
                {"type":"tool_use","tool_id":"t","tool_name":"cat","parameters":{"path":"%s"}}
                {"type":"result","status":"success","stats":{"input_tokens":1000000,"output_tokens":0}}
                """.formatted("x".repeat(20 << 20)), directory);
        assertThat(run.exit(0)).isInstanceOf(Succeeded.class);
        assertThat(run.conversation().totals().cost())
                .isEqualTo(new Cost(new BigDecimal("1.000000"), Basis.ESTIMATED, "test-1"));
    }

    @Test
    void passesItsSessionAsAnArgument() {
        assertThat(new GeminiAdapter()
                .arguments(new Invocation("g-1", true, "gemini-2.5-pro", Invocation.Limits.NONE, List.of("--yolo"))))
                .containsExactly("--output-format=stream-json", "--resume=g-1", "--model=gemini-2.5-pro", "--yolo");
    }
}

package dev.heddle.agent;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
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
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import dev.heddle.conversation.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ClaudeAdapterTest {

    @TempDir
    private Path directory;

    private Replay replay(String name) {
        return Replay.of("claude/" + name, directory);
    }

    @Test
    void parsesAWholeRun() {
        Replay run = replay("plain");
        Conversation conversation = run.conversation();
        Totals totals = conversation.totals();
        assertThat(run.exit(0)).isEqualTo(new Succeeded("ParserTest fails on an empty line; fixed."));
        assertThat(totals.session()).isEqualTo("3f0c9a52-0000-4000-8000-000000000001");
        assertThat(totals.model()).isEqualTo("claude-sonnet-4-5-20250929");
        assertThat(totals.cost()).isEqualTo(new Cost(new BigDecimal("0.0421"), Basis.REPORTED, null));
        assertThat(conversation.turns()).extracting(turn -> turn.speaker()).containsExactly(Speaker.AGENT,
                Speaker.SYSTEM, Speaker.AGENT);
        List<Part> first = conversation.turns().getFirst().parts();
        assertThat(first.get(0)).isEqualTo(new Part.Thinking("The test names the file."));
        assertThat(first.get(1)).isEqualTo(new Text("I'll run the test first."));
        assertThat(first.get(2)).isInstanceOfSatisfying(ToolCall.class, call -> {
            assertThat(call.tool()).isEqualTo("Bash");
            assertThat(call.input().get("command").stringValue()).isEqualTo("make test");
            assertThat(call.output()).isEqualTo("1 failed: ParserTest");
            assertThat(call.failed()).isTrue();
        });
        assertThat(conversation.turns().get(1).parts())
                .containsExactly(new Note("rate limit: allowed_warning until 2026-09-21T14:13:20Z"));
    }

    @Test
    void countsAMessageOnceAlthoughEachPartRepeatsItsUsage() {
        Totals totals = replay("plain").conversation().totals();
        assertThat(totals.byModel()).containsOnlyKeys("claude-sonnet-4-5-20250929");
        assertThat(totals.tokens()).isEqualTo(new Tokens(10, 1500, 17200, 136));
        assertThat(totals.byModel().values()).containsExactly(new Tokens(10, 1500, 17200, 136));
    }

    @Test
    void nestsSubagentsUnderTheCallThatStartedThem() {
        Replay run = replay("subagents");
        Conversation conversation = run.conversation();
        List<Part> first = conversation.turns().getFirst().parts();
        ToolCall callers = (ToolCall) first.get(0);
        ToolCall tests = (ToolCall) first.get(1);
        assertThat(callers.output()).isEqualTo("Main and Cli call it.");
        assertThat(callers.inner()).extracting(turn -> turn.speaker()).containsExactly(Speaker.USER, Speaker.AGENT);
        assertThat(callers.inner().get(1).parts().get(0)).isInstanceOfSatisfying(ToolCall.class,
                grep -> assertThat(grep.output()).isEqualTo("Main.java:12\nCli.java:40"));
        assertThat(callers.inner().get(1).parts().get(1)).isEqualTo(new Text("Two callers."));
        assertThat(tests.inner().getFirst().parts()).containsExactly(new Text("Looking at the tests."));
        assertThat(first.get(2)).isEqualTo(new Text("Main and Cli; tested by ParserTest."));
        assertThat(run.exit(0)).isEqualTo(new Succeeded("Main and Cli; tested by ParserTest."));
    }

    @Test
    void countsSubagentsEvenIfTheResultLeavesThemOut() {
        Totals totals = replay("subagents").conversation().totals();
        assertThat(totals.byModel()).containsEntry("claude-opus-4-5-20251101", new Tokens(300, 0, 0, 70))
                .containsEntry("claude-haiku-4-5-20251001", new Tokens(50, 0, 0, 15));
        assertThat(totals.tokens()).isEqualTo(new Tokens(350, 0, 0, 85));
        assertThat(totals.cost()).isEqualTo(new Cost(new BigDecimal("0.25"), Basis.REPORTED, null));
    }

    @Test
    void theFirstSuccessCountsUnlessTurnsFollowIt() {
        Replay run = replay("several-results");
        assertThat(run.exit(0)).isEqualTo(new Succeeded("The tests have passed too."));
        assertThat(run.conversation().totals().cost())
                .isEqualTo(new Cost(new BigDecimal("0.03"), Basis.REPORTED, null));
        assertThat(run.conversation().totals().tokens()).isEqualTo(new Tokens(22, 0, 0, 11));
    }

    @Test
    void aResultCountsEvenIfTheProcessHangsOrIsKilledAfterIt() {
        Replay run = replay("plain");
        assertThat(run.outcome(new Cause.Hung())).isInstanceOf(Succeeded.class);
        assertThat(run.outcome(new Cause.Stopped("timed out"))).isInstanceOf(Succeeded.class);
        assertThat(run.exit(137)).isInstanceOf(Succeeded.class);
    }

    @Test
    void anExitWithoutAResultIsAFailureWithAnEstimatedCost() {
        Replay run = replay("no-result");
        assertThat(run.exit(0)).isEqualTo(new Failed(Reason.NO_RESULT,
                "claude exited with 0 but reported no result; session s-quiet can be resumed", null));
        assertThat(run.exit(1)).isEqualTo(new Failed(Reason.EXIT, "claude exited with 1 and reported no result", null));
        assertThat(run.conversation().totals().cost())
                .isEqualTo(new Cost(new BigDecimal("4.500000"), Basis.ESTIMATED, "test-1"));
    }

    @Test
    void aStalledRunCanBeResumedByItsSession() {
        Replay run = replay("no-result");
        assertThat(run.outcome(new Cause.Stalled())).isEqualTo(
                new Failed(Reason.STALLED, "claude fell silent and was stopped; session s-quiet can be resumed", null));
        assertThat(run.conversation().totals().session()).isEqualTo("s-quiet");
    }

    @Test
    void keepsNoiseAndUnknownEvents() {
        Replay run = replay("noise");
        Conversation conversation = run.conversation();
        List<String> notes = conversation.turns().stream().flatMap(turn -> turn.parts().stream())
                .filter(Note.class::isInstance).map(part -> ((Note) part).text()).toList();
        assertThat(notes).containsExactly("npm warn deprecated something@1.0.0",
                "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"session_id\":\"s-noise\"}", "[not, json",
                "{\"type\":\"wholly_new_event\",\"data\":42}", "[\"an\",\"array\"]", "{\"type\":\"hologram\",\"x\":1}");
        assertThat(run.exit(0)).isEqualTo(new Succeeded("Fine."));
        assertThat(conversation.totals().cost()).isEqualTo(new Cost(new BigDecimal("0.002"), Basis.REPORTED, null));
    }

    @Test
    void aTruncatedResultDoesNotCount() {
        Replay run = replay("cut-off");
        assertThat(run.exit(0)).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.reason()).isEqualTo(Reason.NO_RESULT));
        assertThat(run.conversation().turns().getLast().parts()).containsExactly(
                new Note("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"All do"));
        assertThat(run.conversation().totals().cost()).isNull();
    }

    @Test
    void parsesALineOfTwentyMegabytes() {
        String output = "x".repeat(20 << 20);
        Replay run = Replay.of(new ClaudeAdapter(),
                """
                        {"type":"system","subtype":"init","session_id":"s-long","model":"claude-sonnet-4-5"}
                        {"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}]}}
                        {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"%s"}]}}
                        {"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":1.5}
                        """
                        .formatted(output, output),
                directory);
        Conversation conversation = run.conversation();
        assertThat(conversation.turns().getFirst().parts()).singleElement().isInstanceOfSatisfying(ToolCall.class,
                call -> assertThat(call.output()).hasSizeLessThan(70_000).startsWith("xxx")
                        .endsWith("… [" + ((20 << 20) - 65536) + " more bytes in the transcript]"));
        assertThat(run.exit(0)).isInstanceOf(Succeeded.class);
        assertThat(conversation.totals().cost()).isEqualTo(new Cost(new BigDecimal("1.5"), Basis.REPORTED, null));
    }

    @Test
    void reportsHowLongARateLimitLasts() {
        assertThat(replay("failed").exit(1)).isEqualTo(new Failed(Reason.REPORTED,
                "claude failed (error_during_execution): 529 overloaded", Duration.ofSeconds(8000)));
    }

    @Test
    void ignoresImplausibleCosts() {
        for (String cost : List.of("1e999999999", "1e-999999999", "-1", "\"free\"", "null", "1e10")) {
            Replay run = Replay.of(new ClaudeAdapter(),
                    "{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"x\",\"total_cost_usd\":" + cost + "}\n",
                    directory);
            assertThat(run.exit(0)).isEqualTo(new Succeeded("x"));
            assertThat(String.valueOf(run.conversation().totals().cost())).isIn("null", "$0.00 (reported)");
        }
    }

    @Test
    void reachingTheTurnLimitIsPermanent() {
        Replay run = Replay.of(new ClaudeAdapter(),
                "{\"type\":\"result\",\"subtype\":\"error_max_turns\",\"is_error\":false,\"total_cost_usd\":0.5}\n",
                directory);
        assertThat(run.exit(0)).isEqualTo(new Failed(Reason.REFUSED, "claude failed (error_max_turns)", null));
        assertThat(run.conversation().totals().cost()).isEqualTo(new Cost(new BigDecimal("0.5"), Basis.REPORTED, null));
    }

    @Test
    void passesSessionAndLimitsAsArguments() {
        Invocation first = new Invocation("id-1", false, "sonnet", new Invocation.Limits(5, new BigDecimal("0.50")),
                List.of("--permission-mode=acceptEdits"));
        assertThat(new ClaudeAdapter().arguments(first)).containsExactly("-p", "--output-format=stream-json",
                "--verbose", "--session-id=id-1", "--model=sonnet", "--max-turns=5", "--max-budget-usd=0.50",
                "--permission-mode=acceptEdits");
        Invocation again = new Invocation("id-1", true, null, Invocation.Limits.NONE, List.of());
        assertThat(new ClaudeAdapter().arguments(again)).containsExactly("-p", "--output-format=stream-json",
                "--verbose", "--resume=id-1");
    }
}

package dev.heddle.conversation;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

import dev.heddle.conversation.Event.Message;
import dev.heddle.conversation.Event.Noise;
import dev.heddle.conversation.Event.Notice;
import dev.heddle.conversation.Event.Result;
import dev.heddle.conversation.Event.Started;
import dev.heddle.conversation.Event.Thinking;
import dev.heddle.conversation.Event.ToolCall;
import dev.heddle.conversation.Event.ToolResult;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ViewsTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<Event> RUN = List.of(new Started("s-1", "claude-x"), new Thinking("hm", null),
            new Message(Speaker.AGENT, "I'll look.", false, null),
            new ToolCall("t1", "Task", JSON.readTree("{\"a\":1}"), null),
            new Message(Speaker.AGENT, "deeper", false, "t1"), new ToolResult("t1", "one\ntwo", false, null),
            new Message(Speaker.AGENT, "There", true, null), new Message(Speaker.AGENT, " it is.", true, null),
            new Result(true, "success", "There it is.", new BigDecimal("0.25"), new Tokens(10, 0, 5, 7)));
    private static final String EVIL = "</pre><script>alert(1)</script><img src=x onerror='alert(2)'>&\u001b]0;pwned\u0007"
            + "\u001b[2J\u202Ereversed";

    private static Conversation conversation(List<Event> events) {
        ConversationBuilder builder = new ConversationBuilder(new RunningTotals());
        events.forEach(builder::add);
        return builder.build(Prices.NONE);
    }

    private static String text(List<Event> events) {
        StringBuilder out = new StringBuilder();
        TextView view = new TextView(out::append);
        view.prompt("Find it.");
        events.forEach(view::add);
        return out.toString();
    }

    @Test
    void printsAConversation() {
        assertThat(text(RUN)).isEqualTo("""
                user
                  Find it.
                session s-1 · claude-x
                agent
                  ~ hm
                  I'll look.
                  ▸ Task {"a":1}
                agent in t1
                  deeper
                    ← one
                      two
                agent
                  There it is.
                done (success) $0.25
                """);
    }

    @Test
    void shortensLongOutput() {
        String output = "line\n".repeat(40);
        assertThat(text(List.of(new ToolResult("t", output, true, null)))).endsWith("line\n      … 28 more lines\n")
                .contains("    ✗ line");
    }

    @Test
    void removesTerminalControlSequences() {
        String shown = text(List.of(new Started(EVIL, EVIL), new Message(Speaker.AGENT, EVIL, true, EVIL),
                new Noise(EVIL), new Notice(EVIL), new ToolCall("t", EVIL, JSON.valueToTree(EVIL), null),
                new ToolResult("t", EVIL, true, null), new Result(false, EVIL, EVIL, null, null)));
        assertThat(shown).doesNotContain("\u001b", "\u0007", "\u202E").contains("reversed");
    }

    @Test
    void rendersASelfContainedPage() {
        String page = HtmlView.page("job 42", "Find it.", conversation(RUN));
        assertThat(page).startsWith("<!doctype html>")
                .contains("default-src 'none'", "There it is.", "deeper", "$0.25 (reported)", "15 in, 7 out")
                .doesNotContain("<script", "http://", "https://", "<link", "src=");
    }

    @Test
    void escapesMarkup() {
        Conversation hostile = conversation(List.of(new Started(EVIL, EVIL), new Thinking(EVIL, null),
                new Message(Speaker.AGENT, EVIL, false, null),
                new ToolCall(EVIL, EVIL, JSON.valueToTree(List.of(EVIL)), null),
                new Message(Speaker.AGENT, EVIL, false, EVIL), new ToolResult(EVIL, EVIL, true, null), new Noise(EVIL),
                new Result(false, EVIL, EVIL, null, null)));
        String page = HtmlView.page(EVIL, EVIL, hostile);
        assertThat(Pattern.compile("<([a-z0-9]+)").matcher(page).results().map(found -> found.group(1)).distinct())
                .containsOnly("html", "head", "meta", "title", "style", "body", "main", "h1", "dl", "dt", "dd",
                        "section", "h2", "pre", "details", "summary", "div");
        assertThat(page).doesNotContain("\u001b", "onerror='").contains("&lt;script&gt;alert(1)");
    }

    @Test
    void serializesToTheJsonOfTheApi() {
        JsonNode json = JSON.valueToTree(conversation(RUN));
        assertThat(json.at("/totals/session").stringValue()).isEqualTo("s-1");
        assertThat(json.at("/totals/cost/basis").stringValue()).isEqualTo("REPORTED");
        assertThat(json.at("/turns/0/parts/2/part").stringValue()).isEqualTo("toolCall");
        assertThat(json.at("/turns/0/parts/2/output").stringValue()).isEqualTo("one\ntwo");
        assertThat(json.at("/turns/0/parts/2/inner/0/parts/0/text").stringValue()).isEqualTo("deeper");
        assertThat(json.at("/turns/0/parts/3/text").stringValue()).isEqualTo("There it is.");
    }
}

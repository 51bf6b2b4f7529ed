package dev.heddle.conversation;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

import dev.heddle.budget.Usd;
import dev.heddle.conversation.Event.Message;
import dev.heddle.conversation.Event.Noise;
import dev.heddle.conversation.Event.Notice;
import dev.heddle.conversation.Event.RateLimit;
import dev.heddle.conversation.Event.Result;
import dev.heddle.conversation.Event.Started;
import dev.heddle.conversation.Event.Thinking;
import dev.heddle.conversation.Event.TokenUsage;
import dev.heddle.conversation.Event.ToolCall;
import dev.heddle.conversation.Event.ToolResult;
import dev.heddle.conversation.Event.Unknown;
import dev.heddle.output.SafeText;
import org.jspecify.annotations.Nullable;

/** Prints a run for people, event by event, which lets them follow it while it is going. */
public final class TextView {

    private static final int OUTPUT_LINES = 12;
    private static final int INPUT_LENGTH = 300;

    private final Consumer<String> out;
    private @Nullable String currentTurn;
    private boolean inText;

    /**
     * Creates a view that has printed nothing yet.
     *
     * @param out receives the text in pieces, with line ends
     */
    public TextView(Consumer<String> out) {
        this.out = out;
    }

    /** Prints the prompt, for which there is no event. */
    public void prompt(String prompt) {
        add(new Message(Speaker.USER, prompt, false, null));
    }

    /** Prints one event. */
    public void add(Event event) {
        switch (event) {
            case Started started -> line("session " + Objects.requireNonNullElse(started.session(), "?")
                    + (started.model() == null ? "" : " · " + started.model()));
            case Message message -> addMessage(message);
            case Thinking thinking -> {
                startTurn("agent", thinking.parentCall());
                block("  ~ ", thinking.text(), OUTPUT_LINES);
            }
            case ToolCall call -> {
                startTurn("agent", call.parentCall());
                block("  ▸ ", call.tool() + " " + shorten(call.input().toString()), OUTPUT_LINES);
            }
            case ToolResult result -> block(result.failed() ? "    ✗ " : "    ← ", result.output(), OUTPUT_LINES);
            case Notice notice -> block("! ", notice.text(), OUTPUT_LINES);
            case RateLimit limit ->
                block("! ", "rate limit: " + limit.status() + (limit.until() == null ? "" : " until " + limit.until()),
                        OUTPUT_LINES);
            case Noise noise -> block("· ", noise.line(), OUTPUT_LINES);
            case Result result -> addResult(result);
            case Unknown _, TokenUsage _ -> {
                // There is nothing to read in these.
            }
        }
    }

    private void addMessage(Message message) {
        boolean continues = message.continues() && inText;
        startTurn(message.speaker() == Speaker.USER ? "user" : "agent", message.parentCall());
        String text = SafeText.of(message.text());
        if (message.continues()) {
            out.accept((continues ? "" : "  ") + text.replaceAll("\n(?!\\z)", "\n  "));
            inText = !text.endsWith("\n");
        } else {
            block("  ", text, Integer.MAX_VALUE);
        }
    }

    private void startTurn(String speaker, @Nullable String parentCall) {
        String name = parentCall == null ? speaker : speaker + " in " + SafeText.of(parentCall);
        if (!name.equals(currentTurn)) {
            line(name);
            currentTurn = name;
        }
    }

    private void addResult(Result result) {
        currentTurn = null;
        line((result.success() ? "done" : "failed") + " (" + SafeText.of(result.how()) + ")"
                + (result.usd() == null ? "" : " " + Usd.format(result.usd())));
        if (!result.success() && result.text() != null) {
            block("  ", result.text(), OUTPUT_LINES);
        }
    }

    private static String shorten(String text) {
        return text.length() <= INPUT_LENGTH ? text : text.substring(0, INPUT_LENGTH) + "…";
    }

    private void block(String first, String text, int lines) {
        endText();
        String rest = " ".repeat(first.length());
        out.accept(first + firstLines(SafeText.of(text), lines).replace("\n", "\n" + rest) + "\n");
    }

    private void line(String text) {
        endText();
        out.accept(SafeText.of(text) + "\n");
    }

    private void endText() {
        if (inText) {
            out.accept("\n");
            inText = false;
        }
    }

    /** Returns the first lines, followed by the number of lines that were left out. */
    private static String firstLines(String text, int lines) {
        String[] all = text.strip().split("\n", -1);
        if (all.length <= lines) {
            return text.strip();
        }
        return String.join("\n", Arrays.copyOf(all, lines)) + "\n… " + (all.length - lines) + " more lines";
    }
}

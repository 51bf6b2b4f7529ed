package dev.heddle.conversation;

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

/** Collects the text of a run for the search index, up to a maximum length. */
public final class SearchText {

    private final int maxLength;
    private final StringBuilder text = new StringBuilder();

    /** Creates an empty text that grows to at most this many characters. */
    public SearchText(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Adds the text of an event, if it has any. */
    public void add(Event event) {
        switch (event) {
            case Message message -> add(message.text());
            case Thinking thinking -> add(thinking.text());
            case ToolCall call -> add(call.tool() + " " + call.input());
            case ToolResult result -> add(result.output());
            case Notice notice -> add(notice.text());
            case Noise noise -> add(noise.line());
            case Result result -> add(result.text() == null ? "" : result.text());
            case Started _, TokenUsage _, RateLimit _, Unknown _ -> {
                // There is no text to search for.
            }
        }
    }

    /** Adds a paragraph of text. */
    public void add(String more) {
        int room = Math.max(0, maxLength - text.length());
        text.append(more, 0, Math.min(more.length(), room)).append(room > 0 ? "\n" : "");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

package dev.heddle.conversation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
import org.jspecify.annotations.Nullable;

/** Assembles a {@link Conversation} from events: turns by speaker, tool calls with their results and subagents. */
public final class ConversationBuilder {

    private final RunningTotals totals;
    private final Level top = new Level();
    private final Map<String, OpenCall> calls = new HashMap<>();

    /** The turns of one level: the main agent, or one subagent. */
    private static final class Level {
        final List<OpenTurn> turns = new ArrayList<>();

        OpenTurn turnOf(Speaker speaker) {
            if (turns.isEmpty() || turns.getLast().speaker != speaker) {
                turns.add(new OpenTurn(speaker));
            }
            return turns.getLast();
        }

        List<Turn> build() {
            return turns.stream().map(OpenTurn::build).toList();
        }
    }

    private static final class OpenTurn {
        final Speaker speaker;
        final List<OpenPart> parts = new ArrayList<>();

        OpenTurn(Speaker speaker) {
            this.speaker = speaker;
        }

        Turn build() {
            return new Turn(speaker, parts.stream().map(OpenPart::build).toList());
        }
    }

    private interface OpenPart {
        Part build();
    }

    private record OpenText(StringBuilder text) implements OpenPart {
        @Override
        public Part build() {
            return new Part.Text(text.toString());
        }
    }

    private static final class OpenCall implements OpenPart {
        final ToolCall call;
        final Level subagent = new Level();
        @Nullable ToolResult result;

        OpenCall(ToolCall call) {
            this.call = call;
        }

        @Override
        public Part build() {
            return new Part.ToolCall(call.id(), call.tool(), call.input(), result == null ? null : result.output(),
                    result != null && result.failed(), subagent.build());
        }
    }

    /**
     * Creates a builder without turns.
     *
     * @param totals sums up the events that are added here
     */
    public ConversationBuilder(RunningTotals totals) {
        this.totals = totals;
    }

    /** Adds the next event. */
    public void add(Event event) {
        totals.add(event);
        switch (event) {
            case Message message -> addMessage(message);
            case Thinking thinking ->
                level(thinking.parentCall()).turnOf(Speaker.AGENT).parts.add(() -> new Part.Thinking(thinking.text()));
            case ToolCall call -> {
                OpenCall open = new OpenCall(call);
                calls.put(call.id(), open);
                level(call.parentCall()).turnOf(Speaker.AGENT).parts.add(open);
            }
            case ToolResult result -> addResult(result);
            case Notice notice -> addNote(notice.text());
            case RateLimit limit ->
                addNote("rate limit: " + limit.status() + (limit.until() == null ? "" : " until " + limit.until()));
            case Noise noise -> addNote(noise.line());
            case Unknown unknown -> addNote(unknown.line());
            case Started _, TokenUsage _, Result _ -> {
                // The totals cover these.
            }
        }
    }

    /** A subagent whose tool call is unknown is shown on the top level rather than not at all. */
    private Level level(@Nullable String parentCall) {
        OpenCall call = parentCall == null ? null : calls.get(parentCall);
        return call == null ? top : call.subagent;
    }

    private void addMessage(Message message) {
        OpenTurn turn = level(message.parentCall()).turnOf(message.speaker());
        if (message.continues() && !turn.parts.isEmpty()
                && turn.parts.getLast() instanceof OpenText(StringBuilder text)) {
            text.append(message.text());
        } else {
            turn.parts.add(new OpenText(new StringBuilder(message.text())));
        }
    }

    private void addResult(ToolResult result) {
        OpenCall call = calls.get(result.call());
        if (call == null) {
            addNote("result of an unknown tool call: " + result.output());
        } else {
            call.result = result;
        }
    }

    private void addNote(String text) {
        top.turnOf(Speaker.SYSTEM).parts.add(() -> new Part.Note(text));
    }

    /** Returns the conversation so far. */
    public Conversation build(Prices prices) {
        return new Conversation(totals.totals(prices), top.build());
    }
}

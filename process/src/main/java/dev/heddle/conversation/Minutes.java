package dev.heddle.conversation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.conversation.Event.Answered;
import dev.heddle.conversation.Event.Called;
import dev.heddle.conversation.Event.Finished;
import dev.heddle.conversation.Event.Limited;
import dev.heddle.conversation.Event.Noise;
import dev.heddle.conversation.Event.Noticed;
import dev.heddle.conversation.Event.Said;
import dev.heddle.conversation.Event.Started;
import dev.heddle.conversation.Event.Thought;
import dev.heddle.conversation.Event.Unknown;
import dev.heddle.conversation.Event.Used;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Takes the minutes: puts events in their places until the {@link Conversation} is whole. */
public final class Minutes {

    private final Tally tally;
    private final Floor top = new Floor();
    private final Map<String, OpenCall> calls = new HashMap<>();

    /** Who speaks on one level: the agent itself, or one subagent. */
    private static final class Floor {
        final List<OpenTurn> turns = new ArrayList<>();

        OpenTurn turnOf(Speaker speaker) {
            if (turns.isEmpty() || turns.getLast().speaker != speaker) {
                turns.add(new OpenTurn(speaker));
            }
            return turns.getLast();
        }

        List<Turn> close() {
            return turns.stream().map(OpenTurn::close).toList();
        }
    }

    private static final class OpenTurn {
        final Speaker speaker;
        final List<OpenPart> parts = new ArrayList<>();

        OpenTurn(Speaker speaker) {
            this.speaker = speaker;
        }

        Turn close() {
            return new Turn(speaker, parts.stream().map(OpenPart::close).toList());
        }
    }

    private interface OpenPart {
        Part close();
    }

    private record OpenText(StringBuilder text) implements OpenPart {
        @Override
        public Part close() {
            return new Part.Text(text.toString());
        }
    }

    private static final class OpenCall implements OpenPart {
        final Called called;
        final Floor inner = new Floor();
        @Nullable Answered answer;

        OpenCall(Called called) {
            this.called = called;
        }

        @Override
        public Part close() {
            JsonNode input = called.input();
            return new Part.ToolCall(called.id(), called.tool(), input,
                    answer == null ? null : answer.output(),
                    answer != null && answer.failed(), inner.close());
        }
    }

    public Minutes(Tally tally) {
        this.tally = tally;
    }

    public void add(Event event) {
        tally.add(event);
        switch (event) {
            case Said said -> say(said);
            case Thought thought -> floor(thought.under()).turnOf(Speaker.AGENT).parts
                    .add(() -> new Part.Thinking(thought.text()));
            case Called called -> {
                OpenCall open = new OpenCall(called);
                calls.put(called.id(), open);
                floor(called.under()).turnOf(Speaker.AGENT).parts.add(open);
            }
            case Answered answered -> answer(answered);
            case Noticed noticed -> note(noticed.text());
            case Limited limited -> note("rate limit: " + limited.status()
                    + (limited.until() == null ? "" : " until " + limited.until()));
            case Noise noise -> note(noise.line());
            case Unknown unknown -> note(unknown.line());
            case Started _,Used _,Finished _ -> {
                // These are in the totals.
            }
        }
    }

    /** A subagent whose call nobody saw speaks on the agent's own floor, rather than not at all. */
    private Floor floor(@Nullable String under) {
        OpenCall call = under == null ? null : calls.get(under);
        return call == null ? top : call.inner;
    }

    private void say(Said said) {
        OpenTurn turn = floor(said.under()).turnOf(said.speaker());
        if (said.goesOn() && !turn.parts.isEmpty()
                && turn.parts.getLast() instanceof OpenText(StringBuilder text)) {
            text.append(said.text());
        } else {
            turn.parts.add(new OpenText(new StringBuilder(said.text())));
        }
    }

    private void answer(Answered answered) {
        OpenCall call = calls.get(answered.call());
        if (call == null) {
            note("an answer to a tool call that was not seen: " + answered.output());
        } else {
            call.answer = answered;
        }
    }

    private void note(String text) {
        top.turnOf(Speaker.SYSTEM).parts.add(() -> new Part.Note(text));
    }

    public Conversation close(Prices prices) {
        return new Conversation(tally.totals(prices), top.close());
    }
}

package dev.heddle.conversation;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Something that happened in a run, in the order in which it did. */
public sealed interface Event {

    /** What people read as the conversation. */
    sealed interface Spoken extends Event {

        /** The tool call that started the subagent whose word this is; null for the agent itself. */
        @Nullable
        String under();
    }

    /** The agent is there. */
    record Started(@Nullable String session, @Nullable String model) implements Event {}

    /**
     * Words.
     *
     * @param goesOn whether they belong to the words before, with nothing between
     */
    record Said(Speaker speaker, String text, boolean goesOn, @Nullable String under) implements Spoken {}

    record Thought(String text, @Nullable String under) implements Spoken {}

    /** The agent uses a tool. */
    record Called(String id, String tool, JsonNode input, @Nullable String under) implements Spoken {}

    /** What came of it. */
    record Answered(String call, String output, boolean failed, @Nullable String under) implements Spoken {}

    /** A warning, or an error that did not end the run. */
    record Noticed(String text) implements Event {}

    /** The vendor lets through less, or nothing, until then. */
    record Limited(String status, @Nullable Instant until) implements Event {}

    /**
     * Tokens that were used.
     *
     * @param key what they were used for: the same key again is a correction, not more
     * @param model null where the agent does not say
     */
    record Used(String key, @Nullable String model, Tokens tokens, Span span) implements Event {}

    /** What a count of tokens is counted from. */
    enum Span {
        MESSAGE,
        /** The session's first run, and not this one's start. */
        SESSION
    }

    /**
     * The agent says that it is done.
     *
     * @param how the agent's word for the way it ended
     * @param text the answer, or what went wrong
     * @param usd what the run cost so far
     * @param tokens what the run used so far
     */
    record Finished(boolean success, String how, @Nullable String text, @Nullable BigDecimal usd,
            @Nullable Tokens tokens) implements Event {}

    /** A kind of event that the adapter does not know; kept, as a later one may. */
    record Unknown(String kind, String line) implements Event {}

    /** A line that is no event at all. */
    record Noise(String line) implements Event {}
}

package dev.heddle.conversation;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One event of a run, in the vocabulary that all agents share. */
public sealed interface Event {

    /** An event that is part of the conversation itself. */
    sealed interface ConversationEvent extends Event {

        /** Returns the id of the tool call whose subagent this event belongs to; null for the main agent. */
        @Nullable String parentCall();
    }

    /** The agent has started. */
    record Started(@Nullable String session, @Nullable String model) implements Event {}

    /**
     * Text from the user or the agent.
     *
     * @param continues whether the text continues the previous message without a separator
     */
    record Message(Speaker speaker, String text, boolean continues,
            @Nullable String parentCall) implements ConversationEvent {}

    /** The agent's reasoning. */
    record Thinking(String text, @Nullable String parentCall) implements ConversationEvent {}

    /** The agent calls a tool. */
    record ToolCall(String id, String tool, JsonNode input, @Nullable String parentCall) implements ConversationEvent {}

    /**
     * The result of a tool call.
     *
     * @param call the id of the call
     */
    record ToolResult(String call, String output, boolean failed,
            @Nullable String parentCall) implements ConversationEvent {}

    /** A warning, or an error that did not end the run. */
    record Notice(String text) implements Event {}

    /**
     * The vendor reported on its rate limit.
     *
     * @param status the vendor's word for it; starts with {@code allowed} if requests still pass
     * @param until when the limit resets; null if unknown
     */
    record RateLimit(String status, @Nullable Instant until) implements Event {}

    /**
     * Tokens that were used.
     *
     * @param key identifies the use; a second event with the same key replaces the first
     * @param model the model that used them; null if the agent does not report it
     */
    record TokenUsage(String key, @Nullable String model, Tokens tokens, UsageScope scope) implements Event {}

    /** What a token count covers. */
    enum UsageScope {
        /** One message. */
        MESSAGE,
        /** The whole session, including the runs before this one. */
        SESSION
    }

    /**
     * The agent reports that it is done.
     *
     * @param how the agent's word for the way it ended
     * @param text the answer, or what went wrong
     * @param usd the cost of the run so far; null if not reported
     * @param tokens the tokens of the run so far; null if not reported
     */
    record Result(boolean success, String how, @Nullable String text, @Nullable BigDecimal usd,
            @Nullable Tokens tokens) implements Event {}

    /** A kind of event that the adapter does not know. It is kept: a later version may know it. */
    record Unknown(String kind, String line) implements Event {}

    /** A line that is not an event at all. */
    record Noise(String line) implements Event {}
}

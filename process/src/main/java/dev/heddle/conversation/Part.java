package dev.heddle.conversation;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A piece of a turn. The names of types and fields are part of the JSON that the API returns. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "part")
@JsonSubTypes({@JsonSubTypes.Type(value = Part.Text.class, name = "text"),
    @JsonSubTypes.Type(value = Part.Thinking.class, name = "thinking"),
    @JsonSubTypes.Type(value = Part.ToolCall.class, name = "toolCall"),
    @JsonSubTypes.Type(value = Part.Note.class, name = "note")})
public sealed interface Part {

    /** Text from the user or the agent. */
    record Text(String text) implements Part {}

    /** The agent's reasoning. */
    record Thinking(String text) implements Part {}

    /**
     * A tool call with its result.
     *
     * @param output what the tool returned; null if there is no result
     * @param inner the turns of the subagent that this call started; empty if it started none
     */
    record ToolCall(String id, String tool, JsonNode input, @Nullable String output, boolean failed,
            List<Turn> inner) implements Part {}

    /** Anything else: a warning, a rate limit, a line that the adapter does not know. */
    record Note(String text) implements Part {}
}

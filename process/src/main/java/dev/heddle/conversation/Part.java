package dev.heddle.conversation;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A piece of a turn. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "part")
@JsonSubTypes({@JsonSubTypes.Type(value = Part.Text.class, name = "text"),
    @JsonSubTypes.Type(value = Part.Thinking.class, name = "thinking"),
    @JsonSubTypes.Type(value = Part.ToolCall.class, name = "toolCall"),
    @JsonSubTypes.Type(value = Part.Note.class, name = "note")})
public sealed interface Part {

    record Text(String text) implements Part {}

    record Thinking(String text) implements Part {}

    /**
     * A tool with what came of it.
     *
     * @param output null where nothing came
     * @param inner what a subagent said that this call started
     */
    record ToolCall(String id, String tool, JsonNode input, @Nullable String output, boolean failed,
            List<Turn> inner) implements Part {}

    /** What stands between: a warning, a limit, a line that no adapter knows. */
    record Note(String text) implements Part {}
}

package dev.heddle.agent;

import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.heddle.job.JobException;
import dev.heddle.template.MissingFieldException;
import dev.heddle.template.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent is to do: the payload of its job. A type with a prompt of its own takes the fields of that from it; any
 * other has the prompt itself from its field {@code prompt}. A field {@code session} names a session to go on with.
 */
public record AgentTask(@JsonValue JsonNode payload) {

    private static final String PROMPT = "prompt";
    private static final String SESSION = "session";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public AgentTask {}

    public static AgentTask of(String prompt) {
        if (prompt.isBlank()) {
            throw new IllegalArgumentException("an agent needs a prompt");
        }
        return new AgentTask(JsonMapper.shared().createObjectNode().put(PROMPT, prompt));
    }

    /** The same, going on with a session. */
    public AgentTask session(String id) {
        ObjectNode with = payload instanceof ObjectNode object ? object.deepCopy()
                : JsonMapper.shared().createObjectNode();
        return new AgentTask(with.put(SESSION, id));
    }

    Optional<String> session() {
        return text(SESSION);
    }

    /** As the agent is to get it; what is missing now is missing the next time, too. */
    String prompt(@Nullable Template template) {
        if (template == null) {
            return text(PROMPT).orElseThrow(
                    () -> JobException.permanent(
                            "the payload has no prompt; give it one, such as {\"prompt\": \"…\"}"));
        }
        try {
            return template.fill(payload);
        } catch (MissingFieldException e) {
            throw JobException.permanent(
                    "the payload has no field '" + e.field() + "', which the prompt needs; " + e.known(), e);
        }
    }

    private Optional<String> text(String field) {
        return Optional.ofNullable(payload.get(field)).filter(JsonNode::isString).map(JsonNode::stringValue)
                .filter(text -> !text.isBlank());
    }
}

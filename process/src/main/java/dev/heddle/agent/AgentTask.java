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
 * The payload of an agent's job. If the agent has a prompt template, the payload provides the template's fields;
 * otherwise its field {@code prompt} is the prompt. The optional field {@code session} names a session to resume. The field
 * {@code continues} is set by {@code heddle job continue}.
 *
 * @param payload the payload as JSON
 */
public record AgentTask(@JsonValue JsonNode payload) {

    private static final String PROMPT = "prompt";
    private static final String SESSION = "session";

    /** Wraps any JSON value. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public AgentTask {}

    /** Creates a task for an agent without a prompt template. */
    public static AgentTask of(String prompt) {
        if (prompt.isBlank()) {
            throw new IllegalArgumentException("the prompt of an agent task is blank");
        }
        return new AgentTask(JsonMapper.shared().createObjectNode().put(PROMPT, prompt));
    }

    /** Returns the same task, resuming a session. */
    public AgentTask session(String id) {
        ObjectNode with = payload instanceof ObjectNode object ? object.deepCopy()
                : JsonMapper.shared().createObjectNode();
        return new AgentTask(with.put(SESSION, id));
    }

    /** Returns what the task continues, if it continues the work of another job. */
    Optional<Continuation> continuation() {
        return Continuation.in(payload);
    }

    /** Returns the session to resume. One that cannot be an id is a permanent failure. */
    Optional<String> session() {
        return continuation().map(Continuation::session).or(() -> text(SESSION)).map(id -> {
            if (!Invocation.isSessionId(id)) {
                throw JobException.permanent("the session '" + id + "' in the payload is not the id of a session;"
                        + " give one that an earlier report names, or leave it out");
            }
            return id;
        });
    }

    /**
     * Returns the complete prompt. A missing field is a permanent failure, because a retry would not find it either.
     */
    String prompt(@Nullable Template template) {
        Optional<Continuation> continuation = continuation();
        if (continuation.isPresent()) {
            return continuation.get().comment();
        }
        if (template == null) {
            return text(PROMPT).orElseThrow(
                    () -> JobException.permanent("the payload has no prompt; submit one such as {\"prompt\": \"…\"}"));
        }
        try {
            return template.fill(payload);
        } catch (MissingFieldException e) {
            throw JobException.permanent(
                    "the prompt needs the field '" + e.field() + "', which the payload does not have; " + e.available(),
                    e);
        }
    }

    private Optional<String> text(String field) {
        return Optional.ofNullable(payload.get(field)).filter(JsonNode::isString).map(JsonNode::stringValue)
                .filter(text -> !text.isBlank());
    }
}

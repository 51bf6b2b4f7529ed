package dev.heddle.agent;

import org.jspecify.annotations.Nullable;

/**
 * What an agent is to do: the payload of its job.
 *
 * @param session a session to go on with; null for a new one
 */
public record AgentTask(String prompt, @Nullable String session) {

    public AgentTask {
        if (prompt.isBlank()) {
            throw new IllegalArgumentException("an agent needs a prompt");
        }
    }

    public static AgentTask of(String prompt) {
        return new AgentTask(prompt, null);
    }
}

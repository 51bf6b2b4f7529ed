package dev.heddle.cli.callback;

import java.util.Map;

import dev.heddle.cli.config.Callback;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Of whose ends who is told.
 *
 * @param type of the jobs
 * @param batch whose units they are; null where they are of no batch
 * @param callbacks by event
 */
public record Told(String type, @Nullable String batch, Map<String, Callback> callbacks) {

    static final String COMPLETE = "onUnitComplete";
    static final String FAILED = "onUnitFailed";

    boolean isEmpty() {
        return callbacks.isEmpty();
    }

    JobType<JsonNode, JsonNode> jobType() {
        return JobType.of(type, JsonNode.class, JsonNode.class);
    }

    /** Null where nobody wants to know. */
    @Nullable
    String eventOf(JobState end) {
        String event = switch (end) {
            case COMPLETED -> COMPLETE;
            case FAILED -> FAILED;
            default -> "";
        };
        return callbacks.containsKey(event) ? event : null;
    }
}

package dev.heddle.cli.callback;

import java.util.Map;

import dev.heddle.cli.config.Callback;
import dev.heddle.control.local.CallbackTypes;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The callbacks of a job type.
 *
 * @param type name of the job type
 * @param batch name of the batch whose units have this type; null if it is not the type of a batch
 * @param callbacks callbacks by event
 */
public record TypeCallbacks(String type, @Nullable String batch, Map<String, Callback> callbacks) {

    boolean isEmpty() {
        return callbacks.isEmpty();
    }

    JobType<JsonNode, JsonNode> jobType() {
        return JobType.of(type, JsonNode.class, JsonNode.class);
    }

    /** Returns the event of a job that ended in this state, or null if there is no callback for it. */
    @Nullable String eventOf(JobState end) {
        String event = switch (end) {
            case COMPLETED -> CallbackTypes.COMPLETE;
            case FAILED -> CallbackTypes.FAILED;
            default -> "";
        };
        return callbacks.containsKey(event) ? event : null;
    }
}

package dev.heddle.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What earlier attempts of a job saved for the next one.
 *
 * @param checkpointJson the checkpoint as JSON; null if none was saved
 * @param steps the results of finished steps as JSON, by the name of the step, in the order in which they were saved
 * @param lastStepAt when the last step was saved; null if none was
 */
public record SavedState(@Nullable String checkpointJson, Map<String, String> steps, @Nullable Instant lastStepAt) {

    /** Nothing was saved. */
    public static final SavedState EMPTY = new SavedState(null, Map.of(), null);

    /** Returns the checkpoint as JSON, if one was saved. */
    public Optional<String> checkpoint() {
        return Optional.ofNullable(checkpointJson);
    }
}

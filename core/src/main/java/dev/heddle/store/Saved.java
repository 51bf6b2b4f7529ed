package dev.heddle.store;

import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What attempts of a job left for the next one.
 *
 * @param checkpointJson the checkpoint, if one was saved
 * @param steps the results of the steps that are done, as JSON by name
 */
public record Saved(@Nullable String checkpointJson, Map<String, String> steps) {

    public static final Saved NOTHING = new Saved(null, Map.of());

    public Optional<String> checkpoint() {
        return Optional.ofNullable(checkpointJson);
    }
}

package dev.heddle.engine.submit;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.job.JsonMappers;
import dev.heddle.job.Limits;
import tools.jackson.databind.JsonNode;

/** The values in a payload by which queries find its job. */
final class SearchableValues {

    private SearchableValues() {}

    /**
     * Returns the values at these paths. Values that are missing, objects, arrays or too long are left out, because a
     * payload that cannot be searched is no reason to refuse a job.
     */
    static Map<String, String> in(String json, Collection<String> paths) {
        if (paths.isEmpty()) {
            return Map.of();
        }
        JsonNode payload = JsonMappers.readStrictly(json);
        Map<String, String> values = new LinkedHashMap<>();
        for (String path : paths) {
            JsonNode node = at(payload, path);
            if (node.isValueNode() && !node.isNull() && !node.asString().isEmpty()
                    && node.asString().length() <= Limits.NAME) {
                values.put(path, node.asString());
            }
        }
        return values;
    }

    private static JsonNode at(JsonNode payload, String path) {
        JsonNode node = payload;
        for (String step : path.split("\\.", -1)) {
            node = node.isArray() && step.matches("\\d{1,6}") ? node.path(Integer.parseInt(step)) : node.path(step);
        }
        return node;
    }
}

package dev.heddle.control.local;

import dev.heddle.control.ControlJson;
import dev.heddle.job.JsonErrors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads JSON of a store to show it. JSON that cannot be read, because someone changed the database or because an
 * earlier version stored it, is shown as text: {@code {"unreadable": "why", "text": "…"}}.
 */
final class StoredJson {

    private StoredJson() {}

    static JsonNode shown(String json) {
        try {
            JsonNode value = ControlJson.tree(json);
            return value.isMissingNode() ? unreadable("it is empty", json) : value;
        } catch (JacksonException e) {
            return unreadable(JsonErrors.describe(e), json);
        } catch (NumberFormatException e) {
            return unreadable("a number is out of range", json);
        }
    }

    private static JsonNode unreadable(String why, String text) {
        return JsonNodeFactory.instance.objectNode().put("unreadable", why).put("text", text);
    }
}

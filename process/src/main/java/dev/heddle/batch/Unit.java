package dev.heddle.batch;

import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One unit of a batch.
 *
 * @param origin where the unit is listed, such as {@code units.csv:3}
 * @param payload a JSON object
 */
public record Unit(String origin, JsonNode payload) {

    /** Sorts the fields: their order does not make another unit. */
    private static final ObjectWriter CANONICAL = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build().writer();

    /** Checks that the payload is an object. */
    public Unit {
        if (!(payload instanceof ObjectNode)) {
            throw new BatchException(origin + " is not a JSON object such as {\"id\": 1}");
        }
    }

    /** Returns an id that depends only on the payload: the same payload is always the same unit. */
    public String id() {
        return ContentHash.of(CANONICAL.writeValueAsString(JsonMapper.shared().treeToValue(payload, TreeMap.class)));
    }
}

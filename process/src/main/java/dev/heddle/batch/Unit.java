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
 * @param origin where it was written, such as {@code units.csv:3}
 * @param payload an object
 */
public record Unit(String origin, JsonNode payload) {

    /** The order of fields makes no other unit. */
    private static final ObjectWriter CANONICAL = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build().writer();

    public Unit {
        if (!(payload instanceof ObjectNode)) {
            throw new BatchException(origin + " is not an object with fields, such as {\"id\": 1}");
        }
    }

    /** What it is known by: the same payload is the same unit, today and tomorrow. */
    public String id() {
        return Digest.of(canonical());
    }

    private String canonical() {
        return CANONICAL.writeValueAsString(JsonMapper.shared().treeToValue(payload, TreeMap.class));
    }
}

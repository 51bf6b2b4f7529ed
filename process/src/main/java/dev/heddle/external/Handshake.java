package dev.heddle.external;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a worker says of itself.
 *
 * @param types the job types it knows; empty where it does not say
 */
record Handshake(int protocolVersion, String name, List<String> types) {

    static ObjectNode question(String worker, String type) {
        return Protocol.object().put("protocolVersion", Protocol.VERSION)
                .put("minProtocolVersion", Protocol.OLDEST)
                .put("worker", worker).put("type", type).put("maxLineBytes", Protocol.LONGEST_LINE);
    }

    /** Reads the answer; throws with a line for people where it does not fit. */
    static Handshake read(JsonNode answer, String type) {
        JsonNode version = answer.path("protocolVersion");
        if (!Protocol.isInt(version)) {
            throw new IllegalArgumentException(version.isMissingNode()
                    ? "its answer to initialize has no protocolVersion"
                    : "the protocolVersion in its answer to initialize must be a number such as "
                            + Protocol.VERSION + ", and is " + (version.isString() ? "text: " : "")
                            + Protocol.shortened(version.toString()));
        }
        if (version.intValue() < Protocol.OLDEST || version.intValue() > Protocol.VERSION) {
            throw new IllegalArgumentException(
                    "it speaks protocol version " + version.intValue() + ", this is "
                            + Protocol.VERSION);
        }
        String name = Protocol.text(answer, "name");
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("its answer to initialize has no name");
        }
        List<String> types = new ArrayList<>();
        for (JsonNode one : answer.path("types")) {
            types.add(one.asString(""));
        }
        if (!types.isEmpty() && !types.contains(type)) {
            throw new IllegalArgumentException(
                    "it does not handle '" + type + "', but: " + String.join(", ", types));
        }
        return new Handshake(version.intValue(), name, List.copyOf(types));
    }
}

package dev.heddle.external;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A worker's response to {@code initialize}.
 *
 * @param types the job types that the worker handles; empty if it does not say
 */
record Handshake(int protocolVersion, String name, List<String> types) {

    /** Returns the params of the {@code initialize} request. */
    static ObjectNode params(String worker, String type) {
        return Protocol.object().put("protocolVersion", Protocol.VERSION)
                .put("minProtocolVersion", Protocol.OLDEST_VERSION).put("worker", worker).put("type", type)
                .put("maxLineBytes", Protocol.MAX_LINE_BYTES);
    }

    /**
     * Parses the response.
     *
     * @throws IllegalArgumentException if the worker cannot be used; the message says why
     */
    static Handshake parse(JsonNode response, String type) {
        JsonNode version = response.path("protocolVersion");
        if (!Protocol.isInt(version)) {
            throw new IllegalArgumentException(
                    version.isMissingNode() ? "its response to initialize has no protocolVersion"
                            : "the protocolVersion in its response to initialize must be a number such as "
                                    + Protocol.VERSION + ", but is " + (version.isString() ? "the string " : "")
                                    + Protocol.abbreviate(version.toString()));
        }
        if (version.intValue() < Protocol.OLDEST_VERSION || version.intValue() > Protocol.VERSION) {
            throw new IllegalArgumentException("it uses protocol version " + version.intValue()
                    + ", but Heddle supports only version " + Protocol.VERSION);
        }
        String name = Protocol.text(response, "name");
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("its response to initialize has no name");
        }
        List<String> types = new ArrayList<>();
        for (JsonNode one : response.path("types")) {
            types.add(one.asString(""));
        }
        if (!types.isEmpty() && !types.contains(type)) {
            throw new IllegalArgumentException("it does not handle '" + type + "', only: " + String.join(", ", types));
        }
        return new Handshake(version.intValue(), name, List.copyOf(types));
    }
}

package dev.heddle.external;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A line of a worker's standard output, parsed. */
sealed interface Message {

    /** A request from the worker, to be answered under its id. */
    record Request(JsonNode id, String method, JsonNode params) implements Message {}

    /** A notification from the worker, which gets no answer. */
    record Notification(String method, JsonNode params) implements Message {}

    /** The successful response to a request from Heddle. */
    record Response(long id, JsonNode result) implements Message {}

    /**
     * The error response to a request from Heddle.
     *
     * @param id null if the worker could not read the id of the request
     */
    record ErrorResponse(@Nullable Long id, RpcError error) implements Message {}

    /** A line that is not part of the protocol and goes to the worker's log. */
    record LogLine(String text) implements Message {}

    /** A line that looks like a message of the protocol but is invalid. */
    record Malformed(String problem) implements Message {}

    /** Returns the id of the execute request to which the params of a message refer; 0 if they name none. */
    static long jobRequestId(JsonNode params) {
        return params.path("id").asLong(0);
    }
}

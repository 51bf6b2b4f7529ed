package dev.heddle.external;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a line from a worker turns out to be. */
sealed interface Message {

    /** A request of the worker's own, to be answered under its id. */
    record Request(JsonNode id, String method, JsonNode params) implements Message {}

    record Notification(String method, JsonNode params) implements Message {}

    /** The answer to our request: a result, or an error. */
    record Answer(long id, JsonNode result) implements Message {}

    /**
     * The answer to our request: no.
     *
     * @param id null where the worker could not even read the id of what it complains about
     */
    record Refusal(@Nullable Long id, RpcError error) implements Message {}

    /** No part of the protocol: a line for the worker's log. */
    record Chatter(String line) implements Message {}

    /** Meant to be part of the protocol, and is not. */
    record Broken(String what) implements Message {}

    /** The number of the job's request that a worker's message is about; 0 where it does not say. */
    static long jobOf(JsonNode params) {
        return params.path("id").asLong(0);
    }
}

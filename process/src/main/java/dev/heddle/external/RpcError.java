package dev.heddle.external;

import tools.jackson.databind.JsonNode;

/** An answer that says no. */
record RpcError(int code, String message, JsonNode data) {

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int JOB_FAILED = -32000;
    static final int CANCELLED = -32800;

    /** Whether the worker did not understand the message, rather than failed at what it asks. */
    boolean isMisunderstanding() {
        return code == PARSE_ERROR || code == INVALID_REQUEST;
    }

    @Override
    public String toString() {
        return message + " (" + code + ")";
    }
}

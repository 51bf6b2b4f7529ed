package dev.heddle.external;

import tools.jackson.databind.JsonNode;

/** The error of a JSON-RPC response. */
record RpcError(int code, String message, JsonNode data) {

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int JOB_FAILED = -32000;
    static final int CANCELLED = -32800;

    /** Returns whether the worker could not read the request, as opposed to failing at it. */
    boolean isUnreadableRequest() {
        return code == PARSE_ERROR || code == INVALID_REQUEST;
    }

    @Override
    public String toString() {
        return message + " (" + code + ")";
    }
}

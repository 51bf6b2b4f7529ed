package dev.heddle.external;

import java.nio.charset.StandardCharsets;
import java.util.Set;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JsonMappers;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes the messages of the worker protocol: JSON-RPC 2.0, one message per line. See
 * {@code docs/reference/worker-protocol.md}.
 */
final class Protocol {

    static final int VERSION = 1;
    static final int OLDEST_VERSION = 1;
    static final int MAX_LINE_BYTES = 16 * 1024 * 1024;

    static final String INITIALIZE = "initialize";
    static final String EXECUTE = "execute";
    static final String PING = "ping";
    static final String CANCEL = "cancel";
    static final String SESSION_END = "sessionEnd";
    static final String SHUTDOWN = "shutdown";
    /** The requests that only Heddle sends. */
    static final Set<String> HEDDLE_REQUESTS = Set.of(INITIALIZE, EXECUTE, PING);
    static final String PROGRESS = "progress";
    static final String LOG = "log";
    static final String HEARTBEAT = "heartbeat";
    static final String CHECKPOINT = "checkpoint";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Reads enough of an unacceptable message to find out what it answers. */
    private static final JsonMapper LENIENT = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNumberLength(100_000).build()).build())
            .build();
    private static final int MAX_QUOTE = 200;

    private Protocol() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static byte[] request(long id, String method, ObjectNode params) {
        return line(envelope().put("id", id).put("method", method).set("params", params));
    }

    static byte[] notification(String method, ObjectNode params) {
        return line(envelope().put("method", method).set("params", params));
    }

    static byte[] emptyResult(JsonNode id) {
        ObjectNode message = envelope();
        message.set("id", id);
        message.set("result", object());
        return line(message);
    }

    static byte[] error(JsonNode id, int code, String text) {
        ObjectNode message = envelope();
        message.set("id", id);
        message.set("error", object().put("code", code).put("message", text));
        return line(message);
    }

    static byte[] methodNotFound(Message.Request request) {
        return error(request.id(), RpcError.METHOD_NOT_FOUND, "unknown method '" + request.method() + "'");
    }

    private static ObjectNode envelope() {
        return object().put("jsonrpc", "2.0");
    }

    private static byte[] line(JsonNode message) {
        return (JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Parses a line. Never throws, whatever the worker writes. */
    static Message parse(OutputLine line) {
        return switch (line) {
            case OutputLine.Text(String text) -> parse(text);
            case OutputLine.TooLong(String start, long bytes) when looksLikeMessage(start) ->
                new Message.Malformed("a message of " + bytes + " bytes; at most " + MAX_LINE_BYTES + " are allowed");
            case OutputLine.TooLong(String start, long bytes) -> new Message.LogLine(truncated(start, bytes));
        };
    }

    /** Returns the start of an overlong line with a note about its length. */
    static String truncated(String start, long bytes) {
        return start + "… (line of " + bytes + " bytes, truncated)";
    }

    private static boolean looksLikeMessage(String text) {
        return text.startsWith("{") && text.contains("\"jsonrpc\"");
    }

    private static Message parse(String text) {
        if (!text.startsWith("{")) {
            return new Message.LogLine(text);
        }
        JsonNode message;
        try {
            message = JsonMappers.readStrictly(text);
        } catch (IllegalArgumentException e) {
            return looksLikeMessage(text) ? unacceptable(text, String.valueOf(e.getMessage()))
                    : new Message.LogLine(text);
        }
        return message.path("jsonrpc").asString("").equals("2.0") ? parse(message, text) : new Message.LogLine(text);
    }

    /**
     * A result that is JSON, but has a field twice or a number that nobody can store, fails its job for good: the
     * worker would compute it again.
     */
    private static Message unacceptable(String text, String why) {
        Message read;
        try {
            read = parse(LENIENT.readTree(text), text);
        } catch (JacksonException e) {
            read = new Message.Malformed(why);
        }
        return read instanceof Message.Response(long id, _)
                ? new Message.ErrorResponse(id, new RpcError(RpcError.JOB_FAILED, "the result is refused: " + why,
                        object().put("category", FailureCategory.PERMANENT.name())))
                : new Message.Malformed("invalid JSON: " + abbreviate(text));
    }

    private static Message parse(JsonNode message, String text) {
        JsonNode id = message.get("id");
        JsonNode method = message.get("method");
        if (method != null) {
            JsonNode params = message.path("params");
            if (!method.isString() || !(params.isMissingNode() || params.isObject())) {
                return new Message.Malformed(
                        "a request whose method is not a string, or whose params are not an object: "
                                + abbreviate(text));
            }
            return id == null ? new Message.Notification(method.stringValue(), params)
                    : new Message.Request(id, method.stringValue(), params);
        }
        JsonNode error = message.get("error");
        JsonNode result = message.get("result");
        // Heddle's own ids are longs, so any other id cannot answer one of its requests.
        Long number = id != null && id.isIntegralNumber() && id.canConvertToLong() ? Long.valueOf(id.longValue())
                : null;
        if (error != null && isInt(error.path("code")) && (number != null || id == null || id.isNull())) {
            return new Message.ErrorResponse(number, new RpcError(error.path("code").intValue(),
                    error.path("message").asString(""), error.path("data")));
        }
        return result != null && error == null && number != null ? new Message.Response(number, result)
                : new Message.Malformed(
                        "a response without a numeric id, or without a result or an error: " + abbreviate(text));
    }

    static boolean isInt(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToInt();
    }

    /** Returns how many characters of a line are kept. */
    static int length(OutputLine line) {
        return switch (line) {
            case OutputLine.Text(String text) -> text.length();
            case OutputLine.TooLong(String start, _) -> start.length();
        };
    }

    /** Shortens a text for an error message. */
    static String abbreviate(String text) {
        return text.length() <= MAX_QUOTE ? text : text.substring(0, MAX_QUOTE) + "…";
    }

    /** Returns the text of a field; null if it is missing or not a string. */
    static @Nullable String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? value.stringValue() : null;
    }
}

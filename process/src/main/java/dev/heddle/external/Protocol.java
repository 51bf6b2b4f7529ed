package dev.heddle.external;

import java.nio.charset.StandardCharsets;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The worker protocol as text: JSON-RPC 2.0, one message a line. {@code docs/worker-protocol.md} specifies it. */
final class Protocol {

    static final int VERSION = 1;
    static final int OLDEST = 1;
    static final int LONGEST_LINE = 16 * 1024 * 1024;

    static final String INITIALIZE = "initialize";
    static final String EXECUTE = "execute";
    static final String PING = "ping";
    static final String CANCEL = "cancel";
    static final String SESSION_END = "sessionEnd";
    static final String SHUTDOWN = "shutdown";
    /** What only Heddle asks. */
    static final Set<String> ASKED = Set.of(INITIALIZE, EXECUTE, PING);
    static final String PROGRESS = "progress";
    static final String LOG = "log";
    static final String HEARTBEAT = "heartbeat";
    static final String CHECKPOINT = "checkpoint";

    private static final JsonMapper JSON = JsonMapper.builder().build();

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

    static byte[] answer(JsonNode id) {
        ObjectNode message = envelope();
        message.set("id", id);
        message.set("result", object());
        return line(message);
    }

    static byte[] refusal(JsonNode id, int code, String text) {
        ObjectNode message = envelope();
        message.set("id", id);
        message.set("error", object().put("code", code).put("message", text));
        return line(message);
    }

    /** The answer to a request whose method is not known. */
    static byte[] unknown(Message.Request request) {
        return refusal(request.id(), RpcError.METHOD_NOT_FOUND, "unknown method '" + request.method() + "'");
    }

    private static ObjectNode envelope() {
        return object().put("jsonrpc", "2.0");
    }

    private static byte[] line(JsonNode message) {
        return (JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Finds out what a line is; never throws, whatever a worker writes. */
    static Message read(Line line) {
        return switch (line) {
            case Line.Text(String text) -> read(text);
            case Line.TooLong(String start, long bytes) when looksLikeMessage(start) -> new Message.Broken(
                    "a message of " + bytes + " bytes; the most is " + LONGEST_LINE);
            case Line.TooLong(String start, long bytes) ->
                new Message.Chatter(start + "… (a line of " + bytes + " bytes, cut)");
        };
    }

    private static boolean looksLikeMessage(String text) {
        return text.startsWith("{") && text.contains("\"jsonrpc\"");
    }

    private static Message read(String text) {
        if (!text.startsWith("{")) {
            return new Message.Chatter(text);
        }
        JsonNode message;
        try {
            message = JSON.readTree(text);
        } catch (JacksonException e) {
            return looksLikeMessage(text) ? new Message.Broken("no JSON: " + shortened(text))
                    : new Message.Chatter(text);
        }
        return message.path("jsonrpc").asString("").equals("2.0") ? read(message, text)
                : new Message.Chatter(text);
    }

    private static Message read(JsonNode message, String text) {
        JsonNode id = message.get("id");
        JsonNode method = message.get("method");
        if (method != null) {
            JsonNode params = message.path("params");
            if (!method.isString() || !(params.isMissingNode() || params.isObject())) {
                return new Message.Broken(
                        "a request whose method is no string, or whose params are no object: "
                                + shortened(text));
            }
            return id == null ? new Message.Notification(method.stringValue(), params)
                    : new Message.Request(id, method.stringValue(), params);
        }
        JsonNode error = message.get("error");
        JsonNode result = message.get("result");
        // A number that is too large for ours is no answer to anything.
        Long number = id != null && id.isIntegralNumber() && id.canConvertToLong()
                ? Long.valueOf(id.longValue())
                : null;
        if (error != null && isInt(error.path("code")) && (number != null || id == null || id.isNull())) {
            return new Message.Refusal(number, new RpcError(error.path("code").intValue(),
                    error.path("message").asString(""), error.path("data")));
        }
        return result != null && error == null && number != null ? new Message.Answer(number, result)
                : new Message.Broken(
                        "an answer without a number for its id, or without either result or error: "
                                + shortened(text));
    }

    static boolean isInt(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToInt();
    }

    /** How much of a line is kept, in characters. */
    static int length(Line line) {
        return switch (line) {
            case Line.Text(String text) -> text.length();
            case Line.TooLong(String start, _) -> start.length();
        };
    }

    static String shortened(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }

    /** The text of a field, or null where there is none. */
    static @Nullable String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? value.stringValue() : null;
    }
}

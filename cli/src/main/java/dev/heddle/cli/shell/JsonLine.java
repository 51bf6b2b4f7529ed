package dev.heddle.cli.shell;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.control.ControlJson;

/** Formats a line of a log as JSON. */
public final class JsonLine {

    private JsonLine() {}

    /** Returns a document with the time, the level and the message first. Fields replace none of these. */
    public static String of(Instant time, String level, String message, Map<String, String> fields) {
        Map<String, String> line = new LinkedHashMap<>();
        line.put("time", time.toString());
        line.put("level", level);
        line.put("message", message);
        fields.forEach(line::putIfAbsent);
        return ControlJson.write(line);
    }
}

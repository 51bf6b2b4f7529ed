package dev.heddle.batch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Values separated by commas, in quotes where they have commas, quotes or line ends in them (RFC 4180). */
final class Csv {

    private final Path file;
    private final String text;
    private final List<Row> rows = new ArrayList<>();
    private int at;
    private int line = 1;

    private record Row(int line, List<String> values) {}

    private Csv(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    static List<Unit> units(Path file, String text) {
        return new Csv(file, text).units();
    }

    private List<Unit> units() {
        while (at < text.length()) {
            Row row = row();
            if (row.values.size() > 1 || !row.values.getFirst().isBlank()) {
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            throw new BatchException(file + " is empty; its first line must name the fields");
        }
        List<String> names = names(rows.removeFirst());
        return rows.stream().map(row -> unit(names, row)).toList();
    }

    private List<String> names(Row header) {
        Set<String> seen = new HashSet<>();
        for (String name : header.values) {
            if (name.isBlank()) {
                throw wrong(header.line, "a field has no name");
            }
            if (!seen.add(name.strip())) {
                throw wrong(header.line, "the field '" + name.strip() + "' is there twice");
            }
        }
        return header.values.stream().map(String::strip).toList();
    }

    private Unit unit(List<String> names, Row row) {
        if (row.values.size() != names.size()) {
            throw wrong(row.line, count(row.values.size(), "value") + ", and the first line has "
                    + count(names.size(), "field") + " (" + String.join(", ", names) + ")");
        }
        ObjectNode payload = JsonMapper.shared().createObjectNode();
        for (int i = 0; i < names.size(); i++) {
            payload.put(names.get(i), row.values.get(i));
        }
        return new Unit(file + ":" + row.line, payload);
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private Row row() {
        int start = line;
        List<String> values = new ArrayList<>();
        while (true) {
            values.add(peek() == '"' ? quoted() : plain());
            if (peek() != ',') {
                break;
            }
            at++;
        }
        endOfLine(start);
        return new Row(start, values);
    }

    /** The next character; a line end where there is none. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\n';
    }

    private String plain() {
        int from = at;
        while (peek() != ',' && peek() != '\n' && peek() != '\r') {
            at++;
        }
        return text.substring(from, at);
    }

    private String quoted() {
        int start = line;
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"' && peek() == '"' && at < text.length()) {
                at++;
                value.append('"');
            } else if (c == '"') {
                return value.toString();
            } else {
                line += c == '\n' ? 1 : 0;
                value.append(c);
            }
        }
        throw wrong(start, "a quote is never closed");
    }

    private void endOfLine(int start) {
        if (peek() == '\r') {
            at++;
        }
        if (peek() != '\n') {
            throw wrong(start,
                    "there is something behind a closing quote; a quote within quotes is written twice");
        }
        at++;
        line++;
    }

    private BatchException wrong(int where, String what) {
        return new BatchException(file + ":" + where + ": " + what);
    }
}

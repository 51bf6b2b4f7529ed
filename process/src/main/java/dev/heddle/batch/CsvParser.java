package dev.heddle.batch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Parses comma-separated values; values with commas, quotes or line ends are quoted (RFC 4180). */
final class CsvParser {

    private final Path file;
    private final String text;
    private final List<Row> rows = new ArrayList<>();
    private int position;
    private int line = 1;

    private record Row(int line, List<String> values) {}

    private CsvParser(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    static List<Unit> parse(Path file, String text) {
        return new CsvParser(file, text).parse();
    }

    private List<Unit> parse() {
        while (position < text.length()) {
            Row row = row();
            if (row.values.size() > 1 || !row.values.getFirst().isBlank()) {
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            throw new BatchException(file + " is empty; the first line must name the fields");
        }
        List<String> names = names(rows.removeFirst());
        return rows.stream().map(row -> unit(names, row)).toList();
    }

    private List<String> names(Row header) {
        Set<String> seen = new HashSet<>();
        for (String name : header.values) {
            if (name.isBlank()) {
                throw error(header.line, "a field has no name");
            }
            if (!seen.add(name.strip())) {
                throw error(header.line, "there are two fields '" + name.strip() + "'");
            }
        }
        return header.values.stream().map(String::strip).toList();
    }

    private Unit unit(List<String> names, Row row) {
        if (row.values.size() != names.size()) {
            throw error(row.line, count(row.values.size(), "value") + ", but the first line has "
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
            values.add(peek() == '"' ? quoted() : unquoted());
            if (peek() != ',') {
                break;
            }
            position++;
        }
        endOfLine(start);
        return new Row(start, values);
    }

    /** Returns the next character without consuming it; a line end at the end of the text. */
    private char peek() {
        return position < text.length() ? text.charAt(position) : '\n';
    }

    private String unquoted() {
        int from = position;
        while (peek() != ',' && peek() != '\n' && peek() != '\r') {
            position++;
        }
        return text.substring(from, position);
    }

    private String quoted() {
        int start = line;
        StringBuilder value = new StringBuilder();
        position++;
        while (position < text.length()) {
            char c = text.charAt(position++);
            if (c == '"' && peek() == '"' && position < text.length()) {
                position++;
                value.append('"');
            } else if (c == '"') {
                return value.toString();
            } else {
                line += c == '\n' ? 1 : 0;
                value.append(c);
            }
        }
        throw error(start, "a quoted value has no closing quote");
    }

    private void endOfLine(int start) {
        if (peek() == '\r') {
            position++;
        }
        if (peek() != '\n') {
            throw error(start, "unexpected text after a closing quote; write a quote within a quoted value twice");
        }
        position++;
        line++;
    }

    private BatchException error(int lineNumber, String what) {
        return new BatchException(file + ":" + lineNumber + ": " + what);
    }
}

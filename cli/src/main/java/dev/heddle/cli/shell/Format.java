package dev.heddle.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.heddle.control.ControlJson;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How data is printed. JSON is stable: names in camelCase, times in ISO-8601, what is not known left out. */
public final class Format {

    /** For people; one JSON document; one JSON document a line. */
    enum Kind {
        TABLE, JSON, JSONL
    }

    private static final List<String> NAMES = List.of("table", "json", "jsonl");

    static final class Names extends ArrayList<String> {
        Names() {
            super(NAMES);
        }
    }

    static final class Reader implements ITypeConverter<Kind> {
        @Override
        public Kind convert(String text) {
            for (Kind kind : Kind.values()) {
                if (kind.name().equalsIgnoreCase(text)) {
                    return kind;
                }
            }
            throw new TypeConversionException("'" + text + "' is no output format"
                    + Nearest.hint(text, NAMES, "; there are " + String.join(", ", NAMES)));
        }
    }

    @Option(names = {"-o",
        "--output"}, paramLabel = "FORMAT", converter = Reader.class, completionCandidates = Names.class, description = "table, json or jsonl; default table.") private Kind kind = Kind.TABLE;

    public boolean isForPeople() {
        return kind == Kind.TABLE;
    }

    /** One thing: for people as they like it, else as JSON. */
    public <T> void one(Screen screen, T value, Consumer<T> forPeople) {
        switch (kind) {
            case TABLE -> forPeople.accept(value);
            case JSON -> screen.print(ControlJson.pretty(value));
            case JSONL -> screen.print(ControlJson.write(value));
        }
    }

    /** Many things: for people as they like it, as one array, or one a line. */
    public <T> void many(Screen screen, List<T> values, Consumer<List<T>> forPeople) {
        switch (kind) {
            case TABLE -> forPeople.accept(values);
            case JSON -> screen.print(ControlJson.pretty(values));
            case JSONL -> values.forEach(value -> screen.print(ControlJson.write(value)));
        }
    }
}

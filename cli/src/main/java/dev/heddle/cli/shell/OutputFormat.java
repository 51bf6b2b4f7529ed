package dev.heddle.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.heddle.control.ControlJson;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The {@code --output} option: prints values as a table, as one JSON document, or as JSON lines. */
public final class OutputFormat {

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
            throw new TypeConversionException("'" + text + "' is not an output format"
                    + DidYouMean.hint(text, NAMES, "; use " + String.join(", ", NAMES)));
        }
    }

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", converter = Reader.class,
            completionCandidates = Names.class, description = "Output format: table, json or jsonl (default: table).")
    private Kind kind = Kind.TABLE;

    /** Returns whether the output is for people rather than scripts. */
    public boolean isTable() {
        return kind == Kind.TABLE;
    }

    /** Returns whether everything is printed as one JSON document. */
    public boolean isDocument() {
        return kind == Kind.JSON;
    }

    /** Prints one value, as JSON or with the given table printer. */
    public <T> void one(CliOutput output, T value, Consumer<T> asTable) {
        switch (kind) {
            case TABLE -> asTable.accept(value);
            case JSON -> output.printJson(ControlJson.pretty(value));
            case JSONL -> output.printJson(ControlJson.write(value));
        }
    }

    /** Prints several values: as a JSON array, as one JSON document per line, or with the given table printer. */
    public <T> void many(CliOutput output, List<T> values, Consumer<List<T>> asTable) {
        switch (kind) {
            case TABLE -> asTable.accept(values);
            case JSON -> output.printJson(ControlJson.pretty(values));
            case JSONL -> values.forEach(value -> output.printJson(ControlJson.write(value)));
        }
    }
}

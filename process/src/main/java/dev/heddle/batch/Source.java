package dev.heddle.batch;

import java.nio.file.Path;
import java.util.Locale;

/** Where the payloads of a batch come from. */
public sealed interface Source {

    /** One JSON object a line. */
    record JsonLines(Path file) implements Source {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /** A first line with the names of the fields, and one unit each line after it (RFC 4180). */
    record Csv(Path file) implements Source {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /** One unit for each file, with the fields {@code path}, below the directory, and {@code name}. */
    record Glob(Path directory, String pattern) implements Source {
        @Override
        public String toString() {
            return pattern;
        }
    }

    /** By the name: a glob where it has a {@code *}, {@code ?} or braces, else by its ending. */
    static Source of(Path directory, String given) {
        if (given.matches(".*[*?{\\[].*")) {
            return new Glob(directory, given);
        }
        Path file = near(directory.resolve(given).normalize());
        String name = given.toLowerCase(Locale.ROOT);
        if (name.endsWith(".csv")) {
            return new Csv(file);
        }
        if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
            return new JsonLines(file);
        }
        throw new BatchException(
                "'" + given + "' is no list of units; it must end in .jsonl or .csv, or be a glob such as "
                        + "src/**/*.java");
    }

    /** As short as people would write it: messages name it. */
    private static Path near(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file) : file;
    }
}

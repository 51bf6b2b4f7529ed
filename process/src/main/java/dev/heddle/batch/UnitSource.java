package dev.heddle.batch;

import java.nio.file.Path;
import java.util.Locale;

/** Where the units of a batch are listed. */
public sealed interface UnitSource {

    /** A file with one JSON object per line. */
    record JsonLines(Path file) implements UnitSource {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /** A CSV file (RFC 4180) whose first line names the fields. */
    record Csv(Path file) implements UnitSource {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /** One unit per matching file, with the fields {@code path}, relative to the directory, and {@code name}. */
    record Glob(Path directory, String pattern) implements UnitSource {
        @Override
        public String toString() {
            return pattern;
        }
    }

    /**
     * Recognizes a source by its name: a glob if it contains {@code *}, {@code ?}, a brace or a bracket, otherwise a
     * file by its extension.
     *
     * @throws BatchException if the name is neither
     */
    static UnitSource of(Path directory, String name) {
        if (name.matches(".*[*?{\\[].*")) {
            return new Glob(directory, name);
        }
        Path file = relativeToHere(directory.resolve(name).normalize());
        String lowerCase = name.toLowerCase(Locale.ROOT);
        if (lowerCase.endsWith(".csv")) {
            return new Csv(file);
        }
        if (lowerCase.endsWith(".jsonl") || lowerCase.endsWith(".ndjson")) {
            return new JsonLines(file);
        }
        throw new BatchException("'" + name + "' is not a list of units; "
                + "give a file that ends in .jsonl or .csv, or a glob such as src/**/*.java");
    }

    /** Messages name the file, so it should be as short as a person would write it. */
    private static Path relativeToHere(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file) : file;
    }
}

package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.shell.CliException;
import org.jspecify.annotations.Nullable;

/** The leaves of a file by their path, read as what their key wants. */
record Values(Map<String, Leaf> leaves, Path file) {

    /** A value as it was written, and where. */
    record Leaf(String text, int line) {}

    boolean has(Key<?> key) {
        return leaves.containsKey(key.path());
    }

    Path directory() {
        return Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("/"));
    }

    /** What the file says, else the default. */
    <T> T get(Key<T> key) {
        T found = find(key);
        return found == null ? key.kind().reading().read(key.standard()) : found;
    }

    /** What the file says, else null. */
    <T> @Nullable T find(Key<T> key) {
        Leaf leaf = leaves.get(key.path());
        if (leaf == null) {
            return null;
        }
        try {
            return key.kind().reading().read(leaf.text);
        } catch (IllegalArgumentException e) {
            throw wrong(key, Objects.requireNonNullElse(e.getMessage(), "cannot be read"));
        }
    }

    Duration longerThanZero(Key<Duration> key) {
        Duration span = get(key);
        if (span.isZero()) {
            throw wrong(key, "must be longer than zero");
        }
        return span;
    }

    CliException wrong(Key<?> key, String what) {
        Leaf leaf = leaves.get(key.path());
        return at(file, leaf == null ? 1 : leaf.line, key.path() + " " + what);
    }

    /** What is wrong with several keys at once, at the first of them. */
    CliException wrongSection(String prefix, String what) {
        int line = leaves.entrySet().stream().filter(entry -> entry.getKey().startsWith(prefix))
                .mapToInt(entry -> entry.getValue().line).min().orElse(1);
        return at(file, line, prefix.replaceFirst("\\.$", "") + " " + what);
    }

    static CliException at(Path file, int line, String what) {
        return CliException.usage(file + ":" + line + ": " + what);
    }
}

package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.shell.CliException;
import org.jspecify.annotations.Nullable;

/** The values of a configuration file by path, converted as their keys require. */
record ConfigValues(Map<String, Leaf> leaves, Path file) {

    /** A value as written, with its line. */
    record Leaf(String text, int line) {}

    boolean has(ConfigKey<?> key) {
        return leaves.containsKey(key.path());
    }

    Path directory() {
        return Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("/"));
    }

    /** Returns the value in the file, or the default. */
    <T> T get(ConfigKey<T> key) {
        T value = find(key);
        return value == null ? key.type().parser().parse(key.defaultText()) : value;
    }

    /** Returns the value in the file, or null. */
    <T> @Nullable T find(ConfigKey<T> key) {
        Leaf leaf = leaves.get(key.path());
        if (leaf == null) {
            return null;
        }
        try {
            return key.type().parser().parse(leaf.text);
        } catch (IllegalArgumentException e) {
            throw wrong(key, Objects.requireNonNullElse(e.getMessage(), "is invalid"));
        }
    }

    Duration positive(ConfigKey<Duration> key) {
        Duration span = get(key);
        if (span.isZero()) {
            throw wrong(key, "must be longer than zero");
        }
        return span;
    }

    CliException wrong(ConfigKey<?> key, String what) {
        Leaf leaf = leaves.get(key.path());
        return at(file, leaf == null ? 1 : leaf.line, key.path() + " " + what);
    }

    /** Returns an error about a section, at the line of its first key. */
    CliException wrongSection(String prefix, String what) {
        int line = leaves.entrySet().stream().filter(entry -> entry.getKey().startsWith(prefix))
                .mapToInt(entry -> entry.getValue().line).min().orElse(1);
        return at(file, line, prefix.replaceFirst("\\.$", "") + " " + what);
    }

    static CliException at(Path file, int line, String what) {
        return CliException.usage(file + ":" + line + ": " + what);
    }
}

package dev.heddle.batch;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.PatternSyntaxException;

import dev.heddle.job.JsonMappers;

/** Reads the units of a batch strictly: every problem is reported before any unit runs. */
final class UnitReader {

    private UnitReader() {}

    static List<Unit> read(UnitSource source) {
        List<Unit> units = switch (source) {
            case UnitSource.JsonLines(Path file) -> jsonLines(file);
            case UnitSource.Csv(Path file) -> CsvParser.parse(file, text(file));
            case UnitSource.Glob(Path directory, String pattern) -> files(directory, pattern);
        };
        if (units.isEmpty()) {
            throw new BatchException(
                    source + " has no units" + (source instanceof UnitSource.Glob(Path directory, String _)
                            ? "; no file below " + directory + " matches it" : ""));
        }
        return units;
    }

    private static String text(Path file) {
        try {
            String text = Files.readString(file);
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (NoSuchFileException e) {
            throw new BatchException(file + " does not exist", e);
        } catch (MalformedInputException e) {
            throw new BatchException(file + " is not UTF-8 text", e);
        } catch (IOException e) {
            throw new BatchException("cannot read " + file + ": " + e, e);
        }
    }

    private static List<Unit> jsonLines(Path file) {
        List<Unit> units = new ArrayList<>();
        String[] lines = text(file).split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isBlank()) {
                units.add(unit(file + ":" + (i + 1), lines[i]));
            }
        }
        return units;
    }

    private static Unit unit(String origin, String json) {
        try {
            return new Unit(origin, JsonMappers.readStrictly(json));
        } catch (IllegalArgumentException e) {
            throw new BatchException(origin + " is not JSON: " + e.getMessage(), e);
        }
    }

    private static List<Unit> files(Path directory, String pattern) {
        List<Path> found = new ArrayList<>();
        try {
            List<PathMatcher> matchers = matchers(pattern);
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                    return entered.endsWith(".git") || entered.endsWith(".heddle") ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    Path relative = directory.relativize(file);
                    if (attributes.isRegularFile()
                            && matchers.stream().anyMatch(matcher -> matcher.matches(relative))) {
                        found.add(relative);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (PatternSyntaxException e) {
            throw new BatchException("'" + pattern + "' is not a valid glob: " + e.getDescription(), e);
        } catch (IOException e) {
            throw new BatchException("cannot search " + directory + " for " + pattern + ": " + e, e);
        }
        found.sort(Comparator.comparing(Path::toString));
        return found.stream().map(UnitReader::unit).toList();
    }

    /** Java's {@code **}{@code /} requires a directory; everywhere else it also matches none. */
    private static List<PathMatcher> matchers(String pattern) {
        return List.of(pattern, pattern.replace("**/", "")).stream().distinct()
                .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob)).toList();
    }

    private static Unit unit(Path file) {
        String path = file.toString().replace('\\', '/');
        return new Unit(path,
                JsonMappers.standard().createObjectNode().put("path", path).put("name", file.getFileName().toString()));
    }
}

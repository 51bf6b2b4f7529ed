package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A file that gets a line whenever a step runs, independent of the store. */
final class StepLog {

    private final Path file;

    StepLog(Path directory) {
        this.file = directory.resolve("steps.log");
    }

    static String name(String order, String step) {
        return order + " " + step;
    }

    /** Appends a line. Small appends are atomic, so threads and processes do not mix their lines. */
    void ran(String order, String step) throws IOException {
        Files.writeString(file, name(order, step) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    List<String> lines() throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Returns how often each step ran. */
    Map<String, Long> runs() throws IOException {
        return lines().stream().collect(Collectors.groupingBy(line -> line, Collectors.counting()));
    }
}

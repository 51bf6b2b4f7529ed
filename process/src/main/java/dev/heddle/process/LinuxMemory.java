package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** How much memory a new process could get: that of the machine, or of the container where that has less. */
final class LinuxMemory {

    private LinuxMemory() {}

    static long free() {
        long machine = value(Path.of("/proc/meminfo"), "MemAvailable:").map(kib -> kib * 1024)
                .orElse(Long.MAX_VALUE);
        return Math.min(machine, ofContainer().orElse(Long.MAX_VALUE));
    }

    /** Under a limit of cgroup v2; file pages that nobody uses are given up first. */
    private static Optional<Long> ofContainer() {
        return lines(Path.of("/proc/self/cgroup")).filter(line -> line.startsWith("0::"))
                .map(line -> Path.of("/sys/fs/cgroup", line.substring(3))).findFirst()
                .flatMap(group -> number(group.resolve("memory.max"))
                        .flatMap(most -> number(group.resolve("memory.current")).map(used -> most - used
                                + value(group.resolve("memory.stat"), "inactive_file").orElse(0L))));
    }

    /** A file with one number in it; {@code max} stands for none. */
    private static Optional<Long> number(Path file) {
        return lines(file).findFirst().filter(text -> text.chars().allMatch(Character::isDigit))
                .map(Long::valueOf);
    }

    private static Optional<Long> value(Path file, String name) {
        return lines(file).map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length > 1 && words[0].equals(name))
                .map(words -> Long.valueOf(words[1]))
                .findFirst();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}

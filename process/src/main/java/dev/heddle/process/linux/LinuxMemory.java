package dev.heddle.process.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads how much memory a new process could get from the machine or the container, whichever has less. */
public final class LinuxMemory {

    private LinuxMemory() {}

    /** Returns that memory in bytes. */
    public static long free() {
        long machine = value(Path.of("/proc/meminfo"), "MemAvailable:").map(kib -> kib * 1024).orElse(Long.MAX_VALUE);
        return Math.min(machine, freeInContainer().orElse(Long.MAX_VALUE));
    }

    /** Applies the limit of cgroup v2. Inactive file pages count as free, because the kernel reclaims them first. */
    private static Optional<Long> freeInContainer() {
        return lines(Path.of("/proc/self/cgroup")).filter(line -> line.startsWith("0::"))
                .map(line -> Path.of("/sys/fs/cgroup", line.substring(3))).findFirst()
                .flatMap(group -> number(group.resolve("memory.max")).flatMap(most -> number(
                        group.resolve("memory.current"))
                        .map(used -> most - used + value(group.resolve("memory.stat"), "inactive_file").orElse(0L))));
    }

    /** Reads a file that contains one number; empty if it contains {@code max}. */
    private static Optional<Long> number(Path file) {
        return lines(file).findFirst().filter(text -> text.chars().allMatch(Character::isDigit)).map(Long::valueOf);
    }

    private static Optional<Long> value(Path file, String name) {
        return lines(file).map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length > 1 && words[0].equals(name)).map(words -> Long.valueOf(words[1]))
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

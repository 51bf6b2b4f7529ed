package dev.heddle.external;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures the resident memory of a process, its process group and all its descendants. A descendant whose parent has
 * ended is found by its group, and one that has left the group by its parents. Shared memory counts for each process.
 */
final class ResidentMemory {

    private ResidentMemory() {}

    /** Returns the memory in bytes; 0 if this machine does not tell. */
    static long of(long pid) {
        Set<Long> pids = new HashSet<>();
        pids.add(pid);
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid).forEach(pids::add);
        // Every worker leads a process group, so the group's number is the worker's pid.
        ProcessHandle.allProcesses().map(ProcessHandle::pid).filter(one -> group(one) == pid).forEach(pids::add);
        return pids.stream().mapToLong(ResidentMemory::ofOne).sum();
    }

    /** Reads the third field after the name, which may contain spaces and parentheses; 0 if it cannot be read. */
    private static long group(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4)[2]);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long ofOne(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).sum();
        } catch (IOException | UncheckedIOException e) {
            // The process has ended meanwhile, or this is not Linux.
            return 0;
        }
    }
}

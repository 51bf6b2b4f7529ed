package dev.heddle.external;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures the resident memory and the processor time of a process, its process group and all its descendants. A
 * descendant whose parent has ended is found by its group, and one that has left the group by its parents. Shared memory
 * counts for each process.
 */
final class ProcessTree {

    /** Linux counts processor time for programs in these units, whatever its own are. */
    private static final long MILLIS_PER_TICK = 10;

    private ProcessTree() {}

    /**
     * What processes use.
     *
     * @param memory their memory in bytes; 0 if this machine does not tell
     * @param cpu the processor time that they have used; less than before if one of them has ended
     */
    record Use(long memory, Duration cpu) {}

    /** Measures the processes of a worker. */
    static Use of(long pid) {
        Set<Long> pids = new HashSet<>();
        pids.add(pid);
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid).forEach(pids::add);
        // Every worker leads a process group, so the group's number is the worker's pid.
        ProcessHandle.allProcesses().map(ProcessHandle::pid).filter(one -> stat(one, 2) == pid).forEach(pids::add);
        return new Use(pids.stream().mapToLong(ProcessTree::memory).sum(),
                Duration.ofMillis(MILLIS_PER_TICK * pids.stream().mapToLong(ProcessTree::ticks).sum()));
    }

    /** Returns the processor time in user mode and in the kernel. */
    private static long ticks(long pid) {
        return stat(pid, 11) + stat(pid, 12);
    }

    /**
     * Reads a field of the {@code stat} file; 0 if it cannot be read.
     *
     * @param field its number after the name, which may contain spaces and parentheses; 0 is the state
     */
    private static long stat(long pid, int field) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", field + 2)[field]);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long memory(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).sum();
        } catch (IOException | UncheckedIOException e) {
            // The process has ended meanwhile, or this is not Linux.
            return 0;
        }
    }
}

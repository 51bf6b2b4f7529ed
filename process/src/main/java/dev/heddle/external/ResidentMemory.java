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
 * How much memory a process, its group and all its descendants hold: a descendant whose parent has ended is found by the
 * group, one that has left the group by its parents. What several share counts for each.
 */
final class ResidentMemory {

    private ResidentMemory() {}

    /** In bytes; 0 where this machine does not say. */
    static long of(long pid) {
        Set<Long> pids = new HashSet<>();
        pids.add(pid);
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid)
                .forEach(pids::add);
        // Heddle starts each worker as the leader of a group of its own.
        ProcessHandle.allProcesses().map(ProcessHandle::pid).filter(one -> group(one) == pid)
                .forEach(pids::add);
        return pids.stream().mapToLong(ResidentMemory::ofOne).sum();
    }

    /** The third field after the name, which may have spaces and parentheses in it; 0 where it is not known. */
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
            // It has ended meanwhile, or there is no such file here.
            return 0;
        }
    }
}

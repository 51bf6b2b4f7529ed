package dev.heddle.external;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How much memory a process and all its descendants hold. What several share counts for each. */
final class ResidentMemory {

    private ResidentMemory() {}

    /** In bytes; 0 where this machine does not say. */
    static long of(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .mapToLong(process -> ofOne(process.pid())).sum();
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

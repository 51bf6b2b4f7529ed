package dev.heddle.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Names for nodes: the machine and the process for people, and a number that no other opening will have. */
final class NodeName {

    private static final String HOST = host();

    private NodeName() {}

    static String next() {
        return HOST + "-" + ProcessHandle.current().pid() + "-"
                + Long.toString(ThreadLocalRandom.current().nextLong(1L << 32, 1L << 40), 36);
    }

    /** Without asking a name server, which could take seconds to say nothing. */
    private static String host() {
        return Stream.of(kernelName(), System.getenv("HOSTNAME"), System.getenv("COMPUTERNAME"))
                .filter(name -> name != null && !name.isBlank()).findFirst().orElse("node").strip()
                .toLowerCase(Locale.ROOT).replaceAll("\\..*", "").replaceAll("[^a-z0-9-]", "-");
    }

    private static String kernelName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"));
        } catch (IOException e) {
            return "";
        }
    }
}

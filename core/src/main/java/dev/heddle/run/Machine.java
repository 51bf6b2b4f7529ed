package dev.heddle.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** What this machine is called. */
public final class Machine {

    private static final String NAME = find();

    private Machine() {}

    /** Lower case, without its domain. */
    public static String name() {
        return NAME;
    }

    /** Without asking a name server, which could take seconds to say nothing. */
    private static String find() {
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

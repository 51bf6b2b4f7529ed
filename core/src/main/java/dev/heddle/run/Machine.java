package dev.heddle.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The name of this machine. */
public final class Machine {

    private static final String NAME = find();

    private Machine() {}

    /** Returns the host name in lower case, without its domain. */
    public static String name() {
        return NAME;
    }

    /** Asks no name server, because that could take seconds. */
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

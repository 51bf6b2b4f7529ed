package dev.heddle.cli.access;

import java.io.InputStream;
import java.time.InstantSource;
import java.util.Map;

import dev.heddle.cli.shell.CliOutput;

/**
 * Everything a command gets from its surroundings.
 *
 * @param in the standard input, which {@code -} reads
 */
public record CliContext(CliOutput output, GlobalOptions options, InputStream in, InstantSource clock) {

    /** Creates a context that reads the system clock. */
    public CliContext(CliOutput output, Map<String, String> environment, InputStream in) {
        this(output, new GlobalOptions(environment), in, InstantSource.system());
    }

    /** Returns the user of the operating system who runs this command. */
    public static String user() {
        return System.getProperty("user.name", "?");
    }
}

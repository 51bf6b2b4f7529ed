package dev.heddle.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The account that PostgreSQL's programs run under. They refuse to run as root, so root starts them as {@code nobody};
 * other users start them as themselves. They get SIGQUIT, which shuts them down, when the thread that started them
 * ends.
 */
final class PostgresAccount {

    /** The user id of {@code nobody}; initdb needs a user that has a name. */
    private static final int NOBODY = 65534;

    private PostgresAccount() {}

    private static boolean isRoot() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    /**
     * Returns the prefix of a command line. The prefix replaces itself with the program, so the process id stays the
     * same.
     */
    static List<String> prefix() throws IOException {
        List<String> prefix = new ArrayList<>(List.of("setpriv", "--pdeathsig", "QUIT"));
        if (isRoot()) {
            prefix.addAll(List.of("--reuid", "" + NOBODY, "--regid", "" + NOBODY, "--clear-groups"));
        }
        prefix.add("--");
        return prefix;
    }

    /** Makes the account the owner of a directory. */
    static void takeOwnership(Path directory) throws IOException {
        if (isRoot()) {
            Files.setAttribute(directory, "unix:uid", NOBODY);
        }
    }

    /** Returns a temporary directory that the account can enter; root's own temporary directory may be closed to it. */
    static Path scratch() throws IOException {
        Path wanted = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        if (!isRoot()) {
            return wanted;
        }
        for (Path candidate : List.of(wanted, Path.of("/tmp"), Path.of("/var/tmp"))) {
            if (Files.isDirectory(candidate) && isOpen(candidate.toRealPath())) {
                return candidate;
            }
        }
        throw new IOException("PostgreSQL does not run as root, and other users cannot enter " + wanted
                + ", /tmp or /var/tmp; set java.io.tmpdir to a directory that every user can enter");
    }

    private static boolean isOpen(Path directory) throws IOException {
        for (Path step : Stream.iterate(directory, step -> step != null, Path::getParent).toList()) {
            if (!Files.getPosixFilePermissions(step).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }
}

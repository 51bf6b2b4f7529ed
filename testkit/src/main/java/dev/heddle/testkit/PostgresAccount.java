package dev.heddle.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who PostgreSQL's programs run as. They refuse to run as root, so root steps down to {@code nobody}; anyone else runs
 * them as they are. Either way they get SIGQUIT, their immediate shutdown, as soon as the thread that started them ends.
 */
final class PostgresAccount {

    /** The user {@code nobody}; initdb wants one that has a name. */
    private static final int NOBODY = 65534;

    private PostgresAccount() {}

    private static boolean isRoot() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    /** What goes before a program and its arguments. It replaces itself by the program: the process id stays. */
    static List<String> prefix() throws IOException {
        List<String> prefix = new ArrayList<>(List.of("setpriv", "--pdeathsig", "QUIT"));
        if (isRoot()) {
            prefix.addAll(List.of("--reuid", "" + NOBODY, "--regid", "" + NOBODY, "--clear-groups"));
        }
        prefix.add("--");
        return prefix;
    }

    /** Makes the account the owner. */
    static void give(Path directory) throws IOException {
        if (isRoot()) {
            Files.setAttribute(directory, "unix:uid", NOBODY);
        }
    }

    /** Where to make directories that the account can reach, which need not be so for root's idea of a temp directory. */
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
        throw new IOException("PostgreSQL does not run as root, and no other user can get into " + wanted
                + ", /tmp or /var/tmp; set java.io.tmpdir to a directory that all can enter");
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

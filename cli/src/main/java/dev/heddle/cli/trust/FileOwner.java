package dev.heddle.cli.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Decides whether a file belongs to another user. */
final class FileOwner {

    private static final String UID = "unix:uid";
    private static final Path SELF = Path.of("/proc/self");
    private static final int ROOT = 0;

    private FileOwner() {}

    /** Returns whether a file belongs to neither the user of this process nor root. */
    static boolean isForeign(Path file, Map<String, String> environment) throws IOException {
        try {
            if (Files.exists(SELF)) {
                return isForeign((int) Files.getAttribute(file, UID), (int) Files.getAttribute(SELF, UID),
                        environment.getOrDefault("SUDO_UID", ""));
            }
            String owner = Files.getOwner(file).getName();
            return !owner.equals(System.getProperty("user.name")) && !owner.equals("root");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return false; // the file system has no owners
        }
    }

    /** Root can do everything anyway, and a user who calls sudo works on files of their own. */
    static boolean isForeign(int owner, int self, String sudoUid) {
        return owner != self && owner != ROOT && !(self == ROOT && sudoUid.equals(String.valueOf(owner)));
    }
}

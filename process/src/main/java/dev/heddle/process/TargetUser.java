package dev.heddle.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Another user, as which a node of root runs processes.
 *
 * @param setpriv the program that changes the user
 * @param home the user's home, which may not exist
 */
record TargetUser(Path setpriv, String name, int uid, int gid, Path home) {

    private static final String PATH = Optional.ofNullable(System.getenv("PATH")).orElse("")
            + ":/usr/bin:/bin:/usr/sbin:/sbin";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Returns why this node cannot run processes as other users, in words; empty if it can. */
    static Optional<String> problem() {
        return !(Platform.here() instanceof LinuxPlatform) ? Optional.of("only Linux is supported")
                : !isRoot() ? Optional.of("the node does not run as root")
                        : Executables.find("setpriv", PATH).isEmpty()
                                ? Optional.of("setpriv is not on the PATH; install util-linux") : Optional.empty();
    }

    private static boolean isRoot() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Looks up a user by name or number.
     *
     * @throws LaunchException if there is no such user, or if this node cannot run processes as it
     */
    static TargetUser find(String user) {
        problem().ifPresent(problem -> {
            throw invalid("cannot run as user '" + user + "': " + problem);
        });
        String[] fields = lookUp(user).split(":", -1);
        if (user.startsWith("-") || fields.length < 7) {
            throw invalid("cannot run as user '" + user + "': there is no such user");
        }
        return new TargetUser(Executables.find("setpriv", PATH).orElseThrow(), fields[0], Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]), Path.of(fields[5].isEmpty() ? "/" : fields[5]));
    }

    private static LaunchException invalid(String message) {
        return new LaunchException(LaunchException.Kind.INVALID, message);
    }

    private static String lookUp(String user) {
        try {
            return ShortCommand.run(List.of("getent", "passwd", user), Path.of("/"), Map.of("PATH", PATH), TIMEOUT)
                    .out().strip();
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND,
                    "cannot look up user '" + user + "': " + e.getMessage(), e);
        }
    }

    /**
     * Returns the command line that runs a command as the user.
     *
     * @param bound whether to end the command when its parent ends; a change of the user undoes an earlier such wish
     */
    List<String> wrap(List<String> command, boolean bound) {
        List<String> line = new ArrayList<>(List.of(setpriv.toString(), "--reuid=" + uid, "--regid=" + gid,
                "--init-groups", "--no-new-privs"));
        if (bound) {
            line.add("--pdeathsig=KILL");
        }
        line.add("--");
        line.addAll(command);
        return line;
    }

    Map<String, String> variables() {
        return Map.of("HOME", home.toString(), "USER", name, "LOGNAME", name);
    }

    /** Makes the user the owner of a file, or of a directory and everything in it. Links are not followed. */
    void own(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                change(directory);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                change(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void change(Path file) throws IOException {
        Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    }

    boolean canEnter(Path directory) throws IOException {
        return ShortCommand.run(wrap(List.of("/usr/bin/test", "-x", directory.toString()), false), Path.of("/"),
                Map.of("PATH", PATH), TIMEOUT).exit() == 0;
    }
}

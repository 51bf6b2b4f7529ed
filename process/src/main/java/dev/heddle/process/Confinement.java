package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Limits what a process can do, beyond how it is supervised ({@link Isolation}).
 *
 * @param user the user to run as, by name or number; null for the user of the node
 * @param sandbox what it can reach; null for everything that its user can
 */
public record Confinement(@Nullable String user, @Nullable Sandbox sandbox) {

    /** No limits. */
    public static final Confinement NONE = new Confinement(null, null);

    /** Returns a copy with another user. */
    public Confinement user(String name) {
        return new Confinement(name, sandbox);
    }

    /** Returns a copy with a sandbox. */
    public Confinement sandbox(Sandbox changed) {
        return new Confinement(user, changed);
    }

    /**
     * Checks that this machine can confine processes in this way.
     *
     * @throws LaunchException if it cannot; the message says what to do
     */
    public void require() {
        if (user != null) {
            TargetUser.find(user);
        }
        if (sandbox != null) {
            sandboxProblem().ifPresent(problem -> {
                throw new LaunchException(LaunchException.Kind.NOT_FOUND, "no sandbox on this machine: " + problem);
            });
        }
    }

    /**
     * Gives files to the user of the process, if it is not that of the node.
     *
     * @param tree a file, or a directory with everything in it
     * @throws IOException if the owner cannot be changed
     */
    public void handOver(Path tree) throws IOException {
        if (user != null) {
            TargetUser.find(user).own(tree);
        }
    }

    /**
     * Checks that the user of the process can enter a directory.
     *
     * @throws LaunchException if it cannot
     */
    public void requireEntry(Path directory) {
        try {
            if (user != null && !TargetUser.find(user).canEnter(directory)) {
                throw new LaunchException(LaunchException.Kind.BAD_PATH, "user '" + user + "' cannot enter " + directory
                        + "; use a directory that it can reach, for worktrees with worktree.baseDir");
            }
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.REFUSED, "cannot check " + directory + ": " + e, e);
        }
    }

    /** Returns why this machine has no sandbox, in words; empty if it has one. */
    public static Optional<String> sandboxProblem() {
        return Bubblewrap.here().problem();
    }

    /** Returns why this node cannot run processes as other users, in words; empty if it can. */
    public static Optional<String> userProblem() {
        return TargetUser.problem();
    }
}

package dev.heddle.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process in a sandbox can reach. It can write to its working directory and its temp directory, and read the
 * rest of the machine, except for the user's home, the directories for sockets and temporary files, and what is hidden.
 * It sees no other processes. Immutable; each method returns a changed copy.
 *
 * <p>If paths contain each other, the deeper one counts, so part of a hidden directory can be made readable.
 *
 * @param network whether it can use the network
 * @param readable paths to read, although they are in a hidden directory
 * @param writable paths to write
 * @param hidden paths to hide
 */
public record Sandbox(boolean network, List<Path> readable, List<Path> writable, List<Path> hidden) {

    /** Copies the lists. */
    public Sandbox {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
        hidden = List.copyOf(hidden);
    }

    /** Returns a sandbox with the network. */
    public static Sandbox standard() {
        return new Sandbox(true, List.of(), List.of(), List.of());
    }

    /** Turns the network on or off. */
    public Sandbox network(boolean on) {
        return new Sandbox(on, readable, writable, hidden);
    }

    /** Adds paths to read. */
    public Sandbox read(List<Path> paths) {
        return new Sandbox(network, append(readable, paths), writable, hidden);
    }

    /** Adds paths to write. */
    public Sandbox write(List<Path> paths) {
        return new Sandbox(network, readable, append(writable, paths), hidden);
    }

    /** Adds paths to hide. */
    public Sandbox hide(List<Path> paths) {
        return new Sandbox(network, readable, writable, append(hidden, paths));
    }

    private static List<Path> append(List<Path> some, List<Path> more) {
        List<Path> both = new ArrayList<>(some);
        both.addAll(more);
        return both;
    }
}

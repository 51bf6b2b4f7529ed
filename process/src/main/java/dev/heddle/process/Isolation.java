package dev.heddle.process;

/** How firmly a process and all that it starts are held together, from the loosest to the firmest. */
public enum Isolation {
    /** By parentage alone, as every operating system knows it. A daemon, whose parents are gone, escapes. */
    TREE,
    /**
     * Its own session and process group, and a mark that every descendant inherits. Nothing escapes the node; when the
     * node is killed, what is left ends at the latest when the next one opens. Linux.
     */
    SESSION,
    /** Besides, its own PID namespace: the kernel ends all of it with its first process, or with the node. Linux. */
    NAMESPACE;

    /** The looser of the two. */
    Isolation atMost(Isolation other) {
        return compareTo(other) <= 0 ? this : other;
    }
}

package dev.heddle.process;

/** How strongly a process and everything it starts are held together, from weakest to strongest. */
public enum Isolation {
    /** By parentage alone, which every operating system has. A daemon escapes, because its parents have ended. */
    TREE,
    /**
     * A separate session and process group, and a mark that every descendant inherits. Linux only. Nothing escapes the
     * node. If the node is killed, the next node to open ends what is left.
     */
    SESSION,
    /**
     * A separate PID namespace in addition to the session. Linux only. The kernel ends all of its processes together
     * with the first one, or with the node.
     */
    NAMESPACE;

    /** Returns the weaker of the two. */
    Isolation atMost(Isolation other) {
        return compareTo(other) <= 0 ? this : other;
    }
}

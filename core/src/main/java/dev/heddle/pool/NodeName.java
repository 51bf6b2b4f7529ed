package dev.heddle.pool;

import java.util.concurrent.ThreadLocalRandom;

import dev.heddle.run.Machine;

/** Names for nodes: the machine and the process for people, and a number that no other opening will have. */
final class NodeName {

    private NodeName() {}

    static String next() {
        return Machine.name() + "-" + ProcessHandle.current().pid() + "-"
                + Long.toString(ThreadLocalRandom.current().nextLong(1L << 32, 1L << 40), 36);
    }
}

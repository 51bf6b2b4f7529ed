package dev.heddle.engine;

import dev.heddle.env.Environment;
import dev.heddle.run.Machine;

/** Makes ids for nodes: machine and process for people, and a random number that makes each opening unique. */
final class NodeName {

    private NodeName() {}

    static String next(Environment env) {
        String process = env.processName().orElseGet(() -> Machine.name() + "-" + ProcessHandle.current().pid());
        return process + "-" + Long.toString(env.random().nextLong(1L << 32, 1L << 40), 36);
    }
}

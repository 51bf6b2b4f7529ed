package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

import dev.heddle.store.JobQuery;

/**
 * A node in its own JVM, to be killed while its agents work. Its arguments are the home, the number of workers, the
 * number of units to submit if the store is empty, and optionally a repository for worktrees, followed by arguments for
 * the agents.
 */
final class AgentNode {

    private AgentNode() {}

    public static void main(String[] args) throws IOException {
        Path home = Path.of(args[0]);
        Agent agent = args.length > 4 ? AgentFixture.scripted(home, Arrays.copyOfRange(args, 4, args.length))
                : AgentFixture.scripted(home, "--script-pause=0.3");
        AgentFixture node = new AgentFixture(home, Integer.parseInt(args[1]),
                args.length > 3 ? AgentFixture.inWorktrees(agent, Path.of(args[3])) : agent);
        if (node.pool.admin().list(JobQuery.all()).isEmpty()) {
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                node.pool.submit(node.agent.type(), AgentTask.of("Unit " + i));
            }
        }
        System.out.println("open");
        // Runs until it is killed, or until the process that started it ends.
        int _ = System.in.read();
    }
}

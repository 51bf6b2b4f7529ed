package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

import dev.heddle.store.JobQuery;

/**
 * A node of its own, to be killed while its agents work: home, workers, units to submit where there are none yet, and
 * perhaps a repository for worktrees with what its agents are told.
 */
final class AgentNode {

    private AgentNode() {}

    public static void main(String[] args) throws IOException {
        Path home = Path.of(args[0]);
        Agent agent = args.length > 4 ? AgentBench.scripted(home, Arrays.copyOfRange(args, 4, args.length))
                : AgentBench.scripted(home, "--script-pause=0.3");
        AgentBench bench = new AgentBench(home, Integer.parseInt(args[1]),
                args.length > 3 ? AgentBench.inWorktrees(agent, Path.of(args[3])) : agent);
        if (bench.pool.list(JobQuery.all()).isEmpty()) {
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                bench.pool.submit(bench.agent.type(), AgentTask.of("Unit " + i));
            }
        }
        System.out.println("open");
        // Until it is killed, or whoever started it is gone.
        int _ = System.in.read();
    }
}

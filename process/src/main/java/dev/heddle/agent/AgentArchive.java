package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.job.JobId;

/**
 * Reads the runs of agents from a node's home directory, whether the node is running or not.
 *
 * @param home the node's home directory
 */
public record AgentArchive(Path home) {

    /** Makes the home absolute. */
    public AgentArchive {
        home = home.toAbsolutePath().normalize();
    }

    /** Returns the agent runs of a job, oldest first; empty if there are none, or if they ran on another machine. */
    public List<AgentRun> runs(JobId job) throws IOException {
        return AgentFiles.list(home, job).reversed().stream().map(AgentRun::new).toList();
    }
}

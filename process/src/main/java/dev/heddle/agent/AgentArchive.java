package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.job.JobId;

/** The runs of agents that have their files below a home; to be read whether a node runs there or not. */
public record AgentArchive(Path home) {

    public AgentArchive {
        home = home.toAbsolutePath().normalize();
    }

    /** What agents did for a job, oldest first; empty where none did, or where they did it on another machine. */
    public List<AgentRun> runs(JobId job) throws IOException {
        return AgentFiles.of(home, job).reversed().stream().map(AgentRun::new).toList();
    }
}

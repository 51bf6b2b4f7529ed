package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.Prices;

/** One run of an agent, read from its files. */
public final class AgentRun {

    private final AgentFiles files;

    AgentRun(AgentFiles files) {
        this.files = files;
    }

    /** Returns the attempt that started the run. */
    public int attempt() {
        return files.attempt();
    }

    /** Returns the prompt as the agent received it. */
    public String prompt() throws IOException {
        return Files.readString(files.prompt());
    }

    /** Returns the report; empty while the run is going. */
    public Optional<AgentReport> report() throws IOException {
        return files.report();
    }

    /** Reads the conversation so far. Every call parses the whole transcript again. */
    public Conversation conversation(Prices prices) throws IOException {
        AgentFiles.Start start = files.start();
        return files.transcript().read(start.loadAdapter(), start.newTotals(), prices);
    }
}

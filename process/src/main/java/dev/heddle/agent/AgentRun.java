package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.Minutes;
import dev.heddle.conversation.Prices;

/** One run of an agent, as its files tell it. */
public final class AgentRun {

    private final AgentFiles files;

    AgentRun(AgentFiles files) {
        this.files = files;
    }

    /** The attempt that started it. */
    public int attempt() {
        return files.attempt();
    }

    /** As the agent got it. */
    public String prompt() throws IOException {
        return Files.readString(files.prompt());
    }

    /** What came of it; empty while it goes on. */
    public Optional<AgentReport> report() throws IOException {
        return files.end();
    }

    /** As far as it has come; read anew each time, by what the adapter knows by now. */
    public Conversation conversation(Prices prices) throws IOException {
        Minutes minutes = new Minutes(files.start().tally());
        tail().rest(minutes::add);
        return minutes.close(prices);
    }

    /** To follow it from its beginning. */
    public Tail tail() throws IOException {
        return new Tail(files.transcript(), files.start().adapt().reader());
    }
}

package dev.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import dev.heddle.command.Workshop;
import dev.heddle.conversation.Prices;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/** A node with the scripted agent of the examples, in a directory that the next one can take over. */
final class AgentBench implements AutoCloseable {

    static final String TYPE = "scripted";

    final Path home;
    final SqliteStore store;
    final Workshop workshop;
    final Agents agents;
    final Pool pool;
    final Agent agent;

    AgentBench(Path home, int workers, Agent agent) {
        this.home = home;
        this.agent = agent;
        this.store = SqliteStore.at(home.resolve("jobs.db"));
        this.workshop = Workshop.open(Workshop.Settings.in(home), store);
        this.agents = new Agents(workshop,
                new Agents.Books(new Purse(store, InstantSource.system()), store, Prices.NONE),
                InstantSource.system());
        this.pool = agents.add(agent, Pool.on(store).workers(workers)).open();
    }

    /** Fast, impatient, and retried at once. */
    static Agent scripted(Path home, String... arguments) {
        String script = Path.of("../examples/agents/agent.py").toAbsolutePath().normalize().toString();
        return Agent.of(TYPE, "claude").program("python3", script).arguments(arguments).directory(home)
                .env("SCRIPT_LEDGER", ledger(home).toString())
                .ends(new EndRules(Duration.ofMillis(300), Duration.ofSeconds(2)))
                .type(type -> type.retry(RetryPolicy.linear(2, Duration.ZERO)));
    }

    /** The same in a worktree for each run, where it writes NOTES. */
    static Agent inWorktrees(Agent agent, Path repository) {
        return agent.env("SCRIPT_WRITE", "NOTES").worktree(repository, "main");
    }

    private static Path ledger(Path home) {
        return home.resolve("ledger");
    }

    /** What the agents themselves wrote: one line at each start and end. */
    static List<String> ledgerLines(Path home) {
        try {
            return Files.exists(ledger(home)) ? Files.readAllLines(ledger(home)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long count(Path home, String what) {
        return ledgerLines(home).stream().filter(line -> line.contains(" " + what + " ")).count();
    }

    /** How many of them were at work at once, at most. */
    static long most(Path home) {
        long now = 0;
        long most = 0;
        for (String line : ledgerLines(home)) {
            now += line.contains(" start ") ? 1 : -1;
            most = Math.max(most, now);
        }
        return most;
    }

    @Override
    public void close() {
        pool.close();
        workshop.close();
        store.close();
    }
}

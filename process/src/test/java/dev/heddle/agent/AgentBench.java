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
import dev.heddle.process.Headroom;
import dev.heddle.sqlite.SqliteStore;

/** A node with the scripted agent of the examples, in a directory that the next one can take over. */
final class AgentBench implements AutoCloseable {

    static final String TYPE = "scripted";
    /** How long an agent may be silent, or stay when it is done: longer than any machine holds it up. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    final Path home;
    final SqliteStore store;
    final Workshop workshop;
    final Agents agents;
    final Pool pool;
    final Agent agent;

    AgentBench(Path home, int workers, Agent agent) {
        this(home, workers, agent, InstantSource.system());
    }

    /** On a clock by which agents are silent for too long once the test says so. */
    AgentBench(Path home, int workers, Agent agent, InstantSource clock) {
        this.home = home;
        this.agent = agent;
        this.store = SqliteStore.at(home.resolve("jobs.db"));
        Workshop.Settings settings = Workshop.Settings.in(home);
        this.workshop = Workshop.open(
                settings.processes(settings.processes().headroom(Headroom.none())), store);
        this.agents = new Agents(workshop,
                new Agents.Books(new Purse(store, InstantSource.system()), store, Prices.NONE),
                clock);
        this.pool = agents.add(agent, Pool.on(store).workers(workers)).open();
    }

    /** Fast, and retried at once. */
    static Agent scripted(Path home, String... arguments) {
        String script = Path.of("../examples/agents/agent.py").toAbsolutePath().normalize().toString();
        return Agent.of(TYPE, "claude").program("python3", script).arguments(arguments).directory(home)
                .env("SCRIPT_LEDGER", ledger(home).toString())
                .ends(new EndRules(PATIENCE, PATIENCE))
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

package dev.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import dev.heddle.command.CommandRuntime;
import dev.heddle.command.JobTokens;
import dev.heddle.conversation.Prices;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.process.Headroom;
import dev.heddle.sqlite.SqliteStore;

/** A node that runs the scripted agent of the examples. The next node in the same home takes over what it leaves. */
final class AgentFixture implements AutoCloseable {

    static final String TYPE = "scripted";
    /** How long an agent may be silent, or stay alive when it is done: longer than any slow machine delays it. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    final Path home;
    final SqliteStore store;
    final CommandRuntime commands;
    final AgentRuntime agents;
    final Pool pool;
    final Agent agent;
    final JobTokens tokens = new JobTokens();

    AgentFixture(Path home, int workers, Agent agent) {
        this(home, workers, agent, InstantSource.system());
    }

    /** Creates a node on a clock with which the test decides when an agent has been silent for too long. */
    AgentFixture(Path home, int workers, Agent agent, InstantSource clock) {
        this.home = home;
        this.agent = agent;
        this.store = SqliteStore.at(home.resolve("jobs.db"));
        CommandRuntime.Settings settings = CommandRuntime.Settings.in(home);
        tokens.serveAt(URI.create("http://127.0.0.1:7420"));
        this.commands = CommandRuntime.open(
                settings.processes(settings.processes().headroom(Headroom.none())).tokens(tokens), store);
        this.agents = new AgentRuntime(commands,
                new AgentRuntime.Services(new BudgetGate(store, InstantSource.system()), store, Prices.NONE), clock);
        this.pool = agents.register(agent, Pool.on(store).workers(workers)).open();
    }

    /** Returns an agent that is fast and is retried at once. */
    static Agent scripted(Path home, String... arguments) {
        String script = Path.of("../examples/agents/agent.py").toAbsolutePath().normalize().toString();
        return Agent.of(TYPE, "claude").program("python3", script).arguments(arguments).directory(home)
                .env("SCRIPT_LEDGER", ledger(home).toString()).endRules(new EndRules(PATIENCE, PATIENCE))
                .type(type -> type.retry(RetryPolicy.linear(2, Duration.ZERO)));
    }

    /** Returns the same agent in a worktree per run, where it writes NOTES. */
    static Agent inWorktrees(Agent agent, Path repository) {
        return agent.env("SCRIPT_WRITE", "NOTES").worktree(repository, "main");
    }

    private static Path ledger(Path home) {
        return home.resolve("ledger");
    }

    /** Returns what the agents themselves wrote: one line at each start and each end. */
    static List<String> ledgerLines(Path home) {
        try {
            return Files.exists(ledger(home)) ? Files.readAllLines(ledger(home)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long count(Path home, String event) {
        return ledgerLines(home).stream().filter(line -> line.contains(" " + event + " ")).count();
    }

    /** Returns the maximum number of agents that worked at the same time. */
    static long maxConcurrent(Path home) {
        long running = 0;
        long max = 0;
        for (String line : ledgerLines(home)) {
            running += line.contains(" start ") ? 1 : -1;
            max = Math.max(max, running);
        }
        return max;
    }

    @Override
    public void close() {
        pool.close();
        commands.close();
        store.close();
    }
}

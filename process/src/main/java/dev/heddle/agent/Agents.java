package dev.heddle.agent;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.heddle.conversation.Prices;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.EnvironmentRules;
import dev.heddle.process.Processes;
import dev.heddle.process.Tools;
import dev.heddle.process.Variable;
import dev.heddle.search.TextIndex;

/**
 * The agents of one node.
 *
 * {@snippet :
 * Agents agents = new Agents(home, new Agents.Surroundings(processes, EnvironmentRules.standard(), clock),
 *         new Agents.Books(purse, store, Prices.standard()));
 * try (Pool pool = agents.add(reviewer, Pool.on(store)).gate(purse).open()) {
 *     AgentReport report = pool.submit(reviewer.type(), AgentTask.of("Review it.")).await(Duration.ofHours(1));
 * }
 * }
 */
public final class Agents {

    private final Path home;
    private final Surroundings surroundings;
    private final Books books;

    /** What agents find around them. */
    public record Surroundings(Processes processes, EnvironmentRules environment, InstantSource clock) {}

    /**
     * What is kept of agents besides their files.
     *
     * @param texts where to look for what they said
     */
    public record Books(Purse purse, TextIndex texts, Prices prices) {}

    public Agents(Path home, Surroundings surroundings, Books books) {
        this.home = home.toAbsolutePath().normalize();
        this.surroundings = surroundings;
        this.books = books;
    }

    /**
     * Lets the pool run jobs of this agent.
     *
     * @throws dev.heddle.process.LaunchException where its program is missing
     */
    public PoolBuilder add(Agent agent, PoolBuilder pool) {
        if (agent.call().program().isEmpty()) {
            throw new IllegalArgumentException("the agent '" + agent.name() + "' has no program to call");
        }
        Tools.require(List.of(agent.call().program().getFirst()), environment(agent, Map.of()));
        return pool.handle(agent.type(), (task, job) -> new AgentAttempt(this, agent, task, job).run());
    }

    Map<String, String> environment(Agent agent, Map<Variable, String> told) {
        return surroundings.environment.allowing(agent.adapter().variables()).environment(System.getenv(), told,
                agent.place().environment());
    }

    Path home() {
        return home;
    }

    Processes processes() {
        return surroundings.processes;
    }

    TextIndex texts() {
        return books.texts;
    }

    InstantSource clock() {
        return surroundings.clock;
    }

    Purse purse() {
        return books.purse;
    }

    Prices prices() {
        return books.prices;
    }
}

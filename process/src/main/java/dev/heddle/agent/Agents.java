package dev.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.heddle.command.Workshop;
import dev.heddle.conversation.Prices;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.Custodian;
import dev.heddle.pool.Gate;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.process.DetachedProcess;
import dev.heddle.search.TextIndex;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of one node.
 *
 * {@snippet :
 * Agents agents = new Agents(workshop, new Agents.Books(purse, store, Prices.standard()), clock);
 * try (Pool pool = agents.add(reviewer, Pool.on(store)).open()) {
 *     AgentReport report = pool.submit(reviewer.type(), AgentTask.of("Review it.")).await(Duration.ofHours(1));
 * }
 * }
 */
public final class Agents implements Gate, Custodian {

    private static final Logger LOG = LoggerFactory.getLogger(Agents.class);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Workshop workshop;
    private final Books books;
    private final InstantSource clock;
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<PoolBuilder> known = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * What is kept of agents besides their files.
     *
     * @param texts where to look for what they said
     */
    public record Books(Purse purse, TextIndex texts, Prices prices) {}

    public Agents(Workshop workshop, Books books, InstantSource clock) {
        this.workshop = workshop;
        this.books = books;
        this.clock = clock;
    }

    /** Lets the pool know how agents stand, so that agents may be added once it is open. */
    public PoolBuilder on(PoolBuilder pool) {
        return known.add(pool) ? pool.gate(this).custodian(this) : pool;
    }

    /**
     * Lets the pool run jobs of this agent, as long as there is a budget for them.
     *
     * @throws dev.heddle.process.LaunchException where its program, or a tool that it needs, is missing
     */
    public PoolBuilder add(Agent agent, PoolBuilder pool) {
        require(agent);
        names.add(agent.name());
        return on(pool).handle(agent.type().stopWithin(workshop.stopTime()), handler(agent));
    }

    /** Lets a pool that is open run jobs of this agent; it must have been built {@link #on with} this. */
    public void add(Agent agent, Pool pool) {
        require(agent);
        names.add(agent.name());
        pool.handle(agent.type().stopWithin(workshop.stopTime()), handler(agent));
    }

    private JobHandler<AgentTask, AgentReport> handler(Agent agent) {
        return (task, job) -> new AgentAttempt(this, agent, task, job).run();
    }

    /** Agents wait while there is no budget for them, or too little memory or disk for another process. */
    @Override
    public Optional<String> closed(String type) {
        return names.contains(type) ? books.purse.closed(type).or(workshop.processes()::shortage)
                : Optional.empty();
    }

    @Override
    public Map<String, String> closedTags(String type) {
        return names.contains(type) ? books.purse.closedTags(type) : Map.of();
    }

    @Override
    public void aboutToStart(String type) {
        if (names.contains(type)) {
            books.purse.aboutToStart(type);
        }
    }

    @Override
    public String machine() {
        return DetachedProcess.machine();
    }

    @Override
    public String boot() {
        return DetachedProcess.boot();
    }

    @Override
    public Trace trace(JobId job, int attempt) {
        AgentFiles files = new AgentFiles(new RunFiles(home(), job, attempt));
        if (!Files.isDirectory(files.directory())) {
            return Trace.NONE;
        }
        try {
            return files.end().isPresent() || AgentProcess.find(files.directory()).isPresent() ? Trace.WORK
                    : Trace.REMAINS;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends runs that outlived their node and that nobody will take over: their job has ended meanwhile, or is gone. To be
     * called when the pool is open, and now and then.
     */
    public void reap(Function<JobId, Optional<Job>> jobs) {
        try {
            workshop.leftRunning().stream()
                    .filter(files -> jobs.apply(files.job()).map(job -> job.state().isFinal()).orElse(true))
                    .forEach(this::reap);
        } catch (StoreException | PoolClosedException e) {
            LOG.debug("Not now", e);
        }
    }

    private void reap(RunFiles files) {
        LOG.info("Ending what runs for job {}, attempt {}: nobody waits for it any more", files.job(),
                files.attempt());
        AgentProcess.find(files.directory()).ifPresent(process -> process.stop(GRACE));
        workshop.abandon(files);
    }

    /** Makes sure that what it needs is there. */
    private void require(Agent agent) {
        if (agent.call().program().isEmpty()) {
            throw new IllegalArgumentException("the agent '" + agent.name() + "' has no program to call");
        }
        workshop.require(agent.setting(), List.of(agent.call().program().getFirst()));
        workshop.require(agent.setting(), agent.setting().environment().tools());
    }

    Workshop workshop() {
        return workshop;
    }

    Path home() {
        return workshop.settings().home();
    }

    TextIndex texts() {
        return books.texts;
    }

    InstantSource clock() {
        return clock;
    }

    Purse purse() {
        return books.purse;
    }

    Prices prices() {
        return books.prices;
    }
}

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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.heddle.command.CommandRuntime;
import dev.heddle.command.ShortageGate;
import dev.heddle.conversation.Prices;
import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.DetachedWork;
import dev.heddle.pool.Gate;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.process.DetachedProcess;
import dev.heddle.process.LaunchException;
import dev.heddle.search.TextIndex;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the agents of one node on top of its {@link CommandRuntime}. It also gates them: their jobs stay queued while
 * there is no budget, or too little memory or disk for another process.
 *
 * {@snippet :
 * var services = new AgentRuntime.Services(new BudgetGate(store, clock), store, Prices.standard());
 * AgentRuntime agents = new AgentRuntime(commands, services, clock);
 * try (Pool pool = agents.register(reviewer, Pool.on(store)).open()) {
 *     AgentReport report = pool.submit(reviewer.type(), AgentTask.of("Review it.")).await(Duration.ofHours(1));
 * }
 * }
 */
public final class AgentRuntime implements Gate, DetachedWork {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRuntime.class);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final CommandRuntime commands;
    private final Services services;
    private final Environment env;
    private final Set<String> types = ConcurrentHashMap.newKeySet();
    private final Set<PoolBuilder> attached = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * The services that agents use.
     *
     * @param budgets records what agents spend and holds them back if a budget is used up
     * @param texts indexes the text of conversations for searching
     * @param prices estimates costs that an agent does not report
     */
    public record Services(BudgetGate budgets, TextIndex texts, Prices prices) {}

    /** Creates a runtime without agents; {@link #register} adds them. */
    public AgentRuntime(CommandRuntime commands, Services services, InstantSource clock) {
        this.commands = Objects.requireNonNull(commands, "commands");
        this.services = Objects.requireNonNull(services, "services");
        this.env = Environment.system().withClock(Objects.requireNonNull(clock, "clock"));
    }

    /** Attaches this runtime to a pool, which allows {@link #register(Agent, Pool)} once the pool is open. */
    public PoolBuilder attachTo(PoolBuilder pool) {
        return attached.add(pool)
                ? pool.gate(this).gate(new ShortageGate(commands.processes(), types::contains)).detachedWork(this)
                : pool;
    }

    /**
     * Registers an agent with a pool that is not open yet.
     *
     * @throws LaunchException if its program, or a tool that it needs, is missing
     */
    public PoolBuilder register(Agent agent, PoolBuilder pool) {
        try {
            requirePrograms(agent);
        } catch (LaunchException e) {
            throw e.ofType(agent.name());
        }
        types.add(agent.name());
        return attachTo(pool).register(agent.type().stopWithin(commands.stopTimeout()), handler(agent));
    }

    /**
     * Registers an agent with an open pool.
     *
     * @param pool a pool to which this runtime was {@linkplain #attachTo attached}
     * @throws LaunchException if its program, or a tool that it needs, is missing
     */
    public void register(Agent agent, Pool pool) {
        requirePrograms(agent);
        types.add(agent.name());
        pool.registerIfAbsent(agent.type().stopWithin(commands.stopTimeout()), handler(agent));
    }

    private JobHandler<AgentTask, AgentReport> handler(Agent agent) {
        return (task, job) -> new AgentAttempt(this, agent, task, job).run();
    }

    private void requirePrograms(Agent agent) {
        if (agent.call().program().isEmpty()) {
            throw new IllegalArgumentException(
                    "agent '" + agent.name() + "' has no program; set one with program(...)");
        }
        commands.requirePrograms(agent.workspace(), List.of(agent.call().program().getFirst()));
    }

    @Override
    public String name() {
        return services.budgets.name();
    }

    @Override
    public Optional<String> holdReason(String type) {
        return types.contains(type) ? services.budgets.holdReason(type) : Optional.empty();
    }

    @Override
    public Map<String, String> heldTags(String type) {
        return types.contains(type) ? services.budgets.heldTags(type) : Map.of();
    }

    @Override
    public void beforeStart(String type) {
        if (types.contains(type)) {
            services.budgets.beforeStart(type);
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
    public Status status(JobId job, int attempt) {
        AgentFiles files = new AgentFiles(new RunFiles(home(), job, attempt));
        if (!Files.isDirectory(files.directory())) {
            return Status.UNKNOWN;
        }
        try {
            return files.report().isPresent() || AgentProcess.find(files.directory()).isPresent() ? Status.ADOPTABLE
                    : Status.GONE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stops runs that outlived their node and that no attempt will take over, because their job has ended or was
     * deleted. Call this after the pool has opened, and periodically.
     *
     * @param jobs looks up a job by its id
     */
    public void stopOrphans(Function<JobId, Optional<Job>> jobs) {
        try {
            commands.detachedRuns().stream()
                    .filter(files -> jobs.apply(files.job()).map(job -> job.state().isFinal()).orElse(true))
                    .forEach(this::stopOrphan);
        } catch (StoreException | PoolClosedException e) {
            LOG.debug("Could not look up the jobs of detached runs; the next call tries again", e);
        }
    }

    private void stopOrphan(RunFiles files) {
        LOG.info("Stopping the run of job {}, attempt {}: its job has ended or was deleted", files.job(),
                files.attempt());
        AgentProcess.find(files.directory()).ifPresent(process -> process.stop(GRACE));
        commands.finishDetached(files);
    }

    CommandRuntime commands() {
        return commands;
    }

    Path home() {
        return commands.settings().home();
    }

    TextIndex texts() {
        return services.texts;
    }

    /** Returns the time since a fixed moment, which nobody can set: for all that lasts a while. */
    Duration elapsed() {
        return env.elapsed();
    }

    InstantSource clock() {
        return env.clock();
    }

    BudgetGate budgets() {
        return services.budgets;
    }

    Prices prices() {
        return services.prices;
    }
}

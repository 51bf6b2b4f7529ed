package dev.heddle.cli.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.agent.Agent;
import dev.heddle.agent.AgentRuntime;
import dev.heddle.batch.Unit;
import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.SpendStore;
import dev.heddle.cli.callback.Callbacks;
import dev.heddle.cli.callback.TypeCallbacks;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.shell.CliException;
import dev.heddle.command.CommandRuntime;
import dev.heddle.command.CommandSpec;
import dev.heddle.control.ControlException;
import dev.heddle.control.local.BatchSpec;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.LaunchException;
import dev.heddle.store.JobQuery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs batches. A batch is a job with one child per unit. The units of a batch have their own job type, so limits,
 * budgets and counts of a type apply to the batch. The type is registered when a batch starts, and for all known
 * batches when a node opens.
 */
public final class BatchHandler implements TwoPhaseHandler<BatchSpec, Map<JobState, Long>> {

    private static final Logger LOG = LoggerFactory.getLogger(BatchHandler.class);
    private static final int MAX_BATCHES = 1_000;

    private final CommandRuntime workshop;
    private final AgentRuntime agents;
    private final SpendStore spending;
    private final Path directory;
    private final Map<String, String> environment;
    private final Callbacks callbacks;
    /**
     * Completed by {@link #open}. The pool may resume a batch of an earlier node before the caller of its builder has
     * it.
     */
    private final CompletableFuture<Pool> opened = new CompletableFuture<>();

    /**
     * Creates a handler.
     *
     * @param directory where units are stored before they become jobs
     */
    public BatchHandler(CommandRuntime workshop, AgentRuntime agents, SpendStore spending, Path directory,
            Map<String, String> environment, Callbacks callbacks) {
        this.workshop = workshop;
        this.agents = agents;
        this.spending = spending;
        this.directory = directory;
        this.environment = environment;
        this.callbacks = callbacks;
    }

    /** Registers the handler with a pool, for batches of the given job type. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no class object for a map with type arguments
    public void addTo(PoolBuilder builder, String type) {
        JobType<BatchSpec, Map> jobType = JobType.of(type, BatchSpec.class, Map.class);
        builder.register(jobType, (TwoPhaseHandler<BatchSpec, Map>) (TwoPhaseHandler) this);
    }

    /**
     * Tells the handler that the pool is open, and registers the unit types of batches that earlier nodes started.
     *
     * @param batchType the job type of the batches
     */
    public void open(Pool pool, String batchType) {
        sweep(pool);
        opened.complete(pool);
        // By type: only callers who may submit command lines can submit batches, but a tag could be anybody's.
        // Oldest first: if batches share a type, the definition of the newest applies.
        for (Job batch : pool.admin().list(JobQuery.all().type(batchType).tag(BatchSpec.TAG).limit(MAX_BATCHES))
                .reversed()) {
            try {
                callbacks.catchUp(pool, register(pool, BatchSpec.of(batch)));
            } catch (RuntimeException e) {
                LOG.warn("Cannot run units of batch {} on this node: {}", batch.id(), e.getMessage());
            }
        }
    }

    private void sweep(Pool pool) {
        try {
            UnitsFile.sweep(directory, batch -> pool.find(batch).map(Job::state)
                    .filter(state -> !state.isFinal() || state == JobState.FAILED).isPresent());
        } catch (IOException e) {
            LOG.warn("Cannot delete old unit files in {}: {}", directory, e.toString());
        }
    }

    @Override
    public void ingest(BatchSpec order, JobContext job) throws InterruptedException, ExecutionException {
        Pool pool = opened.get();
        try {
            register(pool, order.checked());
        } catch (LaunchException | CliException | ControlException e) {
            throw JobException.permanent(String.valueOf(e.getMessage()), e);
        }
        if (order.tryFirst() > 0) {
            pool.admin().pauseQueue(order.queue());
        }
        JobType<JsonNode, JsonNode> type = JobType.of(order.type(), JsonNode.class, JsonNode.class);
        AtomicInteger counter = new AtomicInteger();
        try {
            new UnitsFile(Path.of(order.unitsFile())).forEach(payload -> {
                int position = counter.incrementAndGet();
                Unit unit = new Unit(order.name() + ":" + position, payload);
                JobRequest<JsonNode, JsonNode> request = type.with(unit.payload())
                        .tags(order.name(), job.id().toString()).dedupeKey("batch/" + order.type() + "/" + unit.id());
                boolean needsApproval = order.tryFirst() > 0 && position > order.tryFirst();
                job.spawn(needsApproval ? request.queue(order.queue()) : request);
            });
        } catch (IOException e) {
            throw JobException.permanent("cannot read the units: " + e + "; repeat 'heddle batch run' to start again",
                    e);
        }
    }

    @Override
    public Map<JobState, Long> aggregate(BatchSpec order, Children children, JobContext job) throws IOException {
        new UnitsFile(Path.of(order.unitsFile())).delete();
        return children.counts();
    }

    private TypeCallbacks register(Pool pool, BatchSpec order) {
        BatchFile file = BatchFile.read(Path.of(order.name()), order.definition(), Path.of(order.directory()),
                environment);
        if (file.budget() != null) {
            spending.setBudgets(List.of(new Budget(new Scope.Type(order.type()), Measure.USD_30D, file.budget())));
        }
        TypeCallbacks subscribed = new TypeCallbacks(order.type(), file.name(), file.callbacks());
        callbacks.addTo(pool, subscribed);
        switch (file.work()) {
            case Work.ByAgent(Agent agent) -> {
                Agent named = agent.named(order.type()).type(type -> type.maxConcurrentPerNode(file.workers()));
                agents.register(order.prompt() == null ? named : named.prompt(order.prompt()), pool);
            }
            case Work.ByCommand(CommandSpec command) -> workshop.register(
                    command.named(order.type()).type(type -> type.maxConcurrentPerNode(file.workers())), pool);
        }
        return subscribed;
    }
}

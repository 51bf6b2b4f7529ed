package dev.heddle.cli.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.agent.Agent;
import dev.heddle.agent.Agents;
import dev.heddle.batch.Unit;
import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.SpendBook;
import dev.heddle.cli.callback.Callbacks;
import dev.heddle.cli.callback.Told;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.shell.CliException;
import dev.heddle.command.Command;
import dev.heddle.command.Workshop;
import dev.heddle.control.BatchOrder;
import dev.heddle.control.ControlJson;
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
 * The batches of one node. A batch is a job with one child for each unit; the units of each have a job type of their own, so
 * that everything that holds for a type (how many at once, budgets, counts) holds for a batch. Types are made of the orders:
 * when one begins, and when a node opens, of all that it finds.
 */
public final class BatchDesk implements TwoPhaseHandler<BatchOrder, Map<JobState, Long>> {

    private static final Logger LOG = LoggerFactory.getLogger(BatchDesk.class);
    private static final int MOST = 1_000;

    private final Workshop workshop;
    private final Agents agents;
    private final SpendBook book;
    private final Path directory;
    private final Map<String, String> environment;
    private final Callbacks callbacks;
    /** A pool may go on with a batch of an earlier node before it can be told to whoever opens it. */
    private final CompletableFuture<Pool> opened = new CompletableFuture<>();

    /**
     * One.
     *
     * @param directory where units are on their way to becoming jobs
     */
    public BatchDesk(Workshop workshop, Agents agents, SpendBook book, Path directory,
            Map<String, String> environment, Callbacks callbacks) {
        this.workshop = workshop;
        this.agents = agents;
        this.book = book;
        this.directory = directory;
        this.environment = environment;
        this.callbacks = callbacks;
    }

    /** Lets the pool run batches, as jobs of this type. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // of a map there is no class with its types
    public void addTo(PoolBuilder builder, String type) {
        JobType<BatchOrder, Map> batches = JobType.of(type, BatchOrder.class, Map.class);
        builder.handle(batches, (TwoPhaseHandler<BatchOrder, Map>) (TwoPhaseHandler) this);
    }

    /** The pool is open: units of batches that earlier nodes began can run here. */
    public void open(Pool pool) {
        sweep(pool);
        opened.complete(pool);
        // Oldest first: of several with the same type, the newest says how its units are done.
        for (Job batch : pool.list(JobQuery.all().tag(BatchOrder.TAG).limit(MOST)).reversed()) {
            try {
                Told told = register(pool,
                        ControlJson.read(ControlJson.bytes(ControlJson.tree(batch.spec().payload())),
                                BatchOrder.class));
                callbacks.catchUp(pool, told);
            } catch (RuntimeException e) {
                LOG.warn("Units of batch {} cannot run here: {}", batch.id(), e.getMessage());
            }
        }
    }

    private void sweep(Pool pool) {
        try {
            UnitsFile.sweep(directory, batch -> pool.find(batch).map(Job::state)
                    .filter(state -> !state.isFinal() || state == JobState.FAILED).isPresent());
        } catch (IOException e) {
            LOG.warn("Cannot clear up {}: {}", directory, e.toString());
        }
    }

    @Override
    public void ingest(BatchOrder order, JobContext job) throws InterruptedException, ExecutionException {
        Pool pool = opened.get();
        try {
            register(pool, order);
        } catch (LaunchException | CliException e) {
            throw JobException.permanent(String.valueOf(e.getMessage()), e);
        }
        if (order.tryFirst() > 0) {
            pool.pauseQueue(order.queue());
        }
        JobType<JsonNode, JsonNode> type = JobType.of(order.type(), JsonNode.class, JsonNode.class);
        AtomicInteger number = new AtomicInteger();
        try {
            new UnitsFile(Path.of(order.unitsFile())).forEach(payload -> {
                int place = number.incrementAndGet();
                Unit unit = new Unit(order.name() + ":" + place, payload);
                JobRequest<JsonNode, JsonNode> request = type.with(unit.payload())
                        .tags(order.name(), job.id().toString())
                        .dedupeKey("batch/" + order.type() + "/" + unit.id());
                boolean waits = order.tryFirst() > 0 && place > order.tryFirst();
                job.spawn(waits ? request.queue(order.queue()) : request);
            });
        } catch (IOException e) {
            throw JobException.permanent(
                    "cannot read the units: " + e + "; the same 'batch run' begins it again", e);
        }
    }

    @Override
    public Map<JobState, Long> aggregate(BatchOrder order, Children children, JobContext job)
            throws IOException {
        new UnitsFile(Path.of(order.unitsFile())).delete();
        return children.counts();
    }

    private Told register(Pool pool, BatchOrder order) {
        BatchFile file = BatchFile.read(Path.of(order.name()), order.definition(),
                Path.of(order.directory()), environment);
        if (file.budget() != null) {
            book.setBudgets(
                    List.of(new Budget(new Scope.Type(order.type()), Measure.USD_30D, file.budget())));
        }
        Told told = new Told(order.type(), file.name(), file.callbacks());
        callbacks.addTo(pool, told);
        switch (file.work()) {
            case Work.ByAgent(Agent agent) -> {
                Agent named = agent.named(order.type()).type(type -> type.atMost(file.workers()));
                agents.add(order.prompt() == null ? named : named.prompt(order.prompt()), pool);
            }
            case Work.ByCommand(Command command) -> workshop
                    .add(command.named(order.type()).type(type -> type.atMost(file.workers())), pool);
        }
        return told;
    }
}

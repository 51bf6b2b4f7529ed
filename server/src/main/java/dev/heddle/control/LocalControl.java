package dev.heddle.control;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.pool.Held;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Submitter;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Ruling;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Answers from a pool in this process, or from a store alone where no node runs here. */
public final class LocalControl implements Control {

    /** As precise as what stores keep. */
    private static final InstantSource CLOCK = Clock.tickMillis(ZoneOffset.UTC);
    private static final String DEFAULT_ACTOR = "local";
    private static final int MOST_SESSIONS = 1_000;

    private final Ground ground;
    private final String actor;
    private final Outputs outputs;
    private final @Nullable Consumer<Duration> onDrain;

    private LocalControl(Ground ground, String actor, NodeFiles files, @Nullable Consumer<Duration> onDrain) {
        this.ground = ground;
        this.actor = actor;
        this.outputs = new Outputs(ground, files);
        this.onDrain = onDrain;
    }

    /** Asks a pool, which stays open when this closes. */
    public static LocalControl on(Pool pool) {
        return new LocalControl(new PoolGround(pool, CLOCK), DEFAULT_ACTOR, NodeFiles.NONE, null);
    }

    /** Asks a store, and closes it with itself. Submits under the default settings of a pool. */
    public static LocalControl on(Store store) {
        return on(store, Pool.on(store).submitter());
    }

    /** Asks a store, and closes it with itself. */
    public static LocalControl on(Store store, Submitter submitter) {
        return new LocalControl(new StoreGround(store, submitter, CLOCK), DEFAULT_ACTOR,
                NodeFiles.NONE, null);
    }

    /** The same under another name in the history of jobs. */
    public LocalControl as(String who) {
        return new LocalControl(ground, who, outputs.files(), onDrain);
    }

    /** The same for a pool whose end may be asked for: whoever opened it is told, and for how long to drain it. */
    public LocalControl ending(Consumer<Duration> owner) {
        return new LocalControl(ground, actor, outputs.files(), owner);
    }

    /** The same with what this machine has in files: the whole output of runs, the logs of workers. */
    public LocalControl with(NodeFiles files) {
        return new LocalControl(ground, actor, files, onDrain);
    }

    @Override
    public Submitted submit(List<JobDraft> drafts) {
        if (drafts.isEmpty() || drafts.size() > MOST_SUBMITTED) {
            throw ControlException.invalid(
                    "a submission has from 1 to " + MOST_SUBMITTED + " jobs: " + drafts.size());
        }
        return Refusals.translated(() -> {
            List<JobRequest<JsonNode, JsonNode>> requests = new ArrayList<>(drafts.size());
            for (JobDraft draft : drafts) {
                String parent = draft == null ? null : draft.parent();
                requests.add(Translation.request(draft, parent == null ? null : resolve(parent).id()));
            }
            List<JobId> ids = ground.submit(requests);
            List<Submitted.Accepted> accepted = new ArrayList<>(ids.size());
            for (int i = 0; i < ids.size(); i++) {
                accepted.add(new Submitted.Accepted(ids.get(i).toString(),
                        !ids.get(i).equals(requests.get(i).id())));
            }
            return new Submitted(List.copyOf(accepted), warnings(requests));
        });
    }

    private List<String> warnings(List<JobRequest<JsonNode, JsonNode>> requests) {
        Optional<Pool> pool = ground.pool();
        Set<String> known = pool.map(Pool::types).orElse(Set.of());
        if (known.isEmpty()) {
            return List.of();
        }
        Set<String> unknown = new TreeSet<>();
        Set<String> loose = new TreeSet<>();
        for (JobRequest<JsonNode, JsonNode> request : requests) {
            String type = request.type().name();
            if (!known.contains(type)) {
                unknown.add(type);
            } else if (request.session().isPresent() && !pool.get().keepsSessions(type)) {
                loose.add(type);
            }
        }
        return Stream.concat(
                unknown.stream().map(type -> "no handler for job type '" + type
                        + "' on this node; its jobs stay queued until a node has one. Known here: "
                        + String.join(", ", known)),
                loose.stream().map(type -> "a session means nothing to job type '" + type
                        + "': its jobs run on any worker"))
                .toList();
    }

    @Override
    public JobPage jobs(JobFilter filter) {
        return Refusals.translated(() -> {
            JobQuery query = query(filter);
            List<Job> jobs = list(filter, query);
            Held held = ground.held();
            return new JobPage(jobs.stream().map(job -> JobView.of(job, held)).toList(), next(jobs, query));
        });
    }

    private List<Job> list(JobFilter filter, JobQuery query) {
        return filter.text() == null ? ground.list(query) : new Search(ground).find(filter.text(), query);
    }

    private JobQuery query(JobFilter filter) {
        return Translation.query(filter, filter.parent() == null ? null : resolve(filter.parent()).id());
    }

    private static @Nullable String next(List<Job> jobs, JobQuery query) {
        return jobs.size() < query.limit() ? null : String.valueOf(jobs.getLast().seq());
    }

    @Override
    public JobDetail job(String id) {
        return Refusals.translated(() -> detail(resolve(id).id()));
    }

    @Override
    public JobTree tree(String id, int generations, int limit) {
        Translation.between("generations", 1, MOST_GENERATIONS, generations);
        Translation.between("limit", 1, MOST_LISTED, limit);
        return Refusals.translated(() -> new Genealogy(ground, limit).below(resolve(id), generations));
    }

    @Override
    public JobLog logs(String id) {
        return Refusals.translated(() -> JobLogs.of(story(resolve(id).id())));
    }

    private JobDetail detail(JobId id) {
        return JobDetail.of(story(id), outputs.runs(id), ground.held());
    }

    @Override
    public ConversationView conversation(String id, @Nullable Integer attempt) {
        return Refusals.translated(() -> outputs.conversation(resolve(id).id(), attempt));
    }

    @Override
    public OutputPiece output(String id, OutputQuery query) {
        return Refusals.translated(() -> outputs.piece(resolve(id).id(), query));
    }

    @Override
    public JobDetail await(String id, Duration atMost) {
        Translation.between("timeout", Duration.ZERO, atMost);
        return Refusals.translated(() -> {
            Job job = resolve(id);
            if (!job.state().isFinal()) {
                try {
                    ground.await(job, atMost);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ControlException(Kind.UNREACHABLE,
                            "interrupted while waiting for job " + job.id(), e);
                }
            }
            return detail(job.id());
        });
    }

    @Override
    public JobView cancel(String id, String reason) {
        return Refusals.translated(() -> orders().cancel(resolve(id), reason));
    }

    @Override
    public JobView pause(String id, String reason) {
        return Refusals.translated(() -> orders().pause(resolve(id), reason));
    }

    @Override
    public JobView resume(String id) {
        return Refusals.translated(() -> orders().resume(resolve(id)));
    }

    @Override
    public JobView retry(String id) {
        return Refusals.translated(() -> orders().retry(resolve(id)));
    }

    @Override
    public JobView delete(String id) {
        return Refusals.translated(() -> orders().delete(resolve(id)));
    }

    private JobOrders orders() {
        return new JobOrders(ground, actor);
    }

    private Story story(JobId id) {
        return ground.story(id).orElseThrow(() -> Lookup.gone(id.toString()));
    }

    private Job resolve(String id) {
        return new Lookup(ground).job(id);
    }

    private Job resolveBatch(String given) {
        return new Lookup(ground).batch(given);
    }

    @Override
    public List<QueueView> queues() {
        return Refusals.translated(() -> QueueView.all(ground.tally()));
    }

    @Override
    public List<SessionView> sessions() {
        return Refusals
                .translated(() -> ground.sessions(MOST_SESSIONS).stream().map(SessionView::of).toList());
    }

    @Override
    public Count dropSession(String session) {
        return Refusals.translated(() -> {
            if (!ground.dropSession(Translation.name("session", session))) {
                throw ControlException.notFound("there is no session '" + Translation.shown(session) + "'");
            }
            return new Count(1);
        });
    }

    @Override
    public QueueView pauseQueue(String queue) {
        return onQueue(queue, new Command.PauseQueue(Translation.name("queue", queue), actor, ground.now()));
    }

    @Override
    public QueueView resumeQueue(String queue) {
        return onQueue(queue, new Command.ResumeQueue(Translation.name("queue", queue), actor, ground.now()));
    }

    private QueueView onQueue(String queue, Command command) {
        return Refusals.translated(() -> {
            ground.execute(command);
            return QueueView.of(queue, ground.tally());
        });
    }

    @Override
    public List<NodeView> nodes() {
        return Refusals.translated(() -> Crew.of(ground).nodes(ground.now()));
    }

    @Override
    public List<WorkerView> workers() {
        return Refusals.translated(() -> Crew.of(ground).workers(ground.now()));
    }

    @Override
    public WorkerDetail worker(String id) {
        return Refusals.translated(() -> Crew.of(ground).worker(id, ground.now()));
    }

    @Override
    public WorkerView startWorker() {
        return Refusals.translated(() -> Crew.of(ground).start(ground.now()));
    }

    @Override
    public WorkerView stopWorker(String id) {
        return Refusals.translated(() -> Crew.of(ground).dismiss(id, ground.now(), Pool::stopWorker));
    }

    @Override
    public WorkerView drainWorker(String id) {
        return Refusals.translated(() -> Crew.of(ground).dismiss(id, ground.now(), Pool::drainWorker));
    }

    @Override
    public LogPiece workerLog(String id, long offset, Duration timeout) {
        return Refusals.translated(() -> {
            // The log goes on when its worker is replaced, and is there when all are gone.
            String worker = Crew.of(ground).find(id, ground.now()).map(WorkerView::id)
                    .or(() -> Optional.of(id).filter(outputs::hasLog)).orElseThrow(() -> Crew.unknown(id));
            return outputs.log(worker, offset, timeout);
        });
    }

    @Override
    public DeadPage deadLetters(JobFilter filter) {
        return Refusals.translated(() -> {
            JobQuery query = query(filter).states(JobState.FAILED);
            List<Job> jobs = list(filter, query);
            return new DeadPage(jobs.stream().flatMap(job -> ground.story(job.id()).stream())
                    .map(story -> DeadLetterView.of(story).inShort()).toList(), next(jobs, query));
        });
    }

    @Override
    public DeadLetterView deadLetter(String id) {
        return Refusals.translated(() -> {
            Job job = resolve(id);
            if (job.state() != JobState.FAILED) {
                throw ControlException
                        .notFound("job " + job.id() + " is no dead letter: it is " + job.state());
            }
            return DeadLetterView.of(story(job.id()));
        });
    }

    @Override
    public Count retryDead(JobFilter filter) {
        return onMatching(filter, query -> new Command.RetryMatching(query, actor, ground.now()));
    }

    @Override
    public Count purgeDead(JobFilter filter) {
        return onMatching(filter, query -> new Command.PurgeMatching(query, actor, ground.now()));
    }

    @FunctionalInterface
    private interface OnMatching {
        Command command(JobQuery query);
    }

    private Count onMatching(JobFilter filter, OnMatching action) {
        if (filter.text() != null) {
            throw ControlException
                    .invalid("what is retried or purged cannot be chosen by text; list it, and give the ids");
        }
        return Refusals.translated(() -> {
            JobQuery query = query(filter).states(JobState.FAILED);
            return new Count(done(action.command(query)));
        });
    }

    private int done(Command command) {
        return ground.execute(command) instanceof Ruling.Done(int done) ? done : 0;
    }

    @Override
    public List<BatchView> batches() {
        return Refusals.translated(() -> new Batches(ground).list());
    }

    @Override
    public BatchView batch(String id) {
        return Refusals.translated(() -> new Batches(ground).view(resolveBatch(id)));
    }

    @Override
    public UnitPage units(String id, @Nullable String cursor, int limit) {
        Translation.between("limit", 1, MOST_LISTED, limit);
        return Refusals.translated(() -> new Batches(ground).units(resolveBatch(id), cursor, limit));
    }

    @Override
    public BatchView approveBatch(String id) {
        return Refusals.translated(() -> {
            Job batch = resolveBatch(id);
            ground.execute(new Command.ResumeQueue(Batches.order(batch).queue(), actor, ground.now()));
            return new Batches(ground).view(batch);
        });
    }

    @Override
    public Count retryBatch(String id) {
        return Refusals.translated(() -> {
            Job batch = resolveBatch(id);
            Batches.order(batch);
            JobQuery failed = JobQuery.deadLetters().parent(batch.id()).limit(MOST_LISTED);
            long all = 0;
            int some;
            do {
                some = done(new Command.RetryMatching(failed, actor, ground.now()));
                all += some;
            } while (some == MOST_LISTED);
            return new Count(all);
        });
    }

    @Override
    public List<BudgetView> budgets() {
        return Refusals.translated(() -> new Budgets(ground).list());
    }

    @Override
    public BudgetView setBudget(BudgetDraft budget) {
        return Refusals.translated(() -> new Budgets(ground).set(budget));
    }

    @Override
    public Stats stats() {
        return Refusals.translated(() -> {
            Tally tally = ground.tally();
            return new Stats(tally.byState(_ -> true), tally.dead(),
                    tally.pausedQueues().stream().sorted().toList(),
                    ground.pool().map(Pool::nodeId).orElse(null), ground.pool().map(Pool::stats).orElse(null),
                    ground.pool().map(pool -> List.copyOf(new TreeSet<>(pool.types()))).orElse(List.of()));
        });
    }

    @Override
    public Draining drain(@Nullable Duration atMost) {
        Duration longest = atMost == null ? Translation.LONGEST
                : Translation.between("atMost", Duration.ZERO, atMost);
        Pool pool = ground.pool().orElseThrow(
                () -> ControlException.notFound("no node runs here, so there is nothing to drain"));
        if (onDrain == null) {
            throw new ControlException(Kind.CONFLICT, "node " + pool.nodeId()
                    + " belongs to an application, which closes it with itself; stop that one");
        }
        return Refusals.translated(() -> {
            Draining answer = new Draining(pool.nodeId(), pool.stats().active());
            onDrain.accept(longest);
            return answer;
        });
    }

    @Override
    public void close() {
        ground.close();
    }
}

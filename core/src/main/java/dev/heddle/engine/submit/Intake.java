package dev.heddle.engine.submit;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.session.SessionDeadline;
import dev.heddle.engine.support.Monitor;
import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Limits;
import dev.heddle.job.SubmitEffect;
import dev.heddle.pool.LimitReachedException;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.PoolSettings;
import dev.heddle.pool.QueueFullException;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Receipt.Stored;
import dev.heddle.store.Store;
import dev.heddle.store.Submission;
import dev.heddle.store.TransactionalStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts submissions: checks them, commits them in groups, and wakes the dispatcher. */
public final class Intake {

    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    /** Bounds the log and the memory that made-up type names can use. */
    private static final int MAX_WARNINGS = 100;
    private static final Duration CAPACITY_CHECK_INTERVAL = Duration.ofMillis(50);

    private final Environment env;
    private final InstantSource clock;
    private final PoolSettings settings;
    private final RequestEncoder encoder;
    private final HandlerRegistry registry;
    private final AfterSubmit afterSubmit;
    private final GroupCommit<Submission, Receipt> commits;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final Monitor capacity;
    private final AtomicLong timesFreed = new AtomicLong();
    private volatile BiConsumer<JobId, String> canceller = (_, _) -> {};

    public Intake(Store store, Environment env, RequestEncoder encoder, HandlerRegistry registry,
            AfterSubmit afterSubmit, Executor helper) {
        this.env = env;
        this.capacity = new Monitor(env);
        this.clock = env.clock();
        this.settings = encoder.settings();
        this.encoder = encoder;
        this.registry = registry;
        this.afterSubmit = afterSubmit;
        this.commits = new GroupCommit<>(store::insert, helper, env);
    }

    /**
     * Stores the requests in one commit. Returns one answer per request, in order.
     *
     * @throws QueueFullException if a queue has no room for them
     */
    public List<Stored> submit(List<? extends JobRequest<?, ?>> requests) {
        Submission submission = submission(requests, true);
        return announced(submission, commits.commit(submission));
    }

    /**
     * Stores the requests within the caller's transaction. When that commits, the store notifies the nodes that can
     * run them.
     */
    public List<Stored> submit(TransactionalStore shared, Connection transaction,
            List<? extends JobRequest<?, ?>> requests) throws SQLException {
        return stored(shared.insert(transaction, List.of(submission(requests, true))).getFirst());
    }

    /** Stores a child, regardless of its queue's capacity. Empty if the attempt has lost its job. */
    public Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt) {
        Submission submission = new Submission(List.of(encode(child)), attempt);
        Receipt receipt = commits.commit(submission);
        return receipt instanceof Receipt.NoParent ? Optional.empty()
                : Optional.of(announced(submission, receipt).getFirst().id());
    }

    /** Returns the request as it will be stored, with no bound on the capacity of its queue. */
    public NewJob encode(JobRequest<?, ?> child) {
        return submission(List.of(child), false).jobs().getFirst();
    }

    /** Stores the requests like {@link #submit(List)}, but waits up to this long for room in their queues. */
    public List<Stored> submit(List<? extends JobRequest<?, ?>> requests, Duration wait)
            throws InterruptedException {
        long deadline = env.nanoTime() + Limits.waitNanos(wait);
        while (true) {
            long seen = timesFreed.get();
            Submission submission = submission(requests, true);
            Receipt receipt = commits.commit(submission);
            long left = deadline - env.nanoTime();
            if (!(receipt instanceof Receipt.Full) || left <= 0) {
                return announced(submission, receipt);
            }
            // Claims of this node end the wait at once. Room that other nodes make is found by trying again.
            capacity.await(Duration.ofNanos(Math.min(left, CAPACITY_CHECK_INTERVAL.toNanos())),
                    () -> timesFreed.get() != seen);
        }
    }

    /**
     * Returns the jobs of a receipt.
     *
     * @throws QueueFullException if a queue had no room
     * @throws NoSuchJobException if a parent did not exist
     */
    public static List<Stored> stored(Receipt receipt) {
        return switch (receipt) {
            case Receipt.Full(String queue, int capacity) -> throw new QueueFullException(queue, capacity);
            case Receipt.NoRoom(LimitKey key) -> throw new LimitReachedException(key);
            case Receipt.NoParent(JobId parent) -> throw NoSuchJobException.asParent(parent);
            case Receipt.Accepted(List<Stored> jobs) -> jobs;
        };
    }

    private List<Stored> announced(Submission submission, Receipt receipt) {
        List<Stored> jobs = stored(receipt);
        List<NewJob> added = with(submission, jobs, SubmitEffect::isNew);
        List<NewJob> changing = with(submission, jobs, effect -> effect != SubmitEffect.UNCHANGED);
        afterSubmit.committed(added);
        if (changing.size() > added.size()) {
            afterSubmit.changed(changing);
        }
        encoder.limits().excess(changing)
                .forEach((id, key) -> canceller.accept(id, "limit " + key + " makes room for a newer job"));
        JobId first = jobs.getFirst().id();
        LOG.atDebug().addKeyValue("job", first).addKeyValue("type", submission.jobs().getFirst().spec().type())
                .addKeyValue("jobs", jobs.size()).log("Submitted {} job(s), the first is {}", jobs.size(), first);
        return jobs;
    }

    private static List<NewJob> with(Submission submission, List<Stored> stored, Predicate<SubmitEffect> effect) {
        return IntStream.range(0, stored.size()).filter(i -> effect.test(stored.get(i).effect()))
                .mapToObj(submission.jobs()::get).toList();
    }

    private Submission submission(List<? extends JobRequest<?, ?>> requests, boolean bounded) {
        Submission submission = searchable(encoder.submission(requests, clock.instant(), bounded));
        requests.forEach(request -> warnIfUnknown(request.type().name()));
        submission.jobs().forEach(this::checkDeadline);
        return submission;
    }

    /** Adds what jobs are found by if only their handler's type says so, as for jobs from the HTTP API. */
    private Submission searchable(Submission submission) {
        if (submission.jobs().stream().allMatch(job -> isComplete(job.spec()))) {
            return submission;
        }
        return new Submission(submission.jobs().stream()
                .map(job -> isComplete(job.spec()) ? job
                        : new NewJob(job.spec().withSearchable(
                                SearchableValues.in(job.spec().payload(), paths(job.spec()))), job.start(),
                                job.capacity()))
                .toList(), submission.spawner());
    }

    private boolean isComplete(JobSpec spec) {
        return !spec.extras().searchable().isEmpty() || paths(spec).isEmpty();
    }

    private Set<String> paths(JobSpec spec) {
        Registration<?, ?> registration = registry.find(spec.type());
        return registration == null ? Set.of() : registration.type().searchable();
    }

    private void checkDeadline(NewJob job) {
        Registration<?, ?> registration = registry.find(job.spec().type());
        if (registration != null) {
            SessionDeadline.check(job, registration.type());
        }
    }

    /**
     * Returns the JSON if it can be stored.
     *
     * @throws IllegalArgumentException if it is too large or has characters that a store cannot keep
     */
    public String requireStorable(String json, String what) {
        return encoder.requireStorable(json, what);
    }

    /** Sets what cancels jobs, with a reason, to make room for new ones. */
    public void cancelBy(BiConsumer<JobId, String> cancel) {
        canceller = cancel;
    }

    /** Reads the limits, because they have changed. */
    public void limitsChanged() {
        encoder.limits().read();
    }

    /** Warns about a type without a handler here. A node without any handler only submits, so it gets no warning. */
    private void warnIfUnknown(String type) {
        if (!registry.isEmpty() && registry.find(type) == null && warned.size() < MAX_WARNINGS && warned.add(type)) {
            LOG.atWarn().addKeyValue("type", type).log(
                    "No handler for job type '{}' on this node; its jobs stay queued until a node has one. Known here: {}",
                    type, registry.names());
        }
    }

    /** Wakes submitters that wait for room, because jobs have left a queue. */
    public void capacityFreed() {
        if (settings.hasQueueLimits()) {
            try (var _ = capacity.enter()) {
                timesFreed.incrementAndGet();
                capacity.changed();
            }
        }
    }
}

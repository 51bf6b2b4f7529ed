package dev.heddle.pool;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.heddle.engine.NodeParts;
import dev.heddle.engine.registry.Handling;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.submit.CurrentLimits;
import dev.heddle.engine.submit.RequestEncoder;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.env.Environment;
import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;
import dev.heddle.job.JsonMappers;
import dev.heddle.job.Limits;
import dev.heddle.job.RetryPolicy;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.job.VoidJobHandler;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Liveness;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.pool.PoolSettings.Stopping;
import dev.heddle.schedule.Schedule;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.NewJob;
import dev.heddle.store.Retention;
import dev.heddle.store.Store;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;

/**
 * Collects the settings and handlers of a pool, then opens it. {@link Pool#on} creates it. Settings are checked when
 * the pool opens. Not safe for use by many threads.
 */
public final class PoolBuilder {

    private final Store store;
    private final Map<String, Handled<?, ?>> handlers = new LinkedHashMap<>();
    private final List<Schedule> schedules = new ArrayList<>();
    private final List<JobListener> listeners = new ArrayList<>();
    private final Map<String, Sequel> sequels = new LinkedHashMap<>();
    private final List<Gate> gates = new ArrayList<>();
    private @Nullable DetachedWork detachedWork;
    private final Map<String, Integer> groups = new LinkedHashMap<>();
    private final Map<String, Workforce> workforces = new LinkedHashMap<>();
    private final Map<String, Integer> queueCapacities = new LinkedHashMap<>();
    private int workers = 4;
    private int queueCapacity = NewJob.UNLIMITED;
    private int payloadLimit = PoolSettings.PAYLOAD_LIMIT;
    private Duration timeout = Duration.ofMinutes(10);
    private RetryPolicy retry = RetryPolicy.standard();
    private @Nullable BreakerPolicy breaker;
    private FailureCategory unknownFailures = FailureCategory.TRANSIENT;
    private Stopping stopping = Stopping.standard();
    private Claiming claiming = Claiming.standard();
    private Recovering recovering = Recovering.standard();
    private Retention retention = Retention.standard();
    private Duration lease = Liveness.standard().lease();
    private Duration renewEvery = Liveness.standard().renewEvery();
    private @Nullable Boolean virtualThreads;
    private final Map<String, String> description = new TreeMap<>();
    private Environment env = Environment.system();
    private JsonMapper mapper = JsonMappers.standard();

    private record Handled<P, R>(JobType<P, R> type, Handling<P, R> handling) {
        Registration<P, R> register(PoolSettings settings) {
            return new Registration<>(type, handling, settings);
        }
    }

    PoolBuilder(Store store) {
        this.store = store;
    }

    /**
     * Applies a preset for a homelab or a small office: 3 workers, queues of 100 jobs, a timeout of 5 min, 30 s to
     * close, and circuit breakers.
     */
    public PoolBuilder soho() {
        return workers(3).queueCapacity(100).timeout(Duration.ofMinutes(5)).closeTimeout(Duration.ofSeconds(30))
                .breaker(BreakerPolicy.standard());
    }

    /** Applies a preset for LLM agents: 4 workers and a timeout of 10 min. */
    public PoolBuilder agents() {
        return workers(4).timeout(Duration.ofMinutes(10));
    }

    /**
     * Runs the jobs of a type on this node.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public <P, R> PoolBuilder register(JobType<P, R> type, JobHandler<P, ? extends R> handler) {
        return register(type, new Handling.SinglePhase<>(requireNonNull(handler, "handler")));
    }

    /**
     * Runs the jobs of a type on this node in two phases, with their children in between.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public <P, R> PoolBuilder register(JobType<P, R> type, TwoPhaseHandler<P, ? extends R> handler) {
        return register(type, new Handling.TwoPhase<>(requireNonNull(handler, "handler")));
    }

    /**
     * Runs the jobs of a type without results on this node.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public <P> PoolBuilder registerVoid(JobType<P, Void> type, VoidJobHandler<P> handler) {
        return register(type, requireNonNull(handler, "handler").asJobHandler());
    }

    private <P, R> PoolBuilder register(JobType<P, R> type, Handling<P, R> handling) {
        if (handlers.putIfAbsent(requireNonNull(type, "type").name(), new Handled<>(type, handling)) != null) {
            throw new IllegalArgumentException("job type '" + type + "' has a handler already");
        }
        return this;
    }

    /** Puts a schedule when the pool opens, see {@link dev.heddle.schedule.Schedules#put}. */
    public PoolBuilder schedule(Schedule schedule) {
        schedules.add(requireNonNull(schedule, "schedule"));
        return this;
    }

    /**
     * Says how this node is configured beyond the settings of the pool and its types, so that people can see where nodes
     * differ. Everyone who may look at nodes can read it, so it must not contain secrets.
     *
     * @param settings values by name, such as {@code "type fix: model"}
     */
    public PoolBuilder describe(Map<String, String> settings) {
        description.putAll(settings);
        return this;
    }

    /** Adds a listener to the ends of attempts. */
    public PoolBuilder listener(JobListener listener) {
        listeners.add(requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Sets the jobs that follow each end of a job of a type, committed together with that end.
     *
     * @throws IllegalArgumentException if the type has a sequel already
     */
    public PoolBuilder then(JobType<?, ?> type, Sequel sequel) {
        if (sequels.putIfAbsent(type.name(), requireNonNull(sequel, "sequel")) != null) {
            throw new IllegalArgumentException("job type '" + type + "' has a sequel already");
        }
        return this;
    }

    /** Adds a gate. A job starts only if no gate holds it back. */
    public PoolBuilder gate(Gate gate) {
        gates.add(requireNonNull(gate, "gate"));
        return this;
    }

    /**
     * Sets what finds work that outlived its node, see {@link dev.heddle.job.JobContext#detachFromNode}. The default is
     * none.
     */
    public PoolBuilder detachedWork(DetachedWork work) {
        this.detachedWork = requireNonNull(work, "work");
        return this;
    }

    /** Sets how many workers the default group has, which is how many jobs run at once. The default is 4. */
    public PoolBuilder workers(int count) {
        this.workers = count;
        return this;
    }

    /** Adds a group with its own workers, for the types that name it. */
    public PoolBuilder group(String name, int count) {
        groups.put(Limits.name("worker group", name), count);
        return this;
    }

    /** Adds a group whose workers are more than threads of this JVM, such as processes. */
    public PoolBuilder group(String name, int count, Workforce workers) {
        workforces.put(Limits.name("worker group", name), requireNonNull(workers, "workers"));
        return group(name, count);
    }

    /** Applies a bundle of settings, such as external workers together with their handler. */
    public PoolBuilder with(Consumer<PoolBuilder> addition) {
        addition.accept(this);
        return this;
    }

    /** Sets how many QUEUED jobs each queue may have before submits are refused. The default is unlimited. */
    public PoolBuilder queueCapacity(int jobs) {
        this.queueCapacity = jobs;
        return this;
    }

    /** Sets how many QUEUED jobs one queue may have, instead of the capacity of all queues. */
    public PoolBuilder queueCapacity(String queue, int jobs) {
        queueCapacities.put(Limits.name("queue", queue), jobs);
        return this;
    }

    /** Sets the largest payload, result, checkpoint or step, in bytes of JSON. The default is 1 MiB, and 64 MiB the most. */
    public PoolBuilder payloadLimit(int bytes) {
        this.payloadLimit = bytes;
        return this;
    }

    /** Sets how long one attempt may take, for types that do not say. The default is 10 min. */
    public PoolBuilder timeout(Duration perAttempt) {
        this.timeout = requireNonNull(perAttempt, "perAttempt");
        return this;
    }

    /** Sets when failed jobs are retried, for types that do not say. The default is {@link RetryPolicy#standard()}. */
    public PoolBuilder retry(RetryPolicy policy) {
        this.retry = requireNonNull(policy, "policy");
        return this;
    }

    /** Gives every type a circuit breaker, except for types that set their own. The default is none. */
    public PoolBuilder breaker(BreakerPolicy policy) {
        this.breaker = requireNonNull(policy, "policy");
        return this;
    }

    /** Sets the category of exceptions that no classifier knows. The default is {@link FailureCategory#TRANSIENT}. */
    public PoolBuilder unknownFailures(FailureCategory category) {
        this.unknownFailures = requireNonNull(category, "category");
        return this;
    }

    /**
     * Sets how long a handler that was told to stop may go on.
     *
     * @param interruptAfter until it is interrupted; default 1 s
     * @param abandonAfter from then until its worker is replaced; default 5 s
     */
    public PoolBuilder cancelGrace(Duration interruptAfter, Duration abandonAfter) {
        this.stopping = new Stopping(interruptAfter, abandonAfter, stopping.closeTimeout());
        return this;
    }

    /** Sets how long handlers may take to stop if the pool closes, before they are interrupted. The default is 20 s. */
    public PoolBuilder closeTimeout(Duration timeToFinish) {
        this.stopping = new Stopping(stopping.interruptAfter(), stopping.abandonAfter(), timeToFinish);
        return this;
    }

    /** Sets how many jobs this node may claim beyond its idle workers. The default is 500. */
    public PoolBuilder claimAhead(int jobs) {
        this.claiming = new Claiming(jobs, claiming.pollEvery(), claiming.maxErrors(), claiming.maxBackoff());
        return this;
    }

    /**
     * Sets how often to look for jobs without a notification; zero for never. The default is 100 ms after the last job
     * was found, and then ever more rarely, down to every 5 s. New jobs wake the pool at once in any case.
     */
    public PoolBuilder pollEvery(Duration interval) {
        this.claiming = new Claiming(claiming.ahead(), interval, claiming.maxErrors(), claiming.maxBackoff());
        return this;
    }

    /**
     * Sets how claiming slows down if the store fails.
     *
     * @param maxErrors after how many errors in a row it slows down; default 5
     * @param maxBackoff the longest pause after an error; default 30 s
     */
    public PoolBuilder claimErrors(int maxErrors, Duration maxBackoff) {
        this.claiming = new Claiming(claiming.ahead(), claiming.pollEvery(), maxErrors, maxBackoff);
        return this;
    }

    /** Sets how many crashes make a job a dead letter: the third one by default. */
    public PoolBuilder maxCrashes(int count) {
        this.recovering = new Recovering(count, recovering.staging());
        return this;
    }

    /** Sets when the jobs that a dead node ran start again. The default is {@link Staging#standard()}. */
    public PoolBuilder staging(Staging schedule) {
        this.recovering = new Recovering(recovering.maxCrashes(), schedule);
        return this;
    }

    /** Sets how long ended jobs are kept. The default is {@link Retention#standard()}. */
    public PoolBuilder retention(Retention limits) {
        this.retention = requireNonNull(limits, "limits");
        return this;
    }

    /**
     * Sets how long this node counts as alive after a renewal, in a store that several nodes share. The default is 30
     * s.
     */
    public PoolBuilder lease(Duration length) {
        this.lease = requireNonNull(length, "length");
        return this;
    }

    /** Sets how often this node renews its lease: at most a third of the lease. The default is 10 s. */
    public PoolBuilder renewEvery(Duration interval) {
        this.renewEvery = requireNonNull(interval, "interval");
        return this;
    }

    /**
     * Sets whether handlers run on virtual threads. The default is true for groups of more than 64 workers, and false
     * otherwise.
     */
    public PoolBuilder virtualThreads(boolean use) {
        this.virtualThreads = use;
        return this;
    }

    /** Sets where the pool gets the time from, for tests. The default is the system clock. */
    public PoolBuilder clock(InstantSource source) {
        this.env = env.withClock(requireNonNull(source, "source"));
        return this;
    }

    /** Sets where time, randomness and threads come from; replaces what {@link #clock} set. For simulations. */
    public PoolBuilder environment(Environment source) {
        this.env = requireNonNull(source, "source");
        return this;
    }

    /**
     * Sets the mapper that reads and writes payloads, results, checkpoints and steps. The default is
     * {@link JsonMappers#standard}. A custom mapper should also enable {@code USE_BIG_DECIMAL_FOR_FLOATS} if handlers
     * read JSON without a type: numbers lose digits otherwise.
     */
    public PoolBuilder json(JsonMapper custom) {
        this.mapper = requireNonNull(custom, "custom");
        return this;
    }

    /** Returns a submitter with these settings that neither joins the store as a node nor runs jobs. */
    public Submitter submitter() {
        store.capability(ClockedStore.class).ifPresent(clocked -> clocked.useClock(env));
        return new Submitter(store, env, new RequestEncoder(settings(), new JsonCodec(mapper),
                new CurrentLimits(store, env)));
    }

    private PoolSettings settings() {
        return new PoolSettings(workers, groups, queueCapacity, queueCapacities, payloadLimit, timeout, retry, breaker,
                unknownFailures, stopping, claiming, recovering, retention, new Liveness(lease, renewEvery),
                virtualThreads);
    }

    /**
     * Opens the pool: joins the store, recovers the jobs of dead nodes, and starts to run jobs.
     *
     * @throws IllegalArgumentException if a setting is invalid
     * @throws dev.heddle.store.StoreException if the store cannot be used, such as if another node has it
     */
    public Pool open() {
        PoolSettings settings = settings();
        List<Registration<?, ?>> registrations = new ArrayList<>();
        for (Handled<?, ?> handled : handlers.values()) {
            registrations.add(handled.register(settings));
        }
        for (Registration<?, ?> registration : registrations) {
            if (settings.workersOf(registration.group()) == 0) {
                throw new IllegalArgumentException(
                        "job type '" + registration.type() + "' names the worker group '" + registration.group()
                                + "', which has no workers; add group(\"" + registration.group() + "\", n)");
            }
        }
        return withSchedules(Pool.open(new NodeParts(store, env, settings, registrations, Map.copyOf(workforces),
                List.copyOf(listeners), Map.copyOf(sequels), List.copyOf(gates), detachedWork, mapper,
                Map.copyOf(description))));
    }

    private Pool withSchedules(Pool pool) {
        try {
            schedules.forEach(schedule -> pool.schedules().put(schedule));
            return pool;
        } catch (Throwable e) {
            pool.close();
            throw e;
        }
    }
}

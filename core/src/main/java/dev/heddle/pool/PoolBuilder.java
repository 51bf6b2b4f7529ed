package dev.heddle.pool;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Liveness;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.pool.PoolSettings.Stopping;
import dev.heddle.store.NewJob;
import dev.heddle.store.Retention;
import dev.heddle.store.Store;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Collects the settings and handlers of a pool; {@link PoolSettings} explains each setting. */
public final class PoolBuilder {

    private final Store store;
    private final Map<String, Handled<?, ?>> handlers = new LinkedHashMap<>();
    private final List<JobListener> listeners = new ArrayList<>();
    private final Map<String, Sequel> sequels = new LinkedHashMap<>();
    private final List<Gate> gates = new ArrayList<>();
    private @Nullable Custodian custodian;
    private final Map<String, Integer> groups = new LinkedHashMap<>();
    private final Map<String, Workforce> workforces = new LinkedHashMap<>();
    private final Map<String, Integer> queueCapacities = new LinkedHashMap<>();
    private int workers = 4;
    private int queueCapacity = NewJob.UNLIMITED;
    private int payloadLimit = 1024 * 1024;
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
    private InstantSource clock = InstantSource.system();
    private JsonMapper mapper = JsonMapper.builder().build();

    private record Handled<P, R>(JobType<P, R> type, Handling<P, R> handling) {
        Registration<P, R> register(PoolSettings settings) {
            return new Registration<>(type, handling, settings);
        }
    }

    PoolBuilder(Store store) {
        this.store = store;
    }

    /** Preset for a homelab or small office: 3 workers, queues of 100, 5 min a job, 30 s to close, breakers on. */
    public PoolBuilder soho() {
        return workers(3).queueCapacity(100).timeout(Duration.ofMinutes(5))
                .closeTimeout(Duration.ofSeconds(30))
                .breaker(BreakerPolicy.standard());
    }

    /** Preset for LLM agents: 4 workers, 10 min a job. */
    public PoolBuilder agents() {
        return workers(4).timeout(Duration.ofMinutes(10));
    }

    /** Runs the type's jobs on this node. */
    public <P, R> PoolBuilder handle(JobType<P, R> type, JobHandler<P, ? extends R> handler) {
        return handle(type, new Handling.InOne<>(handler));
    }

    /** Runs the type's jobs on this node, each in two phases with its children between them. */
    public <P, R> PoolBuilder handle(JobType<P, R> type, TwoPhaseHandler<P, ? extends R> handler) {
        return handle(type, new Handling.InTwo<>(handler));
    }

    private <P, R> PoolBuilder handle(JobType<P, R> type, Handling<P, R> handling) {
        if (handlers.putIfAbsent(type.name(), new Handled<>(type, handling)) != null) {
            throw new IllegalArgumentException("job type '" + type + "' has a handler already");
        }
        return this;
    }

    public PoolBuilder listener(JobListener listener) {
        listeners.add(listener);
        return this;
    }

    /** What follows each end of a job of this type, in the commit of that end. */
    public PoolBuilder then(JobType<?, ?> type, Sequel sequel) {
        if (sequels.putIfAbsent(type.name(), sequel) != null) {
            throw new IllegalArgumentException("job type '" + type + "' has a sequel already");
        }
        return this;
    }

    /** Holds jobs back while something is missing; a job starts where no gate is closed for it. */
    public PoolBuilder gate(Gate gate) {
        gates.add(gate);
        return this;
    }

    /** Takes up work that went on when its node ended, see {@link dev.heddle.job.JobContext#outliveNode}. */
    public PoolBuilder custodian(Custodian ofThisMachine) {
        this.custodian = ofThisMachine;
        return this;
    }

    public PoolBuilder workers(int count) {
        this.workers = count;
        return this;
    }

    /** Workers of their own for the types that name this group. */
    public PoolBuilder group(String name, int count) {
        groups.put(name, count);
        return this;
    }

    /** The same with workers that are more than threads of this JVM. */
    public PoolBuilder group(String name, int count, Workforce workers) {
        workforces.put(name, workers);
        return group(name, count);
    }

    /** Adds what somebody else has put together, such as external workers with their handler. */
    public PoolBuilder with(Consumer<PoolBuilder> addition) {
        addition.accept(this);
        return this;
    }

    public PoolBuilder queueCapacity(int jobs) {
        this.queueCapacity = jobs;
        return this;
    }

    public PoolBuilder queueCapacity(String queue, int jobs) {
        queueCapacities.put(queue, jobs);
        return this;
    }

    public PoolBuilder payloadLimit(int bytes) {
        this.payloadLimit = bytes;
        return this;
    }

    public PoolBuilder timeout(Duration perAttempt) {
        this.timeout = perAttempt;
        return this;
    }

    public PoolBuilder retry(RetryPolicy policy) {
        this.retry = policy;
        return this;
    }

    public PoolBuilder breaker(BreakerPolicy policy) {
        this.breaker = policy;
        return this;
    }

    public PoolBuilder unknownFailures(FailureCategory category) {
        this.unknownFailures = category;
        return this;
    }

    /** How long a cancelled handler may go on before it is interrupted, and then before it loses its worker. */
    public PoolBuilder cancelGrace(Duration interruptAfter, Duration abandonAfter) {
        this.stopping = new Stopping(interruptAfter, abandonAfter, stopping.closing());
        return this;
    }

    public PoolBuilder closeTimeout(Duration timeToFinish) {
        this.stopping = new Stopping(stopping.interruptAfter(), stopping.abandonAfter(), timeToFinish);
        return this;
    }

    public PoolBuilder claimAhead(int jobs) {
        this.claiming = new Claiming(jobs, claiming.pollEvery(), claiming.maxErrors(), claiming.maxBackoff());
        return this;
    }

    /**
     * How often to look for jobs without being told of any; zero for never. Where this is not set, 100 ms after the last
     * job was found, and then ever more rarely, down to every 5 s. New jobs wake the pool at once in any case.
     */
    public PoolBuilder pollEvery(Duration interval) {
        this.claiming = new Claiming(claiming.ahead(), interval, claiming.maxErrors(), claiming.maxBackoff());
        return this;
    }

    /** From how many errors in a row the claiming loop slows down, and to which pause at most. */
    public PoolBuilder claimErrors(int maxErrors, Duration maxBackoff) {
        this.claiming = new Claiming(claiming.ahead(), claiming.pollEvery(), maxErrors, maxBackoff);
        return this;
    }

    public PoolBuilder maxCrashes(int count) {
        this.recovering = new Recovering(count, recovering.staging());
        return this;
    }

    /** When the jobs that a dead node ran start again. */
    public PoolBuilder staging(Staging schedule) {
        this.recovering = new Recovering(recovering.maxCrashes(), schedule);
        return this;
    }

    public PoolBuilder retention(Retention limits) {
        this.retention = limits;
        return this;
    }

    /** How long this node counts as alive after a renewal, in a store that several nodes share. */
    public PoolBuilder lease(Duration length) {
        this.lease = length;
        return this;
    }

    public PoolBuilder renewEvery(Duration interval) {
        this.renewEvery = interval;
        return this;
    }

    public PoolBuilder virtualThreads(boolean use) {
        this.virtualThreads = use;
        return this;
    }

    public PoolBuilder clock(InstantSource source) {
        this.clock = source;
        return this;
    }

    /** Reads and writes payloads, results, checkpoints and steps. */
    public PoolBuilder json(JsonMapper custom) {
        this.mapper = custom;
        return this;
    }

    /** A way to submit under these settings that neither joins the store as a node nor runs anything. */
    public Submitter submitter() {
        return new Submitter(store, clock, new Enrolment(settings(), new Codec(mapper)));
    }

    private PoolSettings settings() {
        return new PoolSettings(workers, groups, queueCapacity, queueCapacities, payloadLimit, timeout, retry,
                breaker, unknownFailures, stopping, claiming, recovering, retention,
                new Liveness(lease, renewEvery), virtualThreads);
    }

    /** Takes the store, recovers what a dead node left, and starts. */
    public Pool open() {
        PoolSettings settings = settings();
        List<Registration<?, ?>> registrations = new ArrayList<>();
        for (Handled<?, ?> handled : handlers.values()) {
            registrations.add(handled.register(settings));
        }
        for (Registration<?, ?> registration : registrations) {
            if (settings.workersOf(registration.group()) == 0) {
                throw new IllegalArgumentException(
                        "job type '" + registration.type() + "' names the worker group '"
                                + registration.group() + "', which has no workers; add group(\""
                                + registration.group()
                                + "\", n)");
            }
        }
        return Pool.open(new Parts(store, clock, settings, registrations, Map.copyOf(workforces),
                List.copyOf(listeners), Map.copyOf(sequels), List.copyOf(gates), custodian, mapper));
    }
}

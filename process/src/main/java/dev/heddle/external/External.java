package dev.heddle.external;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.heddle.external.ExternalSettings.Timing;
import dev.heddle.job.Affinity;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.PoolSettings;
import dev.heddle.process.Processes;
import dev.heddle.process.environment.EnvironmentRules;
import dev.heddle.process.environment.EnvironmentVariable;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;

/**
 * A job type whose jobs run on long-lived worker processes in any language: the entry point of the package. Immutable;
 * each method returns a changed copy.
 *
 * {@snippet :
 * try (Processes processes = Processes.open(ProcessSettings.in(Path.of(".heddle/processes")));
 *         Pool pool = Pool.on(store).with(External.of(EMBED, "python3", "embed.py").workers(2).on(processes)).open()) {
 *     Vectors vectors = pool.submit(EMBED, new Texts("a", "b")).await(Duration.ofSeconds(5));
 * }
 * }
 *
 * <p>The type gets a separate worker group with its own name. {@code docs/guides/external-workers.md} explains the
 * settings.
 */
public final class External<P, R> {

    private final JobType<P, R> type;
    private final ExternalSettings settings;
    private final int workers;
    private final JsonMapper json;
    private final RestartPolicy restarts;

    private External(JobType<P, R> type, ExternalSettings settings, int workers, JsonMapper json,
            RestartPolicy restarts) {
        this.type = type;
        this.settings = settings;
        this.workers = workers;
        this.json = json;
        this.restarts = restarts;
    }

    /** Returns the type with one worker, which the command starts. */
    public static <P, R> External<P, R> of(JobType<P, R> type, String... command) {
        return of(type, List.of(command));
    }

    /**
     * Returns the type with one worker, which the command starts.
     *
     * @throws IllegalArgumentException if the command is empty, or the type has the name of the default worker group
     */
    public static <P, R> External<P, R> of(JobType<P, R> type, List<String> command) {
        requireNonNull(type, "type");
        if (type.name().equals(PoolSettings.DEFAULT_GROUP)) {
            throw new IllegalArgumentException(
                    "'" + type.name() + "' is the name of the default worker group; choose another name for the type");
        }
        return new External<>(type.affinity(type.affinity().orElse(Affinity.STRICT_QUEUE)),
                ExternalSettings.of(command), 1, JsonMapper.shared(), RestartPolicy.STANDARD);
    }

    private External<P, R> with(ExternalSettings changed) {
        return new External<>(type, changed, workers, json, restarts);
    }

    private External<P, R> with(Timing changed) {
        return with(settings.timing(changed));
    }

    /** Returns the job type. */
    public JobType<P, R> type() {
        return type;
    }

    /** Returns how workers are started, watched and replaced. */
    public ExternalSettings settings() {
        return settings;
    }

    /** Returns the number of workers. */
    public int workers() {
        return workers;
    }

    /** Changes the rules of the job type, such as retries, timeout and breaker. */
    public External<P, R> type(UnaryOperator<JobType<P, R>> change) {
        return new External<>(change.apply(type), settings, workers, json, restarts);
    }

    /** Sets the number of workers; default 1. */
    public External<P, R> workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("workers must be at least 1: " + count);
        }
        return new External<>(type, settings, count, json, restarts);
    }

    /** Sets the working directory of the workers; default the directory of this JVM. */
    public External<P, R> in(Path directory) {
        return with(settings.directory(directory));
    }

    /** Sets an environment variable of the workers. */
    public External<P, R> environment(String name, String value) {
        return with(settings.environment(name, value));
    }

    /**
     * Lets the workers inherit variables that look like secrets.
     *
     * @param patterns names, in which {@code *} matches any characters
     */
    public External<P, R> allow(String... patterns) {
        return with(settings.allowing(List.of(patterns)));
    }

    /** Sets how many workers may be starting at the same time; default 2. */
    public External<P, R> startUps(int max) {
        return with(settings.startUps(max));
    }

    /** Sets how long a worker may take from its start until it is ready; default 10 s. */
    public External<P, R> handshake(Duration timeout) {
        return with(settings.timing().handshake(timeout));
    }

    /** Sets how often an idle worker is pinged, and how long it has to answer; default 30 s and 5 s. */
    public External<P, R> health(Duration interval, Duration timeout) {
        return with(settings.timing().health(interval, timeout));
    }

    /** Sets the delay after which a degraded worker is pinged; default 5 s. */
    public External<P, R> probeAfter(Duration delay) {
        return with(settings.timing().probeAfter(delay));
    }

    /** Sets when a healthy worker is replaced; default never. */
    public External<P, R> recycle(Recycling when) {
        return with(settings.recycling(when));
    }

    /** Sets how strictly the jobs of a session stay on one worker; default {@link Affinity#STRICT_QUEUE}. */
    public External<P, R> affinity(Affinity affinity) {
        return type(current -> current.affinity(affinity));
    }

    /** Sets the mapper that writes payloads and reads results; default Jackson's shared mapper. */
    public External<P, R> json(JsonMapper mapper) {
        return new External<>(type, settings, workers, mapper, restarts);
    }

    /** Sets when a lost worker is replaced, for tests that cannot wait so long. */
    External<P, R> restarts(RestartPolicy policy) {
        return new External<>(type, settings, workers, json, policy);
    }

    /**
     * Returns a function that adds the type and its workers to a pool. Pass it to {@link PoolBuilder#with}, and close
     * the processes after the pool.
     */
    public Consumer<PoolBuilder> on(Processes processes) {
        return on(processes, EnvironmentRules.standard(), Map.of());
    }

    /**
     * Does the same with the given environment.
     *
     * @param rules which variables the workers inherit
     * @param variables Heddle's variables for the workers, besides the worker's id
     */
    public Consumer<PoolBuilder> on(Processes processes, EnvironmentRules rules,
            Map<EnvironmentVariable, String> variables) {
        return pool -> {
            String name = type.name();
            ExternalWorkforce workforce = new ExternalWorkforce(name, settings, restarts,
                    new WorkerLauncher(processes, rules, variables));
            pool.group(name, workers, workforce).register(type.group(name),
                    (payload, job) -> json.treeToValue(workforce.execute(json.valueToTree(payload), job),
                            json.constructType(type.resultType())));
        };
    }
}

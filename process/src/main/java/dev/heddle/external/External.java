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
import dev.heddle.process.EnvironmentRules;
import dev.heddle.process.Processes;
import dev.heddle.process.Variable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job type that long-lived processes do, in whatever language: the entry point of the package. Immutable; each method
 * gives a changed copy.
 *
 * {@snippet :
 * try (Processes processes = Processes.open(ProcessSettings.in(Path.of(".heddle/processes")));
 *         Pool pool = Pool.on(store).with(External.of(EMBED, "python3", "embed.py").workers(2).on(processes)).open()) {
 *     Vectors vectors = pool.submit(EMBED, new Texts("a", "b")).await(Duration.ofSeconds(5));
 * }
 * }
 *
 * <p>The type gets a worker group of its own, named like itself. {@code docs/external-workers.md} explains the settings.
 */
public final class External<P, R> {

    private final JobType<P, R> type;
    private final ExternalSettings settings;
    private final int workers;
    private final JsonMapper json;

    private External(JobType<P, R> type, ExternalSettings settings, int workers, JsonMapper json) {
        this.type = type;
        this.settings = settings;
        this.workers = workers;
        this.json = json;
    }

    /** Workers that are started by the command. */
    public static <P, R> External<P, R> of(JobType<P, R> type, String... command) {
        return of(type, List.of(command));
    }

    public static <P, R> External<P, R> of(JobType<P, R> type, List<String> command) {
        if (type.name().equals(PoolSettings.DEFAULT_GROUP)) {
            throw new IllegalArgumentException("'" + type.name()
                    + "' is the worker group of all types that have none of their own; choose another name");
        }
        return new External<>(type.affinity(type.affinity().orElse(Affinity.STRICT_QUEUE)),
                ExternalSettings.of(command), 1, JsonMapper.shared());
    }

    private External<P, R> with(ExternalSettings changed) {
        return new External<>(type, changed, workers, json);
    }

    private External<P, R> with(Timing changed) {
        return with(settings.timing(changed));
    }

    public JobType<P, R> type() {
        return type;
    }

    public ExternalSettings settings() {
        return settings;
    }

    public int workers() {
        return workers;
    }

    /** Changes the rules of the type: retries, time-out, breaker. */
    public External<P, R> type(UnaryOperator<JobType<P, R>> change) {
        return new External<>(change.apply(type), settings, workers, json);
    }

    /** How many; default 1. */
    public External<P, R> workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least 1 worker is needed: " + count);
        }
        return new External<>(type, settings, count, json);
    }

    /** Where they run; default the directory of this process. */
    public External<P, R> in(Path directory) {
        return with(settings.directory(directory));
    }

    /** Sets an environment variable for them. */
    public External<P, R> environment(String name, String value) {
        return with(settings.environment(name, value));
    }

    /** Lets them inherit these variables though they look like secrets; patterns with {@code *}. */
    public External<P, R> allow(String... patterns) {
        return with(settings.allowing(List.of(patterns)));
    }

    /** How many may be starting at once; default 2. */
    public External<P, R> startUps(int most) {
        return with(settings.startUps(most));
    }

    /** How long one may take from its start until it is ready; default 10 s. */
    public External<P, R> handshake(Duration within) {
        return with(settings.timing().handshake(within));
    }

    /** How often an idle one is asked whether it is well, and how long it has to answer; default 30 s and 5 s. */
    public External<P, R> health(Duration every, Duration answerWithin) {
        return with(settings.timing().health(every, answerWithin));
    }

    /** How long a degraded one is left alone before it is asked; default 5 s. */
    public External<P, R> probeAfter(Duration rest) {
        return with(settings.timing().probeAfter(rest));
    }

    /** When one that is well is replaced all the same; default never. */
    public External<P, R> recycle(Recycling when) {
        return with(settings.recycling(when));
    }

    /** How firmly the jobs of a client's session stay on one worker; default they wait for it. */
    public External<P, R> affinity(Affinity howFirmly) {
        return type(now -> now.affinity(howFirmly));
    }

    /** Writes payloads and reads results; default Jackson's own ways. */
    public External<P, R> json(JsonMapper mapper) {
        return new External<>(type, settings, workers, mapper);
    }

    /** What adds type and workers to a pool; give it to {@link PoolBuilder#with}. The processes must outlive the pool. */
    public Consumer<PoolBuilder> on(Processes processes) {
        return on(processes, EnvironmentRules.standard(), Map.of());
    }

    /**
     * The same in an environment of its own.
     *
     * @param rules which variables they inherit
     * @param told what they are told besides their worker's id
     */
    public Consumer<PoolBuilder> on(Processes processes, EnvironmentRules rules, Map<Variable, String> told) {
        return pool -> {
            String name = type.name();
            ExternalWorkforce workforce = new ExternalWorkforce(name, settings,
                    new Launcher(processes, rules, told));
            pool.group(name, workers, workforce).handle(type.group(name),
                    (payload, job) -> json.treeToValue(workforce.execute(json.valueToTree(payload), job),
                            type.resultType()));
        };
    }
}

package dev.heddle.server;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.JobCounts;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerSnapshot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics for Prometheus. Events are counted as they happen, by job type and queue. The numbers of jobs are read
 * from the store at every scrape; if it does not answer at once, the last ones are reported.
 */
final class Metrics implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);
    private static final Duration LONGEST_COUNT = Duration.ofMillis(500);
    private static final Duration[] BUCKETS = Stream.of("PT0.01S", "PT0.1S", "PT1S", "PT10S", "PT1M", "PT10M", "PT1H")
            .map(Duration::parse).toArray(Duration[]::new);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final Pool pool;
    private final MultiGauge jobs;
    private final MultiGauge paused;
    private final MultiGauge workers;
    private final Executor threads;
    private volatile JobCounts tally = new JobCounts(List.of(), 0, Set.of());
    private volatile long countedAt = System.nanoTime();
    private @Nullable CompletableFuture<Void> counting;

    Metrics(Pool pool, EventReaders readers, Executor threads) {
        this.pool = pool;
        this.threads = threads;
        this.jobs = MultiGauge.builder("heddle.jobs").description("Jobs that have not ended").register(registry);
        this.paused = MultiGauge.builder("heddle.queue.paused").description("1 for each paused queue")
                .register(registry);
        this.workers = MultiGauge.builder("heddle.workers").description("Workers of this node").register(registry);
        Gauge.builder("heddle.dead.letters", () -> tally.dead()).description("Jobs that failed permanently")
                .register(registry);
        Gauge.builder("heddle.jobs.counted.age", () -> (System.nanoTime() - countedAt) / 1e9).baseUnit("seconds")
                .description("How old the numbers of jobs are; grows while the store does not answer")
                .register(registry);
        Gauge.builder("heddle.event.readers", readers, EventReaders::count)
                .description("Clients that follow the events of this node").register(registry);
        FunctionCounter.builder("heddle.event.readers.dropped", readers, EventReaders::dropped)
                .description("Clients that were disconnected because they read events too slowly").register(registry);
        FunctionCounter.builder("heddle.clock.jumps", pool, each -> each.admin().clockJumps())
                .description("How often the clock that the store goes by was set forward or back").register(registry);
        gc.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    void record(PoolEvent event) {
        switch (event) {
            case PoolEvent.Submitted e ->
                Counter.builder("heddle.jobs.submitted").description("Jobs submitted through this node")
                        .tags("type", e.type(), "queue", e.queue()).register(registry).increment(e.count());
            case PoolEvent.Ended e -> recordEnd(e);
            case PoolEvent.OfWorker(WorkerEvent e) -> record(e);
            case PoolEvent.Started _, PoolEvent.Progressed _, PoolEvent.Commanded _ -> {
            }
        }
    }

    private void record(WorkerEvent event) {
        Tags tags = Tags.of("group", event.group());
        switch (event) {
            case WorkerEvent.Changed e -> Timer.builder("heddle.worker.transitions")
                    .description("State changes of workers, and the time spent in the previous state")
                    .tags(tags.and("from", lower(e.change().from()), "to", lower(e.change().to()), "reason",
                            lower(e.change().reason())))
                    .register(registry).record(e.change().after());
            case WorkerEvent.HealthChecked e -> Timer.builder("heddle.worker.health.checks")
                    .description("Health checks of workers, and the time until the answer")
                    .tags(tags.and("result", e.healthy() ? "passed" : "failed")).register(registry).record(e.took());
            case WorkerEvent.Routed e -> Counter.builder("heddle.session.affinity").description(
                    "Jobs with a session that ran on the worker of the session (hit), on another (miss), or started a session (new)")
                    .tags(tags.and("result", lower(e.result()))).register(registry).increment();
            case WorkerEvent.Replaced _ -> Counter.builder("heddle.worker.replacements")
                    .description("Workers that were replaced").tags(tags).register(registry).increment();
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void recordEnd(PoolEvent.Ended ended) {
        Tags tags = Tags.of("type", ended.job().type(), "queue", ended.job().queue());
        Timer.builder("heddle.attempts").description("Attempts that ended on this node, and their execution time")
                .tags(tags.and("end", lower(ended.end()))).serviceLevelObjectives(BUCKETS).register(registry)
                .record(ended.took());
        JobState state = ended.job().state();
        if (state.isFinal()) {
            Counter.builder("heddle.jobs.ended").description("Jobs that ended on this node")
                    .tags(tags.and("state", lower(state))).register(registry).increment();
        } else if (state == JobState.SCHEDULED) {
            Counter.builder("heddle.jobs.retried").description("Failed attempts on this node that will be retried")
                    .tags(tags).register(registry).increment();
        }
    }

    /** Records a request under its route and not under its path: the number of paths is unbounded. */
    void recordRequest(String method, String route, int status, Duration took) {
        Timer.builder("heddle.http.requests").description("HTTP requests, and the time until the response")
                .tags("method", method, "route", route, "status", Integer.toString(status)).register(registry)
                .record(took);
    }

    String scrape() {
        count();
        JobCounts now = tally;
        jobs.register(now.live().stream().map(line -> MultiGauge.Row
                .of(Tags.of("queue", line.queue(), "type", line.type(), "state", lower(line.state())), line.count()))
                .toList(), true);
        paused.register(
                now.pausedQueues().stream().map(queue -> MultiGauge.Row.of(Tags.of("queue", queue), 1)).toList(), true);
        Map<Tags, Integer> byState = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (WorkerSnapshot worker : pool.admin().workers()) {
            byState.merge(Tags.of("group", worker.group(), "state", lower(worker.state())), 1, Integer::sum);
        }
        workers.register(byState.entrySet().stream().map(e -> MultiGauge.Row.of(e.getKey(), e.getValue())).toList(),
                true);
        return registry.scrape();
    }

    /** Counts the jobs in the store. If that takes long, the last numbers stay until it is done. */
    private void count() {
        try {
            counting().get(LONGEST_COUNT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("The numbers of jobs are old: the store does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized CompletableFuture<Void> counting() {
        CompletableFuture<Void> last = counting;
        if (last != null && !last.isDone()) {
            return last;
        }
        CompletableFuture<Void> next = CompletableFuture.runAsync(() -> {
            tally = pool.admin().countJobs();
            countedAt = System.nanoTime();
        }, threads);
        counting = next;
        return next;
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}

package dev.heddle.cli.callback;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.heddle.cli.config.Callback;
import dev.heddle.command.CommandRuntime;
import dev.heddle.command.CommandSpec;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.CallbackTypes;
import dev.heddle.control.local.UnitViews;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls a command or a webhook when a job ends. Each call is itself a job, so it is retried, limited in time and
 * visible like any other, and it is stored in the same commit as the end of the job. Its id derives from that end, so
 * submitting it again has no effect. This matters for jobs that repeated crashes dead-lettered: they end without an
 * attempt, and the next node submits their callbacks in {@link #catchUp}.
 */
public final class Callbacks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final RetryPolicy RETRY = RetryPolicy.exponential(8, Duration.ofSeconds(1), Duration.ofMinutes(5));
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int MAX_READS = 3;
    private static final Duration READ_RETRY_DELAY = Duration.ofSeconds(1);
    private static final int MAX_CATCH_UP = 1_000;
    /** Shorter than the retention of jobs, so a callback that ran is still known and not repeated. */
    private static final Duration CATCH_UP_AGE = Duration.ofDays(6);
    /** The variant bits of a UUID. */
    private static final long VARIANT_BITS = 0xF000_0000_0000_0000L;

    private final RunArchive archive;
    private final CommandRuntime workshop;
    private final InstantSource clock = InstantSource.system();
    private final boolean allowPrivate;
    private final WebhookClient publicHttp = new WebhookClient(false);
    private final WebhookClient privateHttp = new WebhookClient(true);

    /**
     * Creates callbacks that read the runs of jobs from the archive and run commands in the workshop.
     *
     * @param allowPrivate whether all webhooks may lead to addresses that are not public
     */
    public Callbacks(RunArchive archive, CommandRuntime workshop, boolean allowPrivate) {
        this.archive = archive;
        this.workshop = workshop;
        this.allowPrivate = allowPrivate;
    }

    /** Registers the callbacks of a type with a pool that is not open yet. */
    public void addTo(PoolBuilder builder, TypeCallbacks subscribed) {
        if (!subscribed.isEmpty()) {
            subscribed.callbacks().forEach((event, callback) -> register(subscribed, event, callback,
                    command -> workshop.register(command, builder), builder::register));
            builder.then(subscribed.jobType(), job -> requests(subscribed, job));
        }
    }

    /** Registers the callbacks of a type with an open pool. */
    public void addTo(Pool pool, TypeCallbacks subscribed) {
        if (!subscribed.isEmpty()) {
            subscribed.callbacks().forEach((event, callback) -> register(subscribed, event, callback,
                    command -> workshop.register(command, pool), pool::registerIfAbsent));
            pool.then(subscribed.jobType(), job -> requests(subscribed, job));
        }
    }

    private void register(TypeCallbacks subscribed, String event, Callback callback, Consumer<CommandSpec> byCommand,
            BiConsumer<JobType<JsonNode, Integer>, JobHandler<JsonNode, Integer>> byWebhook) {
        String type = callbackType(subscribed, event);
        switch (callback) {
            case Callback.ByCommand(List<String> line, Path directory) -> byCommand.accept(
                    CommandSpec.of(type, line).directory(directory).type(now -> now.retry(RETRY).timeout(TIMEOUT)));
            case Callback.ByWebhook webhook ->
                byWebhook.accept(JobType.of(type, JsonNode.class, Integer.class).retry(RETRY).timeout(TIMEOUT),
                        new Webhook(webhook.uri(), webhook.secrets(),
                                allowPrivate || webhook.allowPrivate() ? privateHttp : publicHttp, clock));
        }
    }

    /** Submits callbacks for recent dead letters that may have none because a node crashed. */
    public void catchUp(Pool pool, TypeCallbacks subscribed) {
        if (subscribed.callbacks().containsKey(CallbackTypes.FAILED)) {
            pool.admin().list(JobQuery.all().type(subscribed.type()).states(JobState.FAILED).limit(MAX_CATCH_UP))
                    .stream().filter(this::isRecent).map(job -> requests(subscribed, job)).forEach(pool::submitAll);
        }
    }

    private boolean isRecent(Job job) {
        Instant ended = job.status().endedAt();
        return ended != null && ended.isAfter(clock.instant().minus(CATCH_UP_AGE));
    }

    private List<JobRequest<JsonNode, JsonNode>> requests(TypeCallbacks subscribed, Job ended) {
        String event = subscribed.eventOf(ended.state());
        if (event == null) {
            return List.of();
        }
        ObjectNode payload = JsonMapper.shared().createObjectNode().put("event", event).put("type", subscribed.type());
        if (subscribed.batch() != null) {
            payload.put("batch", subscribed.batch());
        }
        payload.set("unit", ControlJson.tree(ControlJson.write(UnitViews.of(ended, runs(ended.id())))));
        return List.of(JobType.of(callbackType(subscribed, event), JsonNode.class, JsonNode.class)
                .with((JsonNode) payload).id(id(ended, event)).subject(ended.id().toString()));
    }

    /**
     * Reads the runs of a job. If the store stays unreachable, sends the callback without costs rather than not at all.
     */
    private List<Run> runs(JobId job) {
        for (int attempt = 1;; attempt++) {
            try {
                return archive.runs(job);
            } catch (StoreException e) {
                if (attempt == MAX_READS || Thread.currentThread().isInterrupted()) {
                    LOG.warn("Callback of job {} has no costs, because the store cannot be read: {}", job,
                            e.getMessage());
                    return List.of();
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(READ_RETRY_DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String callbackType(TypeCallbacks subscribed, String event) {
        return CallbackTypes.of(subscribed.type(), event);
    }

    /** Returns an id that is unique to this end of this job. */
    static JobId id(Job ended, String event) {
        UUID own = UUID.fromString(ended.id().toString());
        long mix = UUID.nameUUIDFromBytes((event + ended.counts().attempt()).getBytes(StandardCharsets.UTF_8))
                .getLeastSignificantBits();
        return JobId.of(new UUID(own.getMostSignificantBits(), own.getLeastSignificantBits() ^ (mix & ~VARIANT_BITS))
                .toString());
    }

    /** Closes the HTTP clients. Close the pool first, because its jobs use them. */
    @Override
    public void close() {
        publicHttp.close();
        privateHttp.close();
    }
}

package dev.heddle.cli.callback;

import java.net.http.HttpClient;
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
import dev.heddle.command.Command;
import dev.heddle.command.Workshop;
import dev.heddle.control.ControlJson;
import dev.heddle.control.UnitView;
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
 * Tells of jobs that have ended: each time by a job of its own, which is retried, limited in time and seen like any other,
 * and stored in the commit of the end that it tells of. Its id follows from that end, so that there is one however often it
 * is submitted: a job that crashes have buried has no attempt to end, and is told of when a node finds it, or the next one.
 */
public final class Callbacks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final RetryPolicy RETRY = RetryPolicy.exponential(8, Duration.ofSeconds(1),
            Duration.ofMinutes(5));
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST = 1_000;
    /** Less than jobs are kept for. */
    private static final Duration REMEMBERED = Duration.ofDays(6);
    private static final long KEPT_BITS = 0xF000_0000_0000_0000L;

    private final RunArchive archive;
    private final Workshop workshop;
    private final InstantSource clock = InstantSource.system();
    private final HttpClient http = HttpClient.newHttpClient();

    public Callbacks(RunArchive archive, Workshop workshop) {
        this.archive = archive;
        this.workshop = workshop;
    }

    /** Lets a pool tell of a type from its first job on. */
    public void addTo(PoolBuilder builder, Told told) {
        if (!told.isEmpty()) {
            told.callbacks().forEach((event, callback) -> handle(told, event, callback,
                    command -> workshop.add(command, builder), builder::handle));
            builder.then(told.jobType(), job -> news(told, job));
        }
    }

    /** Lets a pool that is open tell of a type from here on. */
    public void addTo(Pool pool, Told told) {
        if (!told.isEmpty()) {
            told.callbacks().forEach((event, callback) -> handle(told, event, callback,
                    command -> workshop.add(command, pool), pool::handle));
            pool.then(told.jobType(), job -> news(told, job));
        }
    }

    private void handle(Told told, String event, Callback callback, Consumer<Command> byCommand,
            BiConsumer<JobType<JsonNode, Integer>, JobHandler<JsonNode, Integer>> byWebhook) {
        String type = type(told, event);
        switch (callback) {
            case Callback.ByCommand(List<String> line, Path directory) ->
                byCommand.accept(Command.of(type, line)
                        .directory(directory).type(now -> now.retry(RETRY).timeout(LONGEST)));
            case Callback.ByWebhook webhook -> byWebhook.accept(
                    JobType.of(type, JsonNode.class, Integer.class).retry(RETRY).timeout(LONGEST),
                    new Webhook(webhook.uri(), webhook.secret(), http));
        }
    }

    /** Tells of those that crashes have buried, where a crash kept that from being told. */
    public void catchUp(Pool pool, Told told) {
        if (told.callbacks().containsKey(Told.FAILED)) {
            pool.list(JobQuery.all().type(told.type()).states(JobState.FAILED).limit(MOST)).stream()
                    .filter(this::isRecent).map(job -> news(told, job)).forEach(pool::submitAll);
        }
    }

    /** What was told longer ago may be forgotten, and must not be told again. */
    private boolean isRecent(Job job) {
        Instant ended = job.status().endedAt();
        return ended != null && ended.isAfter(clock.instant().minus(REMEMBERED));
    }

    private List<JobRequest<JsonNode, JsonNode>> news(Told told, Job ended) {
        String event = told.eventOf(ended.state());
        if (event == null) {
            return List.of();
        }
        ObjectNode news = JsonMapper.shared().createObjectNode().put("event", event).put("type", told.type());
        if (told.batch() != null) {
            news.put("batch", told.batch());
        }
        news.set("unit", ControlJson.tree(ControlJson.write(UnitView.of(ended, runs(ended.id())))));
        return List.of(JobType.of(type(told, event), JsonNode.class, JsonNode.class).with((JsonNode) news)
                .id(id(ended, event)).subject(ended.id().toString()));
    }

    /** A store that is away is waited for a moment: to be told without the costs is better than not at all. */
    private List<Run> runs(JobId job) {
        for (int tried = 1;; tried++) {
            try {
                return archive.runs(job);
            } catch (StoreException e) {
                if (tried == TRIES || Thread.currentThread().isInterrupted()) {
                    LOG.warn("Job {} is told of without what it cost: {}", job, e.getMessage());
                    return List.of();
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String type(Told told, String event) {
        return told.type() + ":" + event;
    }

    /** Of this end of this job, and of no other. */
    static JobId id(Job ended, String event) {
        UUID own = UUID.fromString(ended.id().toString());
        long mix = UUID.nameUUIDFromBytes((event + ended.counts().attempt()).getBytes(StandardCharsets.UTF_8))
                .getLeastSignificantBits();
        return JobId
                .of(new UUID(own.getMostSignificantBits(), own.getLeastSignificantBits() ^ (mix & ~KEPT_BITS))
                        .toString());
    }

    /** After the pool, whose jobs use it. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}

package dev.heddle.cli.batch;

import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.Callback;
import dev.heddle.command.Command;
import dev.heddle.command.Workshop;
import dev.heddle.control.BatchOrder;
import dev.heddle.control.ControlJson;
import dev.heddle.control.UnitView;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells of units that have ended: each as a job of its own, which is retried, limited in time and seen like any other. Its id
 * follows from the unit's, so that however often it is submitted there is one. It is submitted right after the unit's end is
 * committed; what a crash between the two left out is submitted when the next node opens, from the ends that are in the store.
 */
final class Callbacks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final RetryPolicy RETRY = RetryPolicy.exponential(8, Duration.ofSeconds(1),
            Duration.ofMinutes(5));
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int PAGE = 500;
    /** Less than jobs are kept for. */
    private static final Duration REMEMBERED = Duration.ofDays(6);
    private static final long KEPT_BITS = 0xF000_0000_0000_0000L;

    private final Pool pool;
    private final Workshop workshop;
    private final InstantSource clock = InstantSource.system();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, BatchFile> told = new ConcurrentHashMap<>();
    private final ExecutorService teller = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("heddle-callbacks").factory());
    private final AutoCloseable watching;

    Callbacks(Pool pool, Workshop workshop) {
        this.pool = pool;
        this.workshop = workshop;
        this.watching = pool.observe(this::happened);
    }

    /** From here on the ends of this batch's units are told. */
    void register(BatchOrder order, BatchFile file) {
        file.callbacks().forEach((event, callback) -> {
            String type = type(order.type(), event);
            switch (callback) {
                case Callback.ByCommand(List<String> line) -> workshop.add(Command.of(type, line)
                        .directory(Path.of(order.directory())).type(now -> now.retry(RETRY).timeout(LONGEST)),
                        pool);
                case Callback.ByWebhook webhook -> pool.handle(
                        JobType.of(type, JsonNode.class, Integer.class).retry(RETRY).timeout(LONGEST),
                        new Webhook(webhook.uri(), webhook.secret(), http));
            }
        });
        if (!file.callbacks().isEmpty()) {
            told.put(order.type(), file);
        }
    }

    /** Tells what a crash kept from being told. */
    void catchUp(JobId batch) {
        long after = 0;
        List<Job> units;
        do {
            units = pool.list(JobQuery.all().parent(batch).after(after).limit(PAGE));
            units.stream().filter(unit -> told.containsKey(unit.type()) && isRecent(unit))
                    .forEach(this::tell);
            after = units.isEmpty() ? after : units.getLast().seq();
        } while (units.size() == PAGE);
    }

    /** What was told longer ago may be forgotten, and must not be told again. */
    private boolean isRecent(Job unit) {
        Instant ended = unit.status().endedAt();
        return ended != null && ended.isAfter(clock.instant().minus(REMEMBERED));
    }

    private void happened(PoolEvent event) {
        if (event instanceof PoolEvent.Ended ended && told.containsKey(ended.job().type())) {
            try {
                teller.execute(() -> tell(ended.job()));
            } catch (RejectedExecutionException e) {
                LOG.debug("Closing; told when the next node opens", e);
            }
        }
    }

    private void tell(Job unit) {
        String event = unit.state() == JobState.COMPLETED ? "onUnitComplete" : "onUnitFailed";
        BatchFile file = told.get(unit.type());
        if (file == null || !file.callbacks().containsKey(event)
                || !(unit.state() == JobState.COMPLETED || unit.state() == JobState.FAILED)) {
            return;
        }
        while (true) {
            try {
                ObjectNode news = JsonMapper.shared().createObjectNode().put("event", event).put("batch",
                        file.name());
                news.set("unit", ControlJson.tree(ControlJson.write(
                        UnitView.of(unit,
                                pool.runs().map(archive -> archive.runs(unit.id())).orElse(List.of())))));
                pool.submit(JobType.of(type(unit.type(), event), JsonNode.class, JsonNode.class)
                        .with((JsonNode) news)
                        .id(id(unit, event)).subject(unit.id().toString()));
                return;
            } catch (PoolClosedException e) {
                LOG.debug("Closing; told when the next node opens", e);
                return;
            } catch (StoreException e) {
                LOG.warn("Cannot tell of unit {} yet: {}", unit.id(), e.getMessage());
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

    private static String type(String units, String event) {
        return units + ":" + event;
    }

    /** Of this end of this unit, and of no other. */
    static JobId id(Job unit, String event) {
        UUID own = UUID.fromString(unit.id().toString());
        long mix = UUID.nameUUIDFromBytes((event + unit.counts().attempt()).getBytes(StandardCharsets.UTF_8))
                .getLeastSignificantBits();
        return JobId
                .of(new UUID(own.getMostSignificantBits(), own.getLeastSignificantBits() ^ (mix & ~KEPT_BITS))
                        .toString());
    }

    @Override
    public void close() {
        try {
            watching.close();
        } catch (Exception e) {
            LOG.warn("Could not stop watching: {}", e.getMessage());
        }
        teller.shutdown();
        http.shutdownNow();
    }
}

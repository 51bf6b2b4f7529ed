package dev.heddle.server;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.server.SseReader.Event;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a thousand readers of events, two hundred submits a second, and one blocked reader. No submit fails, every
 * reader sees every event in order, the blocked reader is dropped, reconnects and misses nothing, and memory stays
 * bounded.
 */
class EventLoadTest {

    private static final int READERS = 1_000;
    private static final int SUBMITS_A_SECOND = 200;
    private static final int SUBMITTERS = 8;
    private static final int SECONDS = Torture.rounds(6, 30);
    /** More than the test produces: a reader is dropped for being blocked, and not because the machine is slow. */
    private static final int EVENTS_KEPT = SECONDS * 1_000;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String DROPPED = "heddle_event_readers_dropped_total";
    private static final long MEBI = 1 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Test
    void sustainsAThousandReadersAndTwoHundredSubmitsASecond() throws Exception {
        JobType<JsonNode, JsonNode> noop = JobType.of("noop", JsonNode.class, JsonNode.class);
        @Nullable BlockedReader blockedReader = null;
        try (Pool pool = Pool.on(SqliteStore.at(directory.resolve("jobs.db"))).register(noop, (payload, job) -> payload)
                .open();
                HeddleServer server = HeddleServer.on(pool).port(0)
                        .eventLimits(EVENTS_KEPT, READERS + 10, Duration.ofMinutes(1)).start();
                EventReaderCrowd crowd = new EventReaderCrowd(server, READERS)) {
            blockedReader = new BlockedReader(server);
            BlockedReader dropped = blockedReader;
            long before = usedHeap();
            List<String> errors = submit(server, SECONDS * SUBMITS_A_SECOND);

            assertThat(errors).isEmpty();
            assertThat(pool.awaitIdle(LONG)).isTrue();
            long newest = seenByAll(crowd, server);
            // Fills the log until the blocked reader is half a log behind, in steps that the other readers can keep up
            // with.
            while (newest < EVENTS_KEPT * 7L / 10) {
                for (int i = 0; i < 200; i++) {
                    pool.admin().pauseQueue("mail");
                    pool.admin().resumeQueue("mail");
                }
                newest = seenByAll(crowd, server);
            }
            assertThat(crowd.problems()).isEmpty();
            long all = newest;
            Awaitility.await().atMost(LONG).until(() -> dropped.problem != null || dropped.last >= all);
            assertThat(dropped.problem).isNull();
            assertThat(metric(server, DROPPED)).as("only the blocked reader").isEqualTo(1);
            long grown = usedHeap() - before;
            System.out.printf(
                    "EventLoadTest: %d readers saw %d events each; heap grew by %d KiB, direct buffers %d KiB%n",
                    READERS, all, grown >> 10, direct() >> 10);
            assertThat(grown).as("the memory that %d events keep", all).isLessThan(64 * MEBI);
            assertThat(direct()).isLessThan(256 * MEBI);
        } finally {
            if (blockedReader != null) {
                blockedReader.join();
            }
        }
    }

    /** Submits at a steady rate, however long the responses take, as independent callers would. */
    private static List<String> submit(HeddleServer server, int total) throws InterruptedException {
        ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        long began = System.nanoTime();
        List<Thread> submitters = new ArrayList<>();
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < SUBMITTERS; i++) {
                submitters.add(Thread.ofPlatform().start(() -> {
                    for (int n = next.getAndIncrement(); n < total; n = next.getAndIncrement()) {
                        sleepUntil(began + n * (TimeUnit.SECONDS.toNanos(1) / SUBMITS_A_SECOND));
                        submitOne(http, server, n, errors);
                    }
                }));
            }
            for (Thread submitter : submitters) {
                submitter.join();
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf("EventLoadTest: %d submits in %.1f s, %.0f a second%n", total, seconds, total / seconds);
        return List.copyOf(errors);
    }

    private static void sleepUntil(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void submitOne(HttpClient http, HeddleServer server, int n, ConcurrentLinkedQueue<String> errors) {
        var request = HttpRequest.newBuilder(URI.create(server.uri() + "/api/v1/jobs")).timeout(LONG)
                .header("Authorization", "Bearer " + server.token()).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"type\":\"noop\",\"payload\":{\"n\":" + n + "}}")).build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 201) {
                errors.add(answer.statusCode() + " " + answer.body());
            }
        } catch (IOException e) {
            errors.add(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            errors.add(e.toString());
        }
    }

    /** Waits until every reader has seen the newest event, and returns its number. */
    private static long seenByAll(EventReaderCrowd crowd, HeddleServer server) throws Exception {
        try (SseReader reader = new SseReader(server, null)) {
            long newest = number(Objects.requireNonNull(reader.next()));
            Awaitility.await().atMost(LONG).until(() -> crowd.slowest() >= newest);
            return newest;
        }
    }

    /** Reads nothing until it is dropped, then reconnects with the last id it saw. */
    private static final class BlockedReader {
        private final HeddleServer server;
        private final SseReader blocked;
        private final Thread thread = Thread.ofPlatform().unstarted(this::run);
        private volatile long last;
        private volatile @Nullable String problem;

        BlockedReader(HeddleServer server) throws IOException {
            this.server = server;
            this.blocked = new SseReader(server, null, 4 << 10);
            thread.start();
        }

        private void run() {
            try (blocked) {
                Event event = Objects.requireNonNull(blocked.next());
                last = number(event);
                Awaitility.await().atMost(LONG).until(() -> metric(server, DROPPED) == 1);
                String id = event.id();
                for (event = blocked.next(); event != null; event = blocked.next()) {
                    follow(event);
                    id = event.id();
                }
                try (SseReader again = new SseReader(server, id)) {
                    assertThat(Objects.requireNonNull(again.next()).kind()).isEqualTo("open");
                    for (event = again.next(); event != null; event = again.next()) {
                        follow(event);
                    }
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                problem = e.toString();
            }
        }

        private void follow(Event event) {
            assertThat(event.kind()).isNotEqualTo("reset");
            assertThat(number(event)).isEqualTo(last + 1);
            last = number(event);
        }

        /** Call this after closing the server, which ends the stream. */
        void join() throws InterruptedException {
            thread.join();
        }
    }

    private static long number(Event event) {
        return Long.parseLong(event.id().substring(event.id().lastIndexOf('-') + 1));
    }

    private static double metric(HeddleServer server, String name) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String metrics = http
                    .send(HttpRequest.newBuilder(URI.create(server.uri() + "/metrics"))
                            .header("Authorization", "Bearer " + server.token()).build(), BodyHandlers.ofString())
                    .body();
            return metrics.lines().filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1))).sum();
        }
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}

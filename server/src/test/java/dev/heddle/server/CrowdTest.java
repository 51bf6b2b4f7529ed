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
 * A thousand readers of events, two hundred submits a second, and one reader that takes nothing: no submit fails, every
 * reader sees every event in order, the one that was dropped comes back and has missed none, and memory stays bounded.
 */
class CrowdTest {

    private static final int READERS = 1_000;
    private static final int SUBMITS_A_SECOND = 200;
    private static final int SUBMITTERS = 8;
    private static final int SECONDS = Torture.rounds(6, 30);
    /** More than there are, so that who is too slow is dropped for what it has not taken, and not for the machine's pace. */
    private static final int EVENTS_KEPT = SECONDS * 1_000;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String DROPPED = "heddle_event_readers_dropped_total";
    private static final long MEBI = 1 << 20;

    @TempDir @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Test
    void carriesAThousandReadersAndTwoHundredSubmitsASecond() throws Exception {
        JobType<JsonNode, JsonNode> noop = JobType.of("noop", JsonNode.class, JsonNode.class);
        @Nullable Laggard laggard = null;
        try (Pool pool = Pool.on(SqliteStore.at(directory.resolve("jobs.db")))
                .handle(noop, (payload, job) -> payload)
                .open();
                HeddleServer server = HeddleServer.on(pool).port(0)
                        .eventLimits(EVENTS_KEPT, READERS + 10, Duration.ofMinutes(1)).start();
                Crowd crowd = new Crowd(server, READERS)) {
            laggard = new Laggard(server);
            Laggard dropped = laggard;
            long before = usedHeap();
            List<String> errors = submit(server, SECONDS * SUBMITS_A_SECOND);

            assertThat(errors).isEmpty();
            assertThat(pool.awaitIdle(LONG)).isTrue();
            long newest = seenByAll(crowd, server);
            // Until the one is half a log behind, in steps that the others can take, and with none lost to it.
            while (newest < EVENTS_KEPT * 7L / 10) {
                for (int i = 0; i < 200; i++) {
                    pool.pauseQueue("mail");
                    pool.resumeQueue("mail");
                }
                newest = seenByAll(crowd, server);
            }
            assertThat(crowd.troubles()).isEmpty();
            long all = newest;
            Awaitility.await().atMost(LONG).until(() -> dropped.trouble != null || dropped.last >= all);
            assertThat(dropped.trouble).isNull();
            assertThat(metric(server, DROPPED)).as("nobody but the one").isEqualTo(1);
            long grown = usedHeap() - before;
            System.out.printf(
                    "CrowdTest: %d readers saw %d events each; heap grew by %d KiB, direct buffers %d KiB%n",
                    READERS, all, grown >> 10, direct() >> 10);
            assertThat(grown).as("what stays of %d events", all).isLessThan(64 * MEBI);
            assertThat(direct()).isLessThan(256 * MEBI);
        } finally {
            if (laggard != null) {
                laggard.join();
            }
        }
    }

    /** At a steady pace whatever the answers take, as callers who do not know of each other would. */
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
        System.out.printf("CrowdTest: %d submits in %.1f s, %.0f a second%n", total, seconds,
                total / seconds);
        return List.copyOf(errors);
    }

    private static void sleepUntil(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void submitOne(HttpClient http, HeddleServer server, int n,
            ConcurrentLinkedQueue<String> errors) {
        var request = HttpRequest.newBuilder(URI.create(server.uri() + "/api/v1/jobs")).timeout(LONG)
                .header("Authorization", "Bearer " + server.token())
                .header("Content-Type", "application/json")
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

    /** The number of the last event, once the whole crowd has seen it. */
    private static long seenByAll(Crowd crowd, HeddleServer server) throws Exception {
        try (SseReader reader = new SseReader(server, null)) {
            long newest = number(Objects.requireNonNull(reader.next()));
            Awaitility.await().atMost(LONG).until(() -> crowd.slowest() >= newest);
            return newest;
        }
    }

    /** Takes nothing until it is dropped, then comes back with the last id it saw. */
    private static final class Laggard {
        private final HeddleServer server;
        private final SseReader blocked;
        private final Thread thread = Thread.ofPlatform().unstarted(this::run);
        private volatile long last;
        private volatile @Nullable String trouble;

        Laggard(HeddleServer server) throws IOException {
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
                trouble = e.toString();
            }
        }

        private void follow(Event event) {
            assertThat(event.kind()).isNotEqualTo("reset");
            assertThat(number(event)).isEqualTo(last + 1);
            last = number(event);
        }

        /** After the server: that ends what it follows. */
        void join() throws InterruptedException {
            thread.join();
        }
    }

    private static long number(Event event) {
        return Long.parseLong(event.id().substring(event.id().lastIndexOf('-') + 1));
    }

    private static double metric(HeddleServer server, String name) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String metrics = http.send(HttpRequest.newBuilder(URI.create(server.uri() + "/metrics"))
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
                .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}

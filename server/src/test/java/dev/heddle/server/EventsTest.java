package dev.heddle.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.memory.MemoryStore;
import dev.heddle.server.SseReader.Event;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Follows the events of a server over real connections. */
class EventsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(),
            settings -> settings.eventLimits(2_000, 8, Duration.ofSeconds(20)));

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Event event(SseReader reader) {
        return Objects.requireNonNull(reader.next(), "the connection has ended");
    }

    private void run(int jobs) throws Exception {
        for (int i = 0; i < jobs; i++) {
            fixture.pool.submit(TestPool.ECHO, ControlJson.tree("1")).await(LONG);
        }
    }

    @Test
    void streamsTheEventsOfAJob() throws Exception {
        try (SseReader reader = new SseReader(fixture.server, null)) {
            assertThat(event(reader).kind()).isEqualTo("open");
            run(1);
            fixture.send("POST", "/api/v1/queues/pause", "{\"queue\":\"mail\"}");
            List<Event> told = List.of(event(reader), event(reader), event(reader), event(reader), event(reader));

            assertThat(told).extracting(Event::kind).containsExactlyInAnyOrder("submitted", "started", "progress",
                    "ended", "pause-queue");
            assertThat(of("ended", told)).contains("\"state\":\"COMPLETED\"").contains("\"type\":\"echo\"");
            assertThat(of("pause-queue", told)).contains("\"queue\":\"mail\"").contains("\"actor\":\"node:token\"");
        }
    }

    private static String of(String kind, List<Event> told) {
        return told.stream().filter(event -> event.kind().equals(kind)).findFirst().orElseThrow().data();
    }

    @Test
    void resumesAfterTheLastIdThatTheReaderSaw() throws Exception {
        String last;
        try (SseReader reader = new SseReader(fixture.server, null)) {
            last = event(reader).id();
        }
        run(3);
        try (SseReader reader = new SseReader(fixture.server, last)) {
            assertThat(event(reader).kind()).isEqualTo("open");
            List<Long> numbers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                numbers.add(number(event(reader)));
            }
            assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, 12).boxed().toList());
        }
    }

    private static long number(Event event) {
        return Long.parseLong(event.id().substring(event.id().lastIndexOf('-') + 1));
    }

    @Test
    void resetsAReaderThatMissedEvents() throws Exception {
        String first;
        try (SseReader reader = new SseReader(fixture.server, null)) {
            first = event(reader).id();
        }
        run(600);
        try (SseReader late = new SseReader(fixture.server, first)) {
            assertThat(event(late).kind()).isEqualTo("reset");
        }
        for (String invalid : List.of("another-run-5", first + "999999", "nonsense")) {
            try (SseReader reader = new SseReader(fixture.server, invalid)) {
                assertThat(event(reader).kind()).as(invalid).isEqualTo("reset");
            }
        }
    }

    @Test
    void limitsTheNumberOfReaders() throws Exception {
        List<SseReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                readers.add(new SseReader(fixture.server, null));
                assertThat(event(readers.getLast()).kind()).isEqualTo("open");
            }
            assertThat(fixture.get("/api/v1/events").statusCode()).isEqualTo(429);
        } finally {
            for (SseReader reader : readers) {
                reader.close();
            }
        }
    }

    @Test
    void dropsABlockedReaderBeforeItMissesEvents() throws Exception {
        try (ServerFixture busy = ServerFixture.open(new MemoryStore(),
                settings -> settings.eventLimits(10_000, 8, Duration.ofSeconds(20)))) {
            dropsAndResumes(busy);
        }
    }

    private static void dropsAndResumes(ServerFixture fixture) throws Exception {
        long last = 0;
        String lastId;
        try (SseReader slow = new SseReader(fixture.server, null, 4 << 10)) {
            Event open = event(slow);
            lastId = open.id();
            // More than half of the capacity of the log, and less than all of it.
            for (int i = 0; i < 4_000; i++) {
                fixture.pool.admin().pauseQueue("q".repeat(150));
                fixture.pool.admin().resumeQueue("q".repeat(150));
            }
            Awaitility.await().atMost(LONG)
                    .until(() -> fixture.get("/metrics").body().contains("heddle_event_readers_dropped_total 1.0"));
            long all = newest(fixture);
            for (Event event = slow.next(); event != null && last < all; event = slow.next()) {
                assertThat(number(event)).isEqualTo(last + 1);
                last = number(event);
                lastId = event.id();
            }
        }
        long newest = newest(fixture);
        assertThat(newest).isGreaterThan(last);
        try (SseReader again = new SseReader(fixture.server, lastId)) {
            assertThat(event(again).kind()).isEqualTo("open");
            while (last < newest) {
                Event event = event(again);
                assertThat(event.kind()).isNotEqualTo("reset");
                assertThat(number(event)).isEqualTo(last + 1);
                last++;
            }
        }
    }

    /** Returns the number of the newest event. */
    private static long newest(ServerFixture fixture) throws Exception {
        try (SseReader reader = new SseReader(fixture.server, null)) {
            return number(event(reader));
        }
    }
}

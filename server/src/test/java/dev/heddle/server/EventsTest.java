package dev.heddle.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

import dev.heddle.control.Bench;
import dev.heddle.control.ControlJson;
import dev.heddle.server.SseReader.Event;
import dev.heddle.store.MemoryStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What happens, as it is told to those who follow. */
class EventsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final Front front = Front.open(new MemoryStore(),
            settings -> settings.eventLimits(2_000, 8, Duration.ofSeconds(20)));

    @AfterEach
    void close() {
        front.close();
    }

    private static Event event(SseReader reader) {
        return Objects.requireNonNull(reader.next(), "the connection has ended");
    }

    private void run(int jobs) throws Exception {
        for (int i = 0; i < jobs; i++) {
            front.pool.submit(Bench.ECHO, ControlJson.tree("1")).await(LONG);
        }
    }

    @Test
    void tellsTheWayOfAJob() throws Exception {
        try (SseReader reader = new SseReader(front.server, null)) {
            assertThat(event(reader).kind()).isEqualTo("open");
            run(1);
            front.send("POST", "/api/v1/queues/pause", "{\"queue\":\"mail\"}");
            List<Event> told = List.of(event(reader), event(reader), event(reader), event(reader),
                    event(reader));

            assertThat(told).extracting(Event::kind).containsExactlyInAnyOrder("submitted", "started",
                    "progress", "ended", "pause-queue");
            assertThat(of("ended", told)).contains("\"state\":\"COMPLETED\"").contains("\"type\":\"echo\"");
            assertThat(of("pause-queue", told)).contains("\"queue\":\"mail\"").contains("\"actor\":\"api\"");
        }
    }

    private static String of(String kind, List<Event> told) {
        return told.stream().filter(event -> event.kind().equals(kind)).findFirst().orElseThrow().data();
    }

    @Test
    void goesOnAfterTheLastIdThatWasSeen() throws Exception {
        String last;
        try (SseReader reader = new SseReader(front.server, null)) {
            last = event(reader).id();
        }
        run(3);
        try (SseReader reader = new SseReader(front.server, last)) {
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
    void saysWhenSomethingWasMissed() throws Exception {
        String first;
        try (SseReader reader = new SseReader(front.server, null)) {
            first = event(reader).id();
        }
        run(600);
        try (SseReader late = new SseReader(front.server, first)) {
            assertThat(List.of(event(late), event(late))).extracting(Event::kind).containsExactly("open",
                    "reset");
        }
        for (String strange : List.of("another-run-5", first + "999999", "nonsense")) {
            try (SseReader reader = new SseReader(front.server, strange)) {
                assertThat(event(reader).kind()).as(strange).isEqualTo("reset");
            }
        }
    }

    @Test
    void takesABoundedNumberOfReaders() throws Exception {
        List<SseReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                readers.add(new SseReader(front.server, null));
                assertThat(event(readers.getLast()).kind()).isEqualTo("open");
            }
            assertThat(front.get("/api/v1/events").statusCode()).isEqualTo(429);
        } finally {
            for (SseReader reader : readers) {
                reader.close();
            }
        }
    }

    /** It has the whole of what it missed when it comes back, though nobody kept it for this reader. */
    @Test
    void dropsAReaderThatTakesNothingBeforeItHasMissedAnything() throws Exception {
        try (Front busy = Front.open(new MemoryStore(),
                settings -> settings.eventLimits(10_000, 8, Duration.ofSeconds(20)))) {
            dropsAndResumes(busy);
        }
    }

    private static void dropsAndResumes(Front front) throws Exception {
        long last = 0;
        String lastId;
        try (SseReader slow = new SseReader(front.server, null, 4 << 10)) {
            Event open = event(slow);
            lastId = open.id();
            // More than half of what the log keeps, and less than all of it.
            for (int i = 0; i < 4_000; i++) {
                front.pool.pauseQueue("q".repeat(150));
                front.pool.resumeQueue("q".repeat(150));
            }
            Awaitility.await().atMost(LONG).until(() -> front.get("/metrics").body()
                    .contains("heddle_event_readers_dropped_total 1.0"));
            long all = newest(front);
            for (Event event = slow.next(); event != null && last < all; event = slow.next()) {
                assertThat(number(event)).isEqualTo(last + 1);
                last = number(event);
                lastId = event.id();
            }
        }
        long newest = newest(front);
        assertThat(newest).isGreaterThan(last);
        try (SseReader again = new SseReader(front.server, lastId)) {
            assertThat(event(again).kind()).isEqualTo("open");
            while (last < newest) {
                Event event = event(again);
                assertThat(event.kind()).isNotEqualTo("reset");
                assertThat(number(event)).isEqualTo(last + 1);
                last++;
            }
        }
    }

    /** Where one that follows only from now on would begin. */
    private static long newest(Front front) throws Exception {
        try (SseReader reader = new SseReader(front.server, null)) {
            return number(event(reader));
        }
    }
}

package dev.heddle.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.heddle.event.NodeEvent;
import dev.heddle.server.EventFilter.Property;
import dev.heddle.server.EventLog.Next;
import dev.heddle.server.EventLog.Resumption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventLogTest {

    private static final Pattern ID = Pattern.compile("(?m)^id: (.*)$");

    private final EventLog log = new EventLog(10, "own", 0, UnaryOperator.identity());
    private long own;

    private static NodeEvent event(String kind, long count) {
        return new NodeEvent(kind, Instant.EPOCH, "node", null, null, null, null, null, null, (int) count, null, null,
                null, null, null, null);
    }

    private void append(int events) {
        for (int i = 0; i < events; i++) {
            own++;
            log.append("own", own, event("submitted", own));
        }
    }

    private void other(int from, int to) {
        for (int number = from; number <= to; number++) {
            log.append("other", number, event("ended", number));
        }
    }

    private static EventCursor cursor() {
        return new EventCursor(EventFilter.ALL, true);
    }

    private Next next(EventCursor cursor) throws InterruptedException {
        return log.after(cursor, Duration.ZERO);
    }

    private List<String> ids(EventCursor cursor) throws InterruptedException {
        return next(cursor) instanceof Next.Events(var frames) ? ID.matcher(frames.toString(StandardCharsets.UTF_8))
                .results().map(found -> found.group(1)).toList() : List.of();
    }

    private Optional<Resumption> resume(String id, EventCursor cursor) {
        return log.resume(EventPositions.parse(id).orElseThrow(), cursor);
    }

    @Test
    void returnsTheEventsAfterAPosition() throws Exception {
        EventCursor reader = cursor();
        append(1);
        log.moveToEnd(reader);
        append(2);

        assertThat(next(reader)).isInstanceOfSatisfying(Next.Events.class,
                events -> assertThat(events.frames().toString(StandardCharsets.UTF_8)).isEqualTo("""
                        id: own-2
                        event: submitted
                        data: {"kind":"submitted","at":"1970-01-01T00:00:00Z","node":"node","count":2}

                        id: own-3
                        event: submitted
                        data: {"kind":"submitted","at":"1970-01-01T00:00:00Z","node":"node","count":3}

                        """));
        assertThat(next(reader)).isEqualTo(new Next.Quiet());
    }

    @Test
    void theIdOfAnEventIsThePositionsOfAllSources() throws Exception {
        EventCursor reader = cursor();
        append(1);
        other(41, 42);
        append(1);
        assertThat(ids(reader)).containsExactly("own-1", "own-1~other-41", "own-1~other-42", "other-42~own-2");
    }

    @Test
    void aReaderThatComesFromAnotherNodeGetsEachEventOnce() throws Exception {
        append(2);
        other(1, 3);
        append(2);
        EventCursor reader = new EventCursor(EventFilter.ALL, false);
        // The other node sent its own events 1 to 5 at once, and had received only one of ours.
        assertThat(resume("own-1~other-5", reader)).get().extracting(Resumption::missing).isEqualTo(Map.of());
        assertThat(ids(reader)).containsExactly("other-5~own-2", "other-5~own-3", "other-5~own-4");
        other(4, 6);
        append(1);
        assertThat(ids(reader)).containsExactly("other-6~own-4", "other-6~own-5");
        append(1);
        assertThat(ids(reader)).containsExactly("other-6~own-6");
    }

    @Test
    void namesTheEventsThatItDoesNotHave() {
        log.stands("other", 7);
        other(8, 9);
        assertThat(resume("own-0~other-7", cursor())).get().extracting(Resumption::missing).isEqualTo(Map.of());
        assertThat(resume("own-0~other-6", cursor())).get().extracting(Resumption::missing)
                .isEqualTo(Map.of("other", 6L));
        assertThat(resume("own-0", cursor())).get().extracting(Resumption::missing).isEqualTo(Map.of("other", 0L));
        append(20);
        assertThat(resume("own-20~other-8", cursor())).get().extracting(Resumption::missing)
                .isEqualTo(Map.of("other", 8L));
    }

    @Test
    void cannotResumeIfEventsOfThisNodeOrOfAnUnknownOneAreLost() {
        append(25);
        assertThat(resume("own-15", cursor())).isPresent();
        assertThat(resume("own-14", cursor())).isEmpty();
        assertThat(resume("own-46", cursor())).isEmpty();
        assertThat(resume("own-15~gone-1", cursor())).isEmpty();
    }

    @Test
    void reportsEventsThatWereOverwritten() throws Exception {
        EventCursor reader = cursor();
        append(11);
        assertThat(next(reader)).isEqualTo(new Next.Lost());
    }

    @Test
    void reportsAGapToReadersWhomItConcerns() throws Exception {
        EventCursor began = cursor();
        EventCursor resumed = new EventCursor(EventFilter.ALL, false);
        other(1, 2);
        log.moveToEnd(began);
        log.moveToEnd(resumed);
        log.gap("other", 5, true);
        other(6, 6);
        assertThat(ids(began)).containsExactly("own-0~other-6");
        assertThat(next(resumed)).isEqualTo(new Next.Lost());
        log.gap("other", 9, false);
        assertThat(next(began)).isEqualTo(new Next.Lost());
    }

    @Test
    void passesOnlyWhatTheReaderWants() throws Exception {
        EventCursor reader = new EventCursor(new EventFilter(Map.of(Property.KIND, List.of("ended", "started"))), true);
        append(2);
        other(1, 1);
        append(2);
        assertThat(ids(reader)).containsExactly("own-2~other-1");
        assertThat(next(reader)).isEqualTo(new Next.Quiet());
        assertThat(log.id(reader)).isEqualTo("other-1~own-4");
    }

    @Test
    void returnsALongBacklogInParts() throws Exception {
        EventLog large = new EventLog(10_000, "own", 0, UnaryOperator.identity());
        for (int i = 1; i <= 2_000; i++) {
            large.append("own", i,
                    new NodeEvent("ended", Instant.EPOCH, "node", "x".repeat(300), null, null, null, null,
                            null, null, null, null, null, null, null, null));
        }
        EventCursor reader = cursor();
        int parts = 0;
        while (large.after(reader, Duration.ZERO) instanceof Next.Events(var frames)) {
            assertThat(frames.size()).isLessThan(66_000);
            parts++;
        }
        assertThat(reader.index()).isEqualTo(2_000);
        assertThat(parts).isBetween(5, 50);
    }

    @Test
    void acceptsOnlyTextsOfPositions() {
        assertThat(EventPositions.parse("a-1~b-35")).contains(Map.of("a", 1L, "b", 35L));
        assertThat(EventPositions.parse(EventPositions.text(Map.of("a", 1L, "b", 99L)))).contains(
                Map.of("a", 1L, "b", 99L));
        for (String invalid : new String[]{"", "a", "a-", "-1", "a--1", "a-1~", "~a-1", "a-1~~b-2", "a-1\nb", "A-1",
            "a-1 ", "a-99999999999999999999"}) {
            assertThat(EventPositions.parse(invalid)).as(invalid).isEmpty();
        }
        assertThat(EventPositions.parse(null)).isEmpty();
    }

    @Test
    void releasesWaitingReadersWhenItCloses() throws Exception {
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                assertThat(log.after(cursor(), Duration.ofSeconds(30))).isEqualTo(new Next.Closed());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        log.close();

        assertThat(waiting.join(Duration.ofSeconds(30))).isTrue();
        assertThat(next(cursor())).isEqualTo(new Next.Closed());
    }
}

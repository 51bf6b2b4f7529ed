package dev.heddle.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

import dev.heddle.control.model.EventView;
import dev.heddle.server.EventLog.Next;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventLogTest {

    private final EventLog log = new EventLog(10, "run");

    private void append(int events) {
        for (int i = 0; i < events; i++) {
            log.append(new EventView("submitted", Instant.EPOCH, "node", null, null, null, null, null, null, i, null,
                    null, null, null, null, null));
        }
    }

    private Next after(long place) throws InterruptedException {
        return log.after(place, Duration.ZERO);
    }

    @Test
    void returnsTheEventsAfterAPosition() throws Exception {
        append(3);

        assertThat(after(1)).isInstanceOfSatisfying(Next.Events.class, events -> {
            assertThat(events.last()).isEqualTo(3);
            assertThat(events.frames().toString(StandardCharsets.UTF_8)).isEqualTo("""
                    id: run-2
                    event: submitted
                    data: {"kind":"submitted","at":"1970-01-01T00:00:00Z","node":"node","count":1}

                    id: run-3
                    event: submitted
                    data: {"kind":"submitted","at":"1970-01-01T00:00:00Z","node":"node","count":2}

                    """);
        });
        assertThat(after(3)).isEqualTo(new Next.Quiet());
    }

    @Test
    void reportsEventsThatWereOverwritten() throws Exception {
        append(25);

        assertThat(after(15)).isInstanceOfSatisfying(Next.Events.class,
                events -> assertThat(events.last()).isEqualTo(25));
        assertThat(after(14)).isEqualTo(new Next.Lost(25));
    }

    @Test
    void returnsALongBacklogInParts() throws Exception {
        EventLog large = new EventLog(10_000, "run");
        for (int i = 0; i < 2_000; i++) {
            large.append(new EventView("ended", Instant.EPOCH, "node", "x".repeat(300), null, null, null, null, null,
                    null, null, null, null, null, null, null));
        }
        long place = 0;
        int parts = 0;
        while (large.after(place, Duration.ZERO) instanceof Next.Events(var frames, long last)) {
            assertThat(frames.size()).isLessThan(66_000);
            place = last;
            parts++;
        }
        assertThat(place).isEqualTo(2_000);
        assertThat(parts).isBetween(5, 50);
    }

    @Test
    void acceptsOnlyItsOwnIds() {
        append(3);

        assertThat(log.position("run-2")).isEqualTo(2);
        assertThat(log.position("run-0")).isZero();
        for (String invalid : new String[]{"run-4", "run--1", "run-", "run", "2", "other-2", "nur-2", "",
            "run-99999999999999999999"}) {
            assertThat(log.position(invalid)).as(invalid).isEqualTo(-1);
        }
        assertThat(log.position(null)).isEqualTo(-1);
    }

    @Test
    void releasesWaitingReadersWhenItCloses() throws Exception {
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                assertThat(log.after(0, Duration.ofSeconds(30))).isEqualTo(new Next.Closed());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        log.close();

        assertThat(waiting.join(Duration.ofSeconds(30))).isTrue();
        assertThat(after(0)).isEqualTo(new Next.Closed());
    }
}

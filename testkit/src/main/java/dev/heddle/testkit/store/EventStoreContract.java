package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.heddle.event.EventBatch;
import dev.heddle.event.EventStore;
import dev.heddle.event.NodeEvent;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Events that nodes publish while anyone subscribes. */
abstract class EventStoreContract extends StoreFixture {

    EventStoreContract(StoreContract contract) {
        super(contract);
    }

    private EventStore events() {
        return capability(EventStore.class);
    }

    private static NodeEvent event(int number) {
        return new NodeEvent("ended", Instant.parse("2026-01-02T03:04:05.678Z"), NODE, "01", "mail", "default",
                JobState.FAILED, number, WORKER, null, Attempt.End.TIMED_OUT, 12L, new Progress(1, 2, "it's \"half\""),
                "Ω\nboom", null, null);
    }

    private static EventBatch batch(String source, int after, int count) {
        return new EventBatch(source, after,
                IntStream.rangeClosed(after + 1, after + count).mapToObj(EventStoreContract::event).toList());
    }

    @Test
    void nobodySubscribesAtFirst() {
        assertThat(events().subscribed()).isZero();
        assertThat(events().positions()).isEmpty();
    }

    @Test
    void aSubscriptionEndsUnlessItIsProlonged() {
        events().subscribe("a", Duration.ofSeconds(30));
        events().subscribe("b", Duration.ofSeconds(10));
        assertThat(events().subscribed()).isEqualTo(Duration.ofSeconds(30));
        clock.advance(Duration.ofSeconds(20));
        assertThat(events().subscribed()).isEqualTo(Duration.ofSeconds(10));
        events().subscribe("a", Duration.ofSeconds(30));
        clock.advance(Duration.ofSeconds(29));
        assertThat(events().subscribed()).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(events().subscribed()).isZero();
    }

    @Test
    void returnsBatchesAfterThePositionOfEachSource() {
        EventBatch first = batch("a", 0, 2);
        EventBatch second = batch("a", 2, 3);
        EventBatch other = batch("b", 7, 1);
        events().publish(first, 100);
        events().publish(other, 100);
        events().publish(second, 100);

        assertThat(events().positions()).isEqualTo(Map.of("a", 5L, "b", 8L));
        assertThat(events().eventsAfter(Map.of("a", 0L, "b", 0L), 10)).containsExactly(first, second, other);
        assertThat(events().eventsAfter(Map.of("a", 2L, "b", 8L), 10)).containsExactly(second);
        assertThat(events().eventsAfter(Map.of("a", 1L), 10)).containsExactly(first, second);
        assertThat(events().eventsAfter(Map.of("a", 0L, "b", 0L), 1)).containsExactly(first, other);
        assertThat(events().eventsAfter(Map.of("unknown", 0L), 10)).isEmpty();
        assertThat(events().eventsAfter(Map.of(), 10)).isEmpty();
    }

    @Test
    void anEmptyBatchOnlyTellsWhereASourceStands() {
        events().publish(new EventBatch("a", 50, List.of()), 100);
        assertThat(events().positions()).isEqualTo(Map.of("a", 50L));
        assertThat(events().eventsAfter(Map.of("a", 0L), 10)).isEmpty();
    }

    @Test
    void storesARepeatedBatchOnce() {
        events().publish(batch("a", 0, 2), 100);
        events().publish(batch("a", 0, 2), 100);
        assertThat(events().eventsAfter(Map.of("a", 0L), 10)).containsExactly(batch("a", 0, 2));
    }

    @Test
    void keepsTheNewestEventsOfEachSource() {
        events().publish(batch("b", 0, 1), 5);
        for (int after = 0; after < 20; after += 2) {
            events().publish(batch("a", after, 2), 5);
        }
        assertThat(events().eventsAfter(Map.of("a", 0L, "b", 0L), 100)).containsExactly(batch("a", 14, 2),
                batch("a", 16, 2), batch("a", 18, 2), batch("b", 0, 1));
    }

    @Test
    void forgetsASourceThatHasNotPublishedForLong() {
        events().publish(batch("gone", 0, 1), 100);
        clock.advance(EventStore.RETENTION.minusSeconds(1));
        events().publish(new EventBatch("idle", 3, List.of()), 100);
        events().subscribe("a", Duration.ofSeconds(30));
        assertThat(events().positions()).containsOnlyKeys("gone", "idle");
        clock.advance(Duration.ofSeconds(2));
        events().subscribe("a", Duration.ofSeconds(30));
        assertThat(events().positions()).containsOnlyKeys("idle");
        assertThat(events().eventsAfter(Map.of("gone", 0L), 10)).isEmpty();
    }
}

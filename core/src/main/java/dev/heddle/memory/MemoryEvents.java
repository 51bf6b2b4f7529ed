package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.event.EventBatch;
import dev.heddle.event.EventStore;

/** The events that nodes publish, and who subscribes to them. */
final class MemoryEvents {

    private static final class Source {
        final List<EventBatch> batches = new ArrayList<>();
        long position;
        Instant at = Instant.EPOCH;
    }

    private final Map<String, Source> sources = new TreeMap<>();
    private final Map<String, Instant> subscribers = new HashMap<>();

    /** Subscribes; returns whether nobody did before. */
    boolean subscribe(String subscriber, Duration length, Instant now) {
        boolean first = subscribed(now).isZero();
        subscribers.values().removeIf(until -> !until.isAfter(now));
        subscribers.put(subscriber, now.plus(length));
        sources.values().removeIf(source -> source.at.isBefore(now.minus(EventStore.RETENTION)));
        return first;
    }

    Duration subscribed(Instant now) {
        return subscribers.values().stream().filter(now::isBefore).max(Comparator.naturalOrder())
                .map(until -> Duration.between(now, until)).orElse(Duration.ZERO);
    }

    void publish(EventBatch batch, int kept, Instant now) {
        Source source = sources.computeIfAbsent(batch.source(), _ -> new Source());
        source.position = batch.last();
        source.at = now;
        if (!batch.events().isEmpty() && source.batches.stream().noneMatch(old -> old.last() == batch.last())) {
            source.batches.add(batch);
        }
        source.batches.removeIf(old -> old.last() <= batch.last() - kept);
    }

    Map<String, Long> positions() {
        Map<String, Long> positions = new HashMap<>();
        sources.forEach((id, source) -> positions.put(id, source.position));
        return positions;
    }

    List<EventBatch> after(Map<String, Long> positions, int most) {
        return sources.entrySet().stream().filter(source -> positions.containsKey(source.getKey()))
                .flatMap(source -> source.getValue().batches.stream()
                        .filter(batch -> batch.last() > positions.getOrDefault(source.getKey(), 0L)).limit(most))
                .toList();
    }
}

package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.heddle.stats.ErrorCount;
import dev.heddle.stats.ErrorGroup;
import dev.heddle.stats.ErrorStore;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsWindow;
import org.jspecify.annotations.Nullable;

/** What nodes have measured, and the groups of failures. */
final class MemoryStatistics {

    private static final String MERGED = "";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Comparator<ErrorGroup> BY_LAST_SEEN = Comparator.comparing(ErrorGroup::lastSeen).reversed()
            .thenComparing(group -> group.fingerprint().id());

    private record Slice(Instant start, Duration length, String type, String queue, String source) {

        static Slice of(StatsSlice slice, String source) {
            return new Slice(slice.start(), slice.length(), slice.type(), slice.queue(), source);
        }
    }

    private final Map<Slice, StatsSlice> slices = new HashMap<>();
    private final Map<String, ErrorGroup> groups = new HashMap<>();

    void save(String source, List<StatsSlice> measured) {
        measured.forEach(slice -> slices.put(Slice.of(slice, source), slice));
    }

    List<StatsSlice> since(Instant since, @Nullable String type, @Nullable String queue) {
        return slices.values().stream().filter(slice -> !slice.start().isBefore(since))
                .filter(slice -> type == null || type.equals(slice.type()))
                .filter(slice -> queue == null || queue.equals(slice.queue()))
                .sorted(Comparator.comparing(StatsSlice::start)).toList();
    }

    void merge(Instant now) {
        for (StatsWindow window : StatsWindow.values()) {
            Instant before = window.mergedBefore(now);
            List<Map.Entry<Slice, StatsSlice>> old = slices.entrySet().stream().filter(
                    entry -> entry.getKey().length.equals(window.slice()) && entry.getKey().start.isBefore(before))
                    .toList();
            window.coarser().ifPresent(coarser -> coarser.merge(old.stream().map(Map.Entry::getValue).toList())
                    .forEach(slice -> slices.merge(Slice.of(slice, MERGED), slice, StatsSlice::plus)));
            slices.keySet().removeAll(old.stream().map(Map.Entry::getKey).toList());
        }
    }

    void add(List<ErrorCount> errors) {
        for (ErrorCount error : errors) {
            groups.merge(error.fingerprint().id(), group(error), MemoryStatistics::plus);
        }
        if (groups.size() > ErrorStore.MOST_GROUPS) {
            groups.values().stream().sorted(BY_LAST_SEEN).skip(ErrorStore.MOST_GROUPS).toList()
                    .forEach(group -> groups.remove(group.fingerprint().id()));
        }
    }

    private static ErrorGroup group(ErrorCount error) {
        return new ErrorGroup(error.fingerprint(), error.failures(), MemoryRow.millis(error.first()),
                MemoryRow.millis(error.last()), error.lastJob(), error.sample(), null, null,
                List.of(new ErrorGroup.Hour(StatsWindow.startOf(error.last(), HOUR), error.failures())));
    }

    private static ErrorGroup plus(ErrorGroup old, ErrorGroup more) {
        Instant oldest = StatsWindow.startOf(more.lastSeen().minus(StatsWindow.WEEK.length()), HOUR);
        Map<Instant, Long> hours = new TreeMap<>();
        List.of(old, more).forEach(group -> group.hours().forEach(hour -> {
            if (!hour.start().isBefore(oldest)) {
                hours.merge(hour.start(), hour.failures(), Long::sum);
            }
        }));
        List<ErrorGroup.Hour> both = new ArrayList<>();
        hours.forEach((start, failures) -> both.add(new ErrorGroup.Hour(start, failures)));
        return new ErrorGroup(old.fingerprint(), old.failures() + more.failures(), old.firstSeen(), more.lastSeen(),
                more.lastJob(), more.sample(), old.note(), old.assignee(), both);
    }

    List<ErrorGroup> errors(@Nullable String type, int limit) {
        return groups.values().stream().filter(group -> type == null || type.equals(group.fingerprint().type()))
                .sorted(BY_LAST_SEEN).limit(limit).toList();
    }

    List<ErrorGroup> find(String prefix) {
        return groups.values().stream().filter(group -> group.fingerprint().id().startsWith(prefix))
                .sorted(Comparator.comparing(group -> group.fingerprint().id())).limit(2).toList();
    }

    Optional<ErrorGroup> describe(String fingerprint, @Nullable String note, @Nullable String assignee) {
        return Optional.ofNullable(groups.computeIfPresent(fingerprint,
                (_, group) -> new ErrorGroup(group.fingerprint(), group.failures(), group.firstSeen(), group.lastSeen(),
                        group.lastJob(), group.sample(), note, assignee, group.hours())));
    }
}

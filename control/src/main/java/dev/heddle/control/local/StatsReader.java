package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.Percentiles;
import dev.heddle.control.model.StatsLine;
import dev.heddle.control.model.StatsPoint;
import dev.heddle.control.model.StatsSeries;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.stats.CountStore;
import dev.heddle.stats.LogHistogram;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsStore;
import dev.heddle.stats.StatsWindow;
import dev.heddle.store.JobReader;
import org.jspecify.annotations.Nullable;

/** Reads statistics. */
final class StatsReader {

    private final JobReader jobs;
    private final Instant now;

    StatsReader(Backend backend) {
        this.jobs = backend.jobs();
        this.now = backend.now();
    }

    private record Place(String type, String queue) {}

    /** Returns a line for each type and queue that has jobs or had some in the last hour. */
    List<StatsLine> lines() {
        Map<Place, Map<JobState, Long>> counts = new HashMap<>();
        Map<Place, Instant> heads = new HashMap<>();
        jobs.capability(CountStore.class).ifPresent(store -> {
            store.keptCounts().forEach(line -> counts
                    .computeIfAbsent(new Place(line.type(), line.queue()), _ -> new EnumMap<>(JobState.class))
                    .put(line.state(), line.count()));
            store.heads().forEach(head -> heads.put(new Place(head.type(), head.queue()), head.submittedAt()));
        });
        Map<Place, List<StatsSlice>> slices = slices(StatsWindow.HOUR, null, null).stream()
                .collect(Collectors.groupingBy(slice -> new Place(slice.type(), slice.queue())));
        Map<Place, StatsLine> lines = new TreeMap<>(Comparator.comparing(Place::type).thenComparing(Place::queue));
        counts.keySet().forEach(place -> lines.put(place, line(place, counts, heads, slices)));
        slices.keySet().forEach(place -> lines.put(place, line(place, counts, heads, slices)));
        return List.copyOf(lines.values());
    }

    private StatsLine line(Place place, Map<Place, Map<JobState, Long>> counts, Map<Place, Instant> heads,
            Map<Place, List<StatsSlice>> slices) {
        List<StatsSlice> mine = slices.getOrDefault(place, List.of());
        Instant since = StatsWindow.startOf(now, StatsWindow.SHORTEST).minus(StatsWindow.SHORTEST);
        StatsPoint hour = point(StatsWindow.HOUR.start(now), mine);
        StatsPoint recent = point(since, mine.stream().filter(slice -> !slice.start().isBefore(since)).toList());
        double minutes = Duration.between(since, now).toMillis() / 60_000.0;
        return new StatsLine(place.type, place.queue, counts.getOrDefault(place, Map.of()), heads.get(place),
                hour.completed(), hour.failed(), hour.dead(), recent.completed() / minutes, recent.failed() / minutes,
                hour.waitTime(), hour.runTime());
    }

    StatsSeries series(@Nullable String type, @Nullable String queue, @Nullable String window) {
        StatsWindow wanted = window == null ? StatsWindow.HOUR : StatsWindow.of(window)
                .orElseThrow(() -> ControlException.invalid("unknown window '" + Limits.quoted(window) + "'; use "
                        + Arrays.stream(StatsWindow.values()).map(StatsWindow::toString)
                                .collect(Collectors.joining(", "))));
        List<StatsSlice> slices = wanted.merge(slices(wanted, type, queue));
        List<StatsPoint> points = new ArrayList<>();
        for (Instant start = wanted.start(now); !start.isAfter(now); start = start.plus(wanted.slice())) {
            points.add(point(start, slices.stream().filter(startsAt(start)).toList()));
        }
        return new StatsSeries(type, queue, wanted.toString(), wanted.slice(), point(wanted.start(now), slices),
                points);
    }

    private static Predicate<StatsSlice> startsAt(Instant start) {
        return slice -> slice.start().equals(start);
    }

    private List<StatsSlice> slices(StatsWindow window, @Nullable String type, @Nullable String queue) {
        return jobs.capability(StatsStore.class).map(store -> store.slices(window.start(now), type, queue))
                .orElse(List.of());
    }

    private static StatsPoint point(Instant start, List<StatsSlice> slices) {
        LogHistogram waits = new LogHistogram();
        LogHistogram runs = new LogHistogram();
        slices.forEach(slice -> {
            waits.add(slice.waits());
            runs.add(slice.runs());
        });
        return new StatsPoint(start, slices.stream().mapToLong(StatsSlice::completed).sum(),
                slices.stream().mapToLong(StatsSlice::failed).sum(), slices.stream().mapToLong(StatsSlice::dead).sum(),
                Percentiles.of(waits), Percentiles.of(runs));
    }
}

package dev.heddle.stats;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A time for which statistics are kept, and the slices in which they are shown. */
public enum StatsWindow {
    /** An hour, by minutes. */
    HOUR("1h", Duration.ofHours(1), Duration.ofMinutes(1)),
    /** A day, by quarters of an hour. */
    DAY("24h", Duration.ofHours(24), Duration.ofMinutes(15)),
    /** A week, by two hours. */
    WEEK("7d", Duration.ofDays(7), Duration.ofHours(2));

    /** The slices in which nodes measure. */
    public static final Duration SHORTEST = HOUR.slice;

    private final String text;
    private final Duration length;
    private final Duration slice;

    StatsWindow(String text, Duration length, Duration slice) {
        this.text = text;
        this.length = length;
        this.slice = slice;
    }

    /** Returns the window that people call so, such as 24h. */
    public static Optional<StatsWindow> of(String text) {
        return Arrays.stream(values()).filter(window -> window.text.equals(text)).findFirst();
    }

    /** Returns how long it is. */
    public Duration length() {
        return length;
    }

    /** Returns the length of its slices. */
    public Duration slice() {
        return slice;
    }

    /** Returns when its first slice begins, if it ends now. */
    public Instant start(Instant now) {
        return startOf(now, slice).minus(length).plus(slice);
    }

    /** Returns when the slice began that has this time. */
    public static Instant startOf(Instant time, Duration slice) {
        return time.truncatedTo(ChronoUnit.MILLIS)
                .minusMillis(Math.floorMod(time.toEpochMilli(), slice.toMillis()));
    }

    /** A type and a queue. */
    private record Place(Instant start, String type, String queue) {}

    /** Adds slices of one type and queue that begin within the same slice of this window; the oldest first. */
    public List<StatsSlice> merge(List<StatsSlice> slices) {
        Map<Place, StatsSlice> merged = new TreeMap<>(
                Comparator.comparing(Place::start).thenComparing(Place::type).thenComparing(Place::queue));
        for (StatsSlice one : slices) {
            StatsSlice longer = one.length().compareTo(slice) < 0 ? one.within(slice) : one;
            merged.merge(new Place(longer.start(), longer.type(), longer.queue()), longer, StatsSlice::plus);
        }
        return new ArrayList<>(merged.values());
    }

    /**
     * Returns before when slices of this length are too old to be shown by themselves, so that they can be merged; for
     * the last window, before when they can be deleted.
     */
    public Instant mergedBefore(Instant now) {
        return startOf(now.minus(length), coarser().orElse(this).slice);
    }

    /** Returns the window with longer slices; empty for the last. */
    public Optional<StatsWindow> coarser() {
        return switch (this) {
            case HOUR -> Optional.of(DAY);
            case DAY -> Optional.of(WEEK);
            case WEEK -> Optional.empty();
        };
    }

    @Override
    public String toString() {
        return text;
    }
}

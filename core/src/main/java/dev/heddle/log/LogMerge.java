package dev.heddle.log;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.heddle.log.LogCursor.Seen;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Puts stored lines and events in the order of time, and notes what the reader has seen then. Does no I/O. */
final class LogMerge {

    /** Lines that are stored later than this after the end of their attempt may be overlooked by a reader that follows. */
    private static final Duration SETTLED = Duration.ofMinutes(1);
    /** The most attempts in a cursor. */
    private static final int MOST_ATTEMPTS = 50;

    private final LogQuery query;
    private final LogCursor cursor;
    private final LogScan scan;
    private final JobDetails story;
    private final JobEvents events;
    private final List<LogLine> lines = new ArrayList<>();
    private final Map<Integer, Seen> seen;
    private boolean submitted;
    private @Nullable Instant history;
    private int sameTime;
    private boolean more;
    private final boolean holdsBack;

    private enum Kind {
        SUBMITTED, STARTED, LINE, ENDED, HISTORY
    }

    /**
     * A line in its place.
     *
     * @param time its time, but not before that of the line of its attempt before it
     */
    private record Item(LogLine line, Instant time, Kind kind) {

        static final Comparator<Item> ORDER = Comparator.comparing(Item::time)
                .thenComparingInt(item -> item.kind == Kind.HISTORY ? 1 : 0)
                .thenComparingInt(item -> item.line.attempt()).thenComparing(Item::kind);
    }

    LogMerge(LogQuery query, LogCursor cursor, LogScan scan, JobDetails story, Instant now) {
        this.query = query;
        this.cursor = cursor;
        this.scan = scan;
        this.story = story;
        this.events = new JobEvents(story);
        this.seen = new HashMap<>(cursor.attempts());
        this.submitted = cursor.submitted();
        this.history = cursor.history();
        this.sameTime = cursor.sameTime();
        this.more = !scan.complete();
        List<Item> items = storedItems();
        @Nullable Instant horizon = scan.complete() || items.isEmpty() ? null : items.getLast().time;
        @Nullable Instant unsettled = unsettledEnd(now);
        this.holdsBack = unsettled != null;
        unseenEvents().stream().filter(item -> horizon == null || !item.time.isAfter(horizon))
                .filter(item -> unsettled == null || item.time.isBefore(unsettled)).forEach(items::add);
        items.sort(Item.ORDER);
        for (Item item : items) {
            if (lines.size() >= query.limit()) {
                more = true;
                break;
            }
            add(item);
        }
    }

    /**
     * Returns the end of the first attempt whose last lines may still come; null if there is none. What happened from
     * then on is told after those lines.
     */
    private @Nullable Instant unsettledEnd(Instant now) {
        return events.endsOfLiveNodes().entrySet().stream()
                .filter(end -> end.getKey() >= cursor.floor() && !cursor.of(end.getKey()).ended()
                        && !scan.ended().contains(end.getKey()) && !LogReader.isStored(end.getValue(), now))
                .map(Map.Entry::getValue).min(Comparator.naturalOrder()).orElse(null);
    }

    private List<Item> storedItems() {
        List<Item> items = new ArrayList<>();
        Map<Integer, Instant> latest = new HashMap<>();
        for (LogLine line : scan.lines()) {
            Instant time = latest.merge(line.attempt(), line.at(), (before, at) -> at.isAfter(before) ? at : before);
            items.add(new Item(line, time, Kind.LINE));
        }
        return items;
    }

    private List<Item> unseenEvents() {
        List<Item> unseen = new ArrayList<>();
        if (!submitted) {
            unseen.add(item(events.submitted(), Kind.SUBMITTED));
        }
        events.starts().forEach((attempt, line) -> {
            if (attempt >= cursor.floor() && !cursor.of(attempt).started()) {
                unseen.add(item(line, Kind.STARTED));
            }
        });
        events.ends().forEach((attempt, line) -> {
            if (attempt >= cursor.floor() && !cursor.of(attempt).ended()) {
                unseen.add(item(line, Kind.ENDED));
            }
        });
        events.historyAfter(history, sameTime).forEach(line -> unseen.add(item(line, Kind.HISTORY)));
        return unseen;
    }

    private static Item item(LogLine event, Kind kind) {
        return new Item(event, event.at(), kind);
    }

    private void add(Item item) {
        LogLine line = item.line;
        Seen before = seen.getOrDefault(line.attempt(), Seen.NOTHING);
        switch (item.kind) {
            case SUBMITTED -> submitted = true;
            case STARTED -> seen.put(line.attempt(), new Seen(before.line(), true, before.ended()));
            case ENDED -> seen.put(line.attempt(), new Seen(before.line(), before.started(), true));
            case HISTORY -> {
                sameTime = line.at().equals(history) ? sameTime + 1 : 1;
                history = line.at();
            }
            case LINE -> {
                addGap(line, line.number() - before.line() - 1);
                seen.put(line.attempt(), new Seen(line.number(), before.started(), before.ended()));
            }
        }
        if (query.matches(line)) {
            lines.add(line);
        }
    }

    /** Marks dropped lines, unless the query looks for a text that they may not have had. */
    private void addGap(LogLine next, long dropped) {
        LogLine gap = new LogLine(next.attempt(), next.number() - 1, next.at(), Level.WARN,
                LogStream.LOG,
                "… " + (dropped == 1 ? "1 line" : dropped + " lines") + " dropped here: the log is too large");
        if (dropped > 0 && query.text("").matches(gap) && query.text().isEmpty()) {
            lines.add(gap);
        }
    }

    List<LogLine> lines() {
        return lines;
    }

    boolean hasMore() {
        return more;
    }

    /** Returns whether events wait for the last lines of an attempt. */
    boolean holdsBack() {
        return holdsBack;
    }

    /** Returns the cursor for what follows. */
    LogCursor next(Instant now) {
        int floor = query.attempt() == null ? floor(now) : cursor.floor();
        TreeMap<Integer, Seen> rest = new TreeMap<>(seen);
        rest.remove(0);
        rest.keySet().removeIf(attempt -> attempt < floor);
        while (rest.size() > MOST_ATTEMPTS) {
            rest.pollFirstEntry();
        }
        int lowest = query.attempt() == null && rest.size() == MOST_ATTEMPTS ? Math.max(floor, rest.firstKey()) : floor;
        return new LogCursor(submitted, lowest, rest, history, sameTime);
    }

    /** Returns the first attempt of which something may be unseen. */
    private int floor(Instant now) {
        TreeSet<Integer> known = new TreeSet<>(events.starts().keySet());
        known.addAll(events.ends().keySet());
        known.addAll(seen.keySet());
        known.add(story.job().counts().attempt());
        int floor = cursor.floor();
        for (int attempt : known.tailSet(floor)) {
            if (attempt > 0 && !isDone(attempt, now)) {
                return attempt;
            }
            floor = attempt;
        }
        return floor;
    }

    private boolean isDone(int attempt, Instant now) {
        @Nullable LogLine end = events.ends().get(attempt);
        Seen of = seen.getOrDefault(attempt, Seen.NOTHING);
        boolean over = end == null ? attempt < story.job().counts().attempt()
                : of.ended() && Duration.between(end.at(), now).abs().compareTo(SETTLED) > 0;
        boolean startSeen = of.started() || !events.starts().containsKey(attempt);
        boolean read = scan.complete()
                || (!scan.lines().isEmpty() && scan.lines().getLast().attempt() > attempt);
        return over && startSeen && read && !more;
    }
}

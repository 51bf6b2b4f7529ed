package dev.heddle.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import dev.heddle.schedule.Missed;
import dev.heddle.schedule.ScheduleStatus.Definition;
import org.jspecify.annotations.Nullable;

/**
 * Which times of a schedule have come.
 *
 * @param missed the last times that came too long ago, no more than are asked for
 * @param missedCount how many times came too long ago, counted up to {@value #MOST_COUNTED}
 * @param onTime the times that came just now
 * @param next the first time that has not come; null if there is none
 */
record DueTimes(List<Instant> missed, long missedCount, List<Instant> onTime, @Nullable Instant next) {

    private static final int MOST_COUNTED = 1_000;
    private static final Duration LATE = Duration.ofSeconds(Missed.LATE_SECONDS);
    private static final int WIDEN = 4;

    /**
     * Finds the times from {@code first}, itself one, that have come by now.
     *
     * @param keep how many missed times are asked for
     */
    static DueTimes find(String name, Definition definition, Instant first, Instant now, int keep) {
        Jitter jitter = new Jitter(name, definition.jitter());
        // What is earlier than this was missed, whatever its jitter. There may be very many such times.
        Instant certain = now.minus(LATE).minus(definition.jitter());
        List<Instant> missed = new ArrayList<>();
        long missedCount = 0;
        @Nullable Instant time = first;
        if (first.isBefore(certain)) {
            missedCount = count(definition, first, certain);
            missed.addAll(lastBefore(definition, first, certain, keep));
            time = definition.nextAfter(certain.minusNanos(1)).orElse(null);
        }
        List<Instant> onTime = new ArrayList<>();
        while (time != null && !jitter.start(time).isAfter(now)) {
            if (jitter.start(time).plus(LATE).isBefore(now)) {
                missed.add(time);
                missedCount++;
            } else {
                onTime.add(time);
            }
            time = definition.nextAfter(time).orElse(null);
        }
        return new DueTimes(missed.subList(Math.max(0, missed.size() - keep), missed.size()), missedCount, onTime,
                time);
    }

    private static long count(Definition definition, Instant first, Instant end) {
        long count = 0;
        for (Instant time = first; count < MOST_COUNTED && time != null && time.isBefore(end);) {
            count++;
            time = definition.nextAfter(time).orElse(null);
        }
        return count;
    }

    /** Returns the last times from {@code first} to before {@code end}: looks back further until there are enough. */
    private static List<Instant> lastBefore(Definition definition, Instant first, Instant end, int keep) {
        for (Duration span = LATE.multipliedBy(Math.max(1, keep));; span = span.multipliedBy(WIDEN)) {
            Instant from = end.minus(span);
            boolean everything = !from.isAfter(first);
            Deque<Instant> last = new ArrayDeque<>();
            @Nullable Instant time = everything ? first : definition.nextAfter(from.minusNanos(1)).orElse(null);
            while (time != null && time.isBefore(end)) {
                last.addLast(time);
                if (last.size() > keep) {
                    last.removeFirst();
                }
                time = definition.nextAfter(time).orElse(null);
            }
            if (everything || last.size() == keep) {
                return List.copyOf(last);
            }
        }
    }
}

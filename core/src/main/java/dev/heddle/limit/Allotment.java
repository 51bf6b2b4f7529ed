package dev.heddle.limit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

import dev.heddle.job.LimitKey;
import org.jspecify.annotations.Nullable;

/**
 * Decides which waiting jobs of limited groups start: those of the highest priority first, and among equal priorities
 * one of each group in turn, as long as all keys of the group have room. Pure: a store reads the groups and the room
 * under the locks of the keys, and writes the result in the same transaction.
 */
public final class Allotment {

    private Allotment() {}

    /**
     * A waiting job.
     *
     * @param priority its priority
     * @param isLast whether nothing may start after it
     * @param job the job
     * @param <J> what a job is
     */
    public record Waiting<J>(int priority, boolean isLast, J job) {}

    /**
     * Jobs that are alike for limits.
     *
     * @param id its number
     * @param keys the keys of its jobs
     * @param jobs the first of its jobs, in the order in which they run
     * @param <J> what a job is
     */
    public record Group<J>(long id, List<LimitKey> keys, List<Waiting<J>> jobs) {}

    /**
     * The room of a key.
     *
     * @param slots how many more jobs may run at once; may be negative
     * @param units how many units of its rate are free
     * @param burst the most units that can be free; a heavier job waits for all of them
     */
    public record Room(long slots, long units, long burst) {

        /** The room of a key whose limit is gone. */
        public static final Room UNLIMITED = new Room(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

        /** Returns the room under a limit. */
        public static Room of(Limit limit, long held, long rateState, long now) {
            Integer most = limit.maxConcurrent();
            Rate rate = limit.rate();
            return new Room(most == null ? Long.MAX_VALUE : most - held,
                    rate == null ? Long.MAX_VALUE : rate.units(rateState, now),
                    rate == null ? Long.MAX_VALUE : rate.burst());
        }

        boolean admits(int weight) {
            return slots > 0 && units >= Math.min(weight, burst);
        }

        Room less(int weight) {
            return new Room(slots == Long.MAX_VALUE ? slots : slots - 1,
                    units == Long.MAX_VALUE ? units : Math.max(0, units - weight), burst);
        }
    }

    /**
     * A job that starts.
     *
     * @param group its group
     * @param priority its priority
     * @param job the job
     * @param <J> what a job is
     */
    public record Pick<J>(Group<J> group, int priority, J job) {}

    /** A group in turn: how many of its jobs start already. */
    private static final class Turn<J> {
        final Group<J> group;
        final int position;
        int started;

        Turn(Group<J> group, int position) {
            this.group = group;
            this.position = position;
        }

        Waiting<J> head() {
            return group.jobs.get(started);
        }

        boolean isEmpty() {
            return started == group.jobs.size();
        }
    }

    /**
     * Returns the jobs that start, in order.
     *
     * @param groups in the order of their turns
     * @param rooms the room of each key, by its number
     * @param limit how many jobs may start at most
     */
    public static <J> List<Pick<J>> picks(List<Group<J>> groups, Map<Long, Room> rooms, int limit) {
        Map<Long, Room> left = new HashMap<>(rooms);
        PriorityQueue<Turn<J>> turns = new PriorityQueue<>(
                Comparator.<Turn<J>>comparingInt(turn -> -turn.head().priority())
                        .thenComparingInt(turn -> turn.started).thenComparingInt(turn -> turn.position));
        for (int i = 0; i < groups.size(); i++) {
            Turn<J> turn = new Turn<>(groups.get(i), i);
            if (!turn.isEmpty()) {
                turns.add(turn);
            }
        }
        List<Pick<J>> picks = new ArrayList<>();
        for (Turn<J> turn = turns.poll(); turn != null && picks.size() < limit; turn = turns.poll()) {
            Group<J> group = turn.group;
            if (lacking(group.keys, left) == null) {
                Waiting<J> head = turn.head();
                picks.add(new Pick<>(group, head.priority(), head.job()));
                if (head.isLast()) {
                    break;
                }
                take(group, left);
                turn.started++;
                if (!turn.isEmpty()) {
                    turns.add(turn);
                }
            }
        }
        return picks;
    }

    private static void take(Group<?> group, Map<Long, Room> left) {
        group.keys.forEach(key -> left.computeIfPresent(LimitIds.key(key), (_, room) -> room.less(key.weight())));
    }

    /**
     * Returns the groups that have no room once jobs of them have started, each with the first key that has none.
     *
     * @param groups the groups
     * @param rooms the room of each key before
     * @param started the groups of the jobs that start, one entry for each job
     */
    public static <J> Map<Group<J>, LimitKey> full(List<Group<J>> groups, Map<Long, Room> rooms,
            List<Group<J>> started) {
        Map<Long, Room> left = new HashMap<>(rooms);
        started.forEach(group -> take(group, left));
        Map<Group<J>, LimitKey> full = new LinkedHashMap<>();
        for (Group<J> group : groups) {
            LimitKey lacking = lacking(group.keys, left);
            if (lacking != null) {
                full.put(group, lacking);
            }
        }
        return full;
    }

    private static @Nullable LimitKey lacking(List<LimitKey> keys, Map<Long, Room> left) {
        for (LimitKey key : keys) {
            if (!left.getOrDefault(LimitIds.key(key), Room.UNLIMITED).admits(key.weight())) {
                return key;
            }
        }
        return null;
    }
}

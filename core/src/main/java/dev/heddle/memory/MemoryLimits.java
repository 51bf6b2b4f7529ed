package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment;
import dev.heddle.limit.Allotment.Group;
import dev.heddle.limit.Allotment.Pick;
import dev.heddle.limit.Allotment.Room;
import dev.heddle.limit.Allotment.Waiting;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitUsage;
import dev.heddle.limit.Rate;
import dev.heddle.waiting.WaitStore;
import dev.heddle.waiting.WaitStore.KeyUse;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a {@link MemoryStore}, and its QUEUED jobs that have any. These wait in groups of jobs that are alike
 * for limits. A claim looks only at open groups; a group without room is closed under the key that has none, until
 * that key is freed.
 */
final class MemoryLimits {

    private static final int PAGE = 64;
    private static final Comparator<MemoryRow> BY_PRIORITY = Comparator
            .<MemoryRow>comparingInt(row -> -row.spec.priority()).thenComparingLong(row -> row.seq);
    private static final Comparator<MemoryRow> BY_SEQ = Comparator.comparingLong(row -> row.seq);
    private static final Comparator<Waiters> BY_TURN = Comparator
            .<Waiters>comparingInt(group -> -group.rows.getFirst().spec.priority())
            .thenComparingLong(group -> group.turn).thenComparingLong(group -> group.id);

    private record Lane(String queue, String type) {}

    /** The QUEUED jobs of one group. */
    private static final class Waiters {
        final long id;
        final Lane lane;
        final List<LimitKey> keys;
        final NavigableSet<MemoryRow> rows = new TreeSet<>(BY_PRIORITY);
        long turn;
        @Nullable Long closedBy;

        Waiters(long id, MemoryRow row) {
            this.id = id;
            this.lane = new Lane(row.spec.queue(), row.spec.type());
            this.keys = row.spec.limits();
        }
    }

    private final Map<String, Limit> rules = new TreeMap<>();
    private final Map<Long, Waiters> groups = new HashMap<>();
    private final Map<Lane, NavigableSet<Waiters>> open = new HashMap<>();
    private final Map<Long, Map<Lane, NavigableSet<Waiters>>> closed = new HashMap<>();
    /** The jobs that have not ended. */
    private final Map<Long, NavigableSet<MemoryRow>> live = new HashMap<>();
    /** The jobs that nodes hold. */
    private final Map<Long, Set<MemoryRow>> held = new HashMap<>();
    private final Map<Long, Long> rateStates = new HashMap<>();
    /** When the rate of a key that closes groups has room again. */
    private final Map<Long, Long> freeAt = new HashMap<>();
    /** Keys that may have room for groups that they close. */
    private final Set<Long> freed = new LinkedHashSet<>();
    /** Keys with a rate that have closed groups in the claim that is going on. */
    private final Set<LimitKey> closedNow = new LinkedHashSet<>();
    private final List<Refund> refunds = new ArrayList<>();
    private long turns;

    /** Part of a rate that a key gets back. */
    private record Refund(LimitKey key, long takenAt) {}

    List<Limit> rules() {
        return List.copyOf(rules.values());
    }

    void set(Limit limit) {
        rules.put(limit.name(), limit);
        freed.addAll(closed.keySet());
    }

    boolean remove(String name) {
        freed.addAll(closed.keySet());
        return rules.remove(name) != null;
    }

    void addQueued(MemoryRow row) {
        long id = LimitIds.group(row.spec);
        Waiters group = groups.computeIfAbsent(id, _ -> new Waiters(id, row));
        if (group.rows.isEmpty()) {
            group.turn = ++turns;
        }
        relink(group, () -> group.rows.add(row));
    }

    void removeQueued(MemoryRow row) {
        Waiters group = Objects.requireNonNull(groups.get(LimitIds.group(row.spec)));
        relink(group, () -> group.rows.remove(row));
        if (group.rows.isEmpty()) {
            groups.remove(group.id);
            // It may have been opened for room that nobody has taken.
            group.keys.forEach(key -> freed.add(LimitIds.key(key)));
        }
    }

    /** Changes a group, which is sorted by what may change. */
    private void relink(Waiters group, Runnable change) {
        if (!group.rows.isEmpty()) {
            Map<Lane, NavigableSet<Waiters>> before = index(group);
            before.computeIfPresent(group.lane, (_, set) -> {
                set.remove(group);
                return set.isEmpty() ? null : set;
            });
            Long key = group.closedBy;
            if (key != null && before.isEmpty()) {
                closed.remove(key);
            }
        }
        change.run();
        if (!group.rows.isEmpty()) {
            index(group).computeIfAbsent(group.lane, _ -> new TreeSet<>(BY_TURN)).add(group);
        }
    }

    private Map<Lane, NavigableSet<Waiters>> index(Waiters group) {
        return group.closedBy == null ? open : closed.computeIfAbsent(group.closedBy, _ -> new HashMap<>());
    }

    void addHeld(MemoryRow row) {
        row.spec.limits().forEach(key -> held.computeIfAbsent(LimitIds.key(key), _ -> new HashSet<>()).add(row));
    }

    void removeHeld(MemoryRow row) {
        for (LimitKey key : row.spec.limits()) {
            long id = LimitIds.key(key);
            held.computeIfPresent(id, (_, rows) -> {
                rows.remove(row);
                return rows.isEmpty() ? null : rows;
            });
            freed.add(id);
        }
    }

    void addLive(MemoryRow row) {
        row.spec.limits().forEach(key -> live.computeIfAbsent(LimitIds.key(key), _ -> new TreeSet<>(BY_SEQ)).add(row));
    }

    void removeLive(MemoryRow row) {
        row.spec.limits().forEach(key -> live.computeIfPresent(LimitIds.key(key), (_, rows) -> {
            rows.remove(row);
            return rows.isEmpty() ? null : rows;
        }));
    }

    private List<MemoryRow> live(LimitKey key) {
        return live.getOrDefault(LimitIds.key(key), Collections.emptyNavigableSet()).stream()
                .filter(row -> !row.state.isFinal()).toList();
    }

    /** Returns the first key of a new job whose limit drops it, because it has no room; null if there is none. */
    @Nullable LimitKey lacking(JobSpec job, Instant now) {
        for (LimitKey key : job.limits()) {
            Limit limit = rules.get(key.limit());
            if (limit != null && limit.whenFull() == Limit.WhenFull.DROP_NEW) {
                List<MemoryRow> live = live(key);
                long waiting = live.stream().filter(row -> row.node == null).count();
                Rate rate = limit.rate();
                if ((limit.maxConcurrent() != null && live.size() >= limit.maxConcurrent()) || (rate != null
                        && room(key, LimitIds.key(key), nanos(now)).units() - waiting < rate.needed(key.weight()))) {
                    return key;
                }
            }
        }
        return null;
    }

    /** Returns the jobs of a key that are more than its limit, the oldest first. */
    List<JobId> excess(LimitKey key) {
        Limit limit = rules.get(key.limit());
        List<MemoryRow> live = live(key);
        return limit == null || limit.maxConcurrent() == null ? List.of()
                : live.stream().limit(Math.max(0, live.size() - limit.maxConcurrent())).map(row -> row.spec.id())
                        .toList();
    }

    /** Lets the next claim give back what a job took of rates, because it was released unstarted. */
    void refund(MemoryRow row) {
        for (LimitKey key : row.spec.limits()) {
            if (rate(key) != null) {
                refunds.add(new Refund(key, row.ratesTakenAt));
                freed.add(LimitIds.key(key));
            }
        }
    }

    private void refundPending(long now) {
        for (Refund refund : refunds) {
            Rate rate = rate(refund.key);
            if (rate != null) {
                rateStates.computeIfPresent(LimitIds.key(refund.key),
                        (_, state) -> rate.refund(state, refund.key.weight(), now - refund.takenAt));
            }
        }
        refunds.clear();
    }

    private @Nullable Rate rate(LimitKey key) {
        Limit limit = rules.get(key.limit());
        return limit == null ? null : limit.rate();
    }

    /**
     * Returns the jobs that may start, in order. The caller starts some of them and then calls {@link #started}.
     *
     * @param lanes whether jobs of a queue and a type are wanted
     * @param wanted whether a job is
     */
    List<Pick<MemoryRow>> pick(Predicate<MemoryRow> lanes, Predicate<MemoryRow> wanted, int limit, Instant time) {
        if (groups.isEmpty()) {
            return List.of();
        }
        long now = nanos(time);
        List<Group<MemoryRow>> seen = new ArrayList<>();
        Set<Long> ids = new HashSet<>();
        Map<Long, Room> rooms = new HashMap<>();
        while (true) {
            reopen(now);
            List<Waiters> page = open.values().stream().filter(set -> lanes.test(set.getFirst().rows.getFirst()))
                    .flatMap(set -> set.stream().filter(group -> !ids.contains(group.id)).limit(PAGE)).sorted(BY_TURN)
                    .limit(PAGE).toList();
            for (Waiters group : page) {
                ids.add(group.id);
                group.keys.forEach(key -> rooms.computeIfAbsent(LimitIds.key(key), id -> room(key, id, now)));
                seen.add(new Group<>(group.id, group.keys, group.rows.stream().filter(wanted).limit(limit)
                        .map(row -> new Waiting<>(row.spec.priority(), row.suspicion.isCapped(), row)).toList()));
            }
            List<Pick<MemoryRow>> picks = Allotment.picks(seen, rooms, limit);
            Allotment.full(seen, rooms, picks.stream().map(Pick::group).toList())
                    .forEach((group, key) -> close(Objects.requireNonNull(groups.get(group.id())), key));
            if (page.isEmpty() || picks.size() == limit) {
                return picks;
            }
        }
    }

    private Room room(LimitKey key, long id, long now) {
        Limit limit = rules.get(key.limit());
        return limit == null ? Room.UNLIMITED
                : Room.of(limit, held.getOrDefault(id, Set.of()).size(), rateStates.getOrDefault(id, 0L), now);
    }

    /** Takes a group out of the claims until its key is freed. The room that it leaves may be for others. */
    private void close(Waiters group, LimitKey by) {
        if (group.closedBy != null) {
            return;
        }
        long id = LimitIds.key(by);
        relink(group, () -> {
            group.closedBy = id;
            group.turn = ++turns;
        });
        if (rate(by) != null) {
            closedNow.add(by);
        }
        group.keys.stream().map(LimitIds::key).filter(key -> key != id && closed.containsKey(key)).forEach(freed::add);
    }

    /** Opens as many groups as the freed keys have room for, and at least one, which is closed again if it has none. */
    private void reopen(long now) {
        refundPending(now);
        freeAt.entrySet().removeIf(entry -> entry.getValue() <= now && freed.add(entry.getKey()));
        for (long id : List.copyOf(freed)) {
            for (NavigableSet<Waiters> waiting : List.copyOf(closed.getOrDefault(id, Map.of()).values())) {
                LimitKey key = waiting.getFirst().keys.stream().filter(each -> LimitIds.key(each) == id).findFirst()
                        .orElseThrow();
                Room room = room(key, id, now);
                long count = Math.max(1, Math.min(room.slots(), room.units()));
                waiting.stream().limit(count).toList().forEach(group -> relink(group, () -> group.closedBy = null));
            }
        }
        freed.clear();
    }

    /** Notes which of the picked jobs were started, and returns the turn to the others. */
    void started(List<Pick<MemoryRow>> picks, Set<MemoryRow> started, Instant time) {
        long now = nanos(time);
        for (Pick<MemoryRow> pick : picks) {
            for (LimitKey key : pick.group().keys()) {
                Rate rate = rate(key);
                if (!started.contains(pick.job())) {
                    freed.add(LimitIds.key(key));
                } else if (rate != null) {
                    pick.job().ratesTakenAt = now;
                    rateStates.merge(LimitIds.key(key), rate.take(now, now, key.weight()),
                            (state, _) -> rate.take(state, now, key.weight()));
                }
            }
            Waiters group = groups.get(pick.group().id());
            if (group != null && started.contains(pick.job())) {
                relink(group, () -> group.turn = ++turns);
            }
        }
        for (LimitKey key : closedNow) {
            long id = LimitIds.key(key);
            Rate rate = rate(key);
            if (rate != null && room(key, id, now).slots() > 0 && closed.containsKey(id)) {
                freeAt.merge(id, rate.freeAt(rateStates.getOrDefault(id, 0L), key.weight()), Math::min);
            }
        }
        closedNow.clear();
    }

    /** Returns how long until a rate has room again; null if nothing waits for one. */
    @Nullable Duration untilFree(Instant now) {
        return freeAt.values().stream().min(Comparator.naturalOrder())
                .map(at -> Duration.ofMillis(Math.ceilDiv(at - nanos(now), 1_000_000L))).orElse(null);
    }

    List<LimitUsage> usage(String limit, int most) {
        Map<String, long[]> counts = new TreeMap<>();
        Stream.concat(held.values().stream().flatMap(Set::stream),
                groups.values().stream().map(group -> group.rows.getFirst())).distinct()
                .forEach(row -> count(counts, limit, row));
        return counts.entrySet().stream()
                .map(entry -> new LimitUsage(limit, entry.getKey(), entry.getValue()[0], entry.getValue()[1]))
                .sorted(Comparator.comparingLong((LimitUsage key) -> -key.running())
                        .thenComparingLong(key -> -key.waiting()).thenComparing(LimitUsage::key))
                .limit(most).toList();
    }

    private void count(Map<String, long[]> counts, String limit, MemoryRow row) {
        row.spec.limits().stream().filter(key -> key.limit().equals(limit)).forEach(key -> {
            long[] count = counts.computeIfAbsent(key.key(), _ -> new long[2]);
            boolean waits = row.node == null;
            count[0] += waits ? 0 : 1;
            count[1] += waits ? Objects.requireNonNull(groups.get(LimitIds.group(row.spec))).rows.size() : 0;
        });
    }

    /** Returns whether jobs wait for a key that may have room now. */
    boolean hasFreed() {
        return !freed.isEmpty() && !closed.isEmpty();
    }

    /** Returns the waiting jobs with limits of the queue and type of a job that are sorted before it. */
    Stream<MemoryRow> ahead(MemoryRow row) {
        Lane lane = new Lane(row.spec.queue(), row.spec.type());
        return groups.values().stream().filter(group -> group.lane.equals(lane))
                .flatMap(group -> group.rows.headSet(row, false).stream());
    }

    /** Returns how much of these keys is in use; those whose limit is gone are left out. */
    List<KeyUse> uses(List<LimitKey> keys) {
        return keys.stream().flatMap(key -> Stream.ofNullable(rules.get(key.limit())).map(limit -> {
            long id = LimitIds.key(key);
            Set<MemoryRow> rows = held.getOrDefault(id, Set.of());
            return new KeyUse(key, limit, rows.size(),
                    rows.stream().sorted(BY_SEQ).limit(WaitStore.MOST_HOLDERS).map(row -> row.spec.id()).toList(),
                    rateStates.getOrDefault(id, 0L));
        })).toList();
    }

    private static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }
}

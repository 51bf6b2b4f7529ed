package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment.Room;
import dev.heddle.limit.JsonPath;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitRules;
import dev.heddle.limit.LimitUsage;
import dev.heddle.limit.Rate;
import org.jspecify.annotations.Nullable;

/** The limits themselves, and how much of their keys is in use. */
public final class LimitRows {

    /** Joins the rows of {@code limit_slot} with the jobs that take the slots. */
    static final String HELD = """
            heddle.live l ON l.seq = s.seq AND l.attempt = s.attempt AND l.node IS NOT NULL""";

    private LimitRows() {}

    /** A limit in its column. */
    private record Stored(Limit.@Nullable Kind kind, @Nullable String value, @Nullable String path,
            @Nullable Integer maxConcurrent, @Nullable Integer count, @Nullable Long perMs, @Nullable Integer burst,
            Limit.WhenFull whenFull) {

        static Stored of(Limit limit) {
            Limit.Scope scope = limit.scope();
            Rate rate = limit.rate();
            JsonPath path = limit.path();
            return new Stored(scope == null ? null : scope.kind(), scope == null ? null : scope.value(),
                    path == null ? null : path.text(), limit.maxConcurrent(), rate == null ? null : rate.count(),
                    rate == null ? null : rate.per().toMillis(), rate == null ? null : rate.burst(), limit.whenFull());
        }

        Limit named(String name) {
            return new Limit(name, kind == null || value == null ? null : new Limit.Scope(kind, value),
                    path == null ? null : JsonPath.of(path), maxConcurrent, count == null || perMs == null
                            || burst == null ? null : new Rate(count, Duration.ofMillis(perMs), burst),
                    whenFull);
        }
    }

    static List<Limit> limits(Tx tx) throws SQLException {
        List<Limit> limits = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT name, definition FROM heddle.limit_rule ORDER BY name")) {
            while (rows.next()) {
                limits.add(Objects.requireNonNull(Json.read(rows.getString(2), Stored.class)).named(rows.getString(1)));
            }
        }
        return limits;
    }

    static LimitRules rules(Tx tx) throws SQLException {
        return new LimitRules(limits(tx));
    }

    static int set(Tx tx, Limit limit) throws SQLException {
        tx.update("""
                INSERT INTO heddle.limit_rule (name, definition) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET definition = excluded.definition""", limit.name(),
                Json.text(Stored.of(limit.complete())));
        return openAll(tx);
    }

    static boolean remove(Tx tx, String name) throws SQLException {
        boolean removed = tx.update("DELETE FROM heddle.limit_rule WHERE name = ?", name) == 1;
        openAll(tx);
        return removed;
    }

    /** Frees all keys, so that the next claims find out which have room under the new limits. */
    private static int openAll(Tx tx) throws SQLException {
        return tx.update("""
                INSERT INTO heddle.limit_event (frees)
                SELECT DISTINCT CAST(closed_by AS TEXT) FROM heddle.limit_group WHERE closed_by IS NOT NULL""");
    }

    /** Returns the room of keys. The caller has locked them, and runs this in a statement of its own. */
    static Map<Long, Room> rooms(Tx tx, Collection<LimitKey> keys, LimitRules rules) throws SQLException {
        Map<Long, LimitKey> limited = new TreeMap<>();
        keys.stream().filter(key -> rules.find(key.limit()) != null)
                .forEach(key -> limited.put(LimitIds.key(key), key));
        SeqList ids = new SeqList(limited.keySet());
        Map<Long, Long> held = held(tx, ids);
        boolean rated = limited.values().stream().anyMatch(key -> rate(rules, key) != null);
        Map<Long, Long> states = rated ? rateStates(tx, ids) : Map.of();
        long now = rated ? nanos(tx.now()) : 0;
        Map<Long, Room> rooms = new HashMap<>();
        limited.forEach((id, key) -> rooms.put(id, Room.of(Objects.requireNonNull(rules.find(key.limit())),
                held.getOrDefault(id, 0L), states.getOrDefault(id, 0L), now)));
        return rooms;
    }

    static @Nullable Rate rate(LimitRules rules, LimitKey key) {
        Limit limit = rules.find(key.limit());
        return limit == null ? null : limit.rate();
    }

    static Map<Long, Long> rateStates(Tx tx, SeqList keys) throws SQLException {
        Map<Long, Long> states = new HashMap<>();
        try (ResultSet rows = tx.query(
                "SELECT limit_key, state FROM heddle.limit_rate WHERE limit_key" + tx.dialect().anyOf(), keys)) {
            while (rows.next()) {
                states.put(rows.getLong(1), rows.getLong(2));
            }
        }
        return states;
    }

    /** Counts the jobs that nodes hold under each key, and deletes slots of jobs that have left their nodes. */
    private static Map<Long, Long> held(Tx tx, SeqList keys) throws SQLException {
        Map<Long, Long> held = new HashMap<>();
        try (ResultSet rows = tx
                .query("SELECT limit_key, count(*) FROM heddle.live WHERE node IS NOT NULL AND limit_key"
                        + tx.dialect().anyOf() + " GROUP BY limit_key", keys)) {
            while (rows.next()) {
                held.put(rows.getLong(1), rows.getLong(2));
            }
        }
        boolean stale = false;
        try (ResultSet rows = tx.query("""
                SELECT s.limit_key, count(CASE WHEN l.limit_key = s.limit_key THEN NULL ELSE l.seq END),
                       count(*) - count(l.seq)
                FROM heddle.limit_slot s LEFT JOIN\s""" + HELD + " WHERE s.limit_key" + tx.dialect().anyOf()
                + " GROUP BY s.limit_key", keys)) {
            while (rows.next()) {
                held.merge(rows.getLong(1), rows.getLong(2), Long::sum);
                stale |= rows.getLong(3) > 0;
            }
        }
        if (stale) {
            tx.update("DELETE FROM heddle.limit_slot AS s WHERE s.limit_key" + tx.dialect().anyOf()
                    + " AND NOT EXISTS (SELECT 1 FROM heddle.live l WHERE l.seq = s.seq AND l.attempt = s.attempt"
                    + " AND l.node IS NOT NULL)"
                    + " AND s.seq NOT IN (SELECT e.refunds FROM heddle.limit_event e WHERE e.refunds IS NOT NULL)",
                    keys);
        }
        return held;
    }

    static List<LimitUsage> usage(Tx tx, String limit, int most) throws SQLException {
        Map<String, long[]> counts = new HashMap<>();
        try (ResultSet rows = tx.query("""
                SELECT j.limits, count(DISTINCT h.seq) FROM heddle.limit_held h JOIN heddle.job j ON j.seq = h.seq
                GROUP BY j.limits""")) {
            add(rows, limit, counts, 0);
        }
        try (ResultSet rows = tx.query("""
                SELECT g.limits, (SELECT count(*) FROM heddle.live l
                                  WHERE l.limit_group = g.id AND l.state = 'QUEUED')
                FROM heddle.limit_group g""")) {
            add(rows, limit, counts, 1);
        }
        try (ResultSet rows = tx.query("""
                SELECT j.limits, count(*) FROM heddle.lane n
                JOIN heddle.live l ON l.lane = n.id AND l.state = 'QUEUED' JOIN heddle.job j ON j.seq = l.seq
                WHERE n.type LIKE ? GROUP BY j.limits""", Lanes.entering("%"))) {
            add(rows, limit, counts, 1);
        }
        return counts.entrySet().stream()
                .map(entry -> new LimitUsage(limit, entry.getKey(), entry.getValue()[0], entry.getValue()[1]))
                .filter(usage -> usage.running() + usage.waiting() > 0)
                .sorted(Comparator.comparingLong((LimitUsage usage) -> -usage.running())
                        .thenComparingLong(usage -> -usage.waiting()).thenComparing(LimitUsage::key))
                .limit(most).toList();
    }

    private static void add(ResultSet rows, String limit, Map<String, long[]> counts, int column) throws SQLException {
        while (rows.next()) {
            for (LimitKey key : Json.readLimits(rows.getString(1))) {
                if (key.limit().equals(limit)) {
                    counts.computeIfAbsent(key.key(), _ -> new long[2])[column] += rows.getLong(2);
                }
            }
        }
    }

    static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }

    /** Returns the key of which the row of a job takes a slot while a node holds it; null if it has no limits. */
    public static @Nullable Long slotKey(JobSpec job) {
        return job.limits().isEmpty() ? null : LimitIds.key(job.limits().getFirst());
    }

    static Set<Long> ids(Collection<LimitKey> keys) {
        return keys.stream().map(LimitIds::key).collect(Collectors.toSet());
    }
}

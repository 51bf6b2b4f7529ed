package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment.Room;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitRules;
import dev.heddle.limit.Rate;
import org.jspecify.annotations.Nullable;

/**
 * Does what writers have noted for the next claim: finds groups that have jobs, gives back what released jobs took of
 * rates, and opens groups whose key has room. Writers only add rows, so they never wait for each other; one claimer at
 * a time reads them, in a transaction of its own that locks the keys.
 *
 * <p>A group is closed by a claim that has the key's lock and has marked every job that takes a slot. So each of their
 * ends adds an event, and the claim that reads it waits for the lock and then sees the closed group.
 */
public final class LimitEvents {

    private static final int BATCH = 1_000;

    private static final String TAKE = """
            DELETE FROM heddle.limit_event WHERE id IN (
                SELECT id FROM heddle.limit_event ORDER BY id LIMIT ?) RETURNING limit_group, frees, refunds""";
    private static final String PENDING = """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM heddle.limit_event)
                OR EXISTS (SELECT 1 FROM heddle.limit_rate WHERE free_at <= ?)""";
    /** The most urgent job of each group tells what the group is. */
    private static final String HEAD = """
            SELECT j.queue, j.type, j.priority, j.limits, j.seq FROM heddle.job j WHERE j.seq = (
                SELECT l.seq FROM heddle.live l WHERE l.limit_group = ? AND l.state = 'QUEUED'
                ORDER BY l.priority DESC, l.seq LIMIT 1)""";

    private LimitEvents() {}

    private record Taken(Set<Long> groups, Set<Long> keys, List<Long> refunds) {}

    private record Head(long group, long place, int priority, String limits, long seq) {}

    private record Opening(long key, long place, long count) {}

    /** Returns whether there is anything to do. */
    public static boolean pending(Tx tx) throws SQLException {
        try (ResultSet rows = tx.query(PENDING, LimitRows.nanos(tx.now()))) {
            return rows.next();
        }
    }

    /** Notes that jobs were released unstarted, so that the next claim gives back what they took of rates. */
    public static void released(Tx tx, Collection<Long> jobs) throws SQLException {
        tx.update("INSERT INTO heddle.limit_event (refunds) SELECT seq FROM heddle.live"
                + " WHERE limit_group IS NOT NULL AND seq" + tx.dialect().anyOf(), new SeqList(jobs));
    }

    /**
     * Frees keys that close groups although no job that takes a slot would free them. This should never find any: it
     * keeps jobs from waiting for ever all the same. Returns how many there were.
     */
    public static int freeOverlooked(Tx tx) throws SQLException {
        return tx.update("""
                INSERT INTO heddle.limit_event (frees)
                SELECT DISTINCT CAST(g.closed_by AS TEXT) FROM heddle.limit_group g
                WHERE g.closed_by IS NOT NULL
                  AND NOT EXISTS (SELECT 1 FROM heddle.limit_rate r
                                  WHERE r.limit_key = g.closed_by AND r.free_at IS NOT NULL)
                  AND NOT EXISTS (SELECT 1 FROM heddle.limit_slot s JOIN\s""" + LimitRows.HELD + """

                                WHERE s.limit_key = g.closed_by AND l.frees IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM heddle.limit_event)""");
    }

    /** Deletes slots of jobs that have left their nodes, and rates that are as good as unused. */
    static void sweep(Tx tx) throws SQLException {
        tx.update("DELETE FROM heddle.limit_slot AS s WHERE NOT EXISTS (SELECT 1 FROM heddle.live l"
                + " WHERE l.seq = s.seq AND l.attempt = s.attempt AND l.node IS NOT NULL)");
        tx.update("DELETE FROM heddle.limit_member AS m WHERE NOT EXISTS"
                + " (SELECT 1 FROM heddle.live l WHERE l.seq = m.seq)");
        tx.update("DELETE FROM heddle.limit_rate WHERE free_at IS NULL AND state < ?", LimitRows.nanos(tx.now()));
    }

    /** Does what can be done now; returns whether there may be more. */
    public static boolean process(Tx tx) throws SQLException {
        if (!tx.dialect().mayProcessEvents(tx)) {
            return false;
        }
        Taken taken = new Taken(new LinkedHashSet<>(), new HashSet<>(), new ArrayList<>());
        int events = take(tx, taken);
        addFreeRates(tx, taken);
        Map<Long, List<LimitKey>> refunds = limitsOf(tx, taken.refunds);
        refunds.values().forEach(keys -> taken.keys.addAll(LimitRows.ids(keys)));
        tx.dialect().lockKeys(tx, new SeqList(taken.keys));
        if (!taken.keys.isEmpty()) {
            LimitRules rules = LimitRows.rules(tx);
            refund(tx, refunds, rules);
            open(tx, taken.keys, rules);
        }
        addGroups(tx, taken.groups);
        return events == BATCH;
    }

    /** Returns how long until the first of this and the time at which a rate has room again. */
    public static @Nullable Duration sooner(Tx tx, @Nullable Duration untilDue) throws SQLException {
        try (ResultSet rows = tx.query("SELECT min(free_at) FROM heddle.limit_rate WHERE free_at IS NOT NULL")) {
            Long at = rows.next() ? Rows.number(rows, 1) : null;
            if (at == null) {
                return untilDue;
            }
            Duration untilFree = Duration.ofMillis(Math.ceilDiv(at - LimitRows.nanos(tx.now()), 1_000_000L));
            return untilDue == null || untilFree.compareTo(untilDue) < 0 ? untilFree : untilDue;
        }
    }

    private static int take(Tx tx, Taken taken) throws SQLException {
        int events = 0;
        try (ResultSet rows = tx.query(TAKE, BATCH)) {
            while (rows.next()) {
                events++;
                Long group = Rows.number(rows, 1);
                String frees = rows.getString(2);
                Long refund = Rows.number(rows, 3);
                Stream.ofNullable(group).forEach(taken.groups::add);
                Stream.ofNullable(refund).forEach(taken.refunds::add);
                if (frees != null) {
                    Stream.of(frees.split(" ")).map(Long::valueOf).forEach(taken.keys::add);
                }
            }
        }
        return events;
    }

    private static void addFreeRates(Tx tx, Taken taken) throws SQLException {
        try (ResultSet rows = tx.query(
                "UPDATE heddle.limit_rate SET free_at = NULL WHERE free_at <= ? RETURNING limit_key",
                LimitRows.nanos(tx.now()))) {
            while (rows.next()) {
                taken.keys.add(rows.getLong(1));
            }
        }
    }

    private static Map<Long, List<LimitKey>> limitsOf(Tx tx, List<Long> jobs) throws SQLException {
        Map<Long, List<LimitKey>> limits = new TreeMap<>();
        if (!jobs.isEmpty()) {
            try (ResultSet rows = tx.query("SELECT seq, limits FROM heddle.job WHERE seq" + tx.dialect().anyOf(),
                    new SeqList(jobs))) {
                while (rows.next()) {
                    limits.put(rows.getLong(1), Json.readLimits(rows.getString(2)));
                }
            }
        }
        return limits;
    }

    private static void refund(Tx tx, Map<Long, List<LimitKey>> jobs, LimitRules rules) throws SQLException {
        for (LimitKey key : jobs.values().stream().flatMap(List::stream).toList()) {
            Rate rate = LimitRows.rate(rules, key);
            if (rate != null) {
                tx.update("UPDATE heddle.limit_rate SET state = ? WHERE limit_key = ? AND state = ?",
                        refunded(tx, key, rate));
            }
        }
    }

    private static @Nullable Object[] refunded(Tx tx, LimitKey key, Rate rate) throws SQLException {
        long id = LimitIds.key(key);
        long state = LimitRows.rateStates(tx, new SeqList(List.of(id))).getOrDefault(id, 0L);
        return new @Nullable Object[]{rate.refund(state, key.weight()), id, state};
    }

    /** Opens as many groups of each place as their key has room for, and at least one, which claims may close again. */
    private static void open(Tx tx, Set<Long> keys, LimitRules rules) throws SQLException {
        Map<Long, Set<Long>> places = new TreeMap<>();
        Map<Long, LimitKey> closing = new HashMap<>();
        try (ResultSet rows = tx.query("SELECT DISTINCT closed_by, place FROM heddle.limit_group WHERE closed_by"
                + tx.dialect().anyOf(), new SeqList(keys))) {
            while (rows.next()) {
                places.computeIfAbsent(rows.getLong(1), _ -> new HashSet<>()).add(rows.getLong(2));
            }
        }
        for (long key : places.keySet()) {
            try (ResultSet row = tx.query("SELECT limits FROM heddle.limit_group WHERE closed_by = ? LIMIT 1", key)) {
                if (row.next()) {
                    Json.readLimits(row.getString(1)).stream().filter(one -> LimitIds.key(one) == key)
                            .forEach(one -> closing.put(key, one));
                }
            }
        }
        Map<Long, Room> rooms = LimitRows.rooms(tx, closing.values(), rules);
        List<Opening> openings = new ArrayList<>();
        places.forEach((key, ofKey) -> {
            Room room = rooms.getOrDefault(key, Room.UNLIMITED);
            long count = Math.max(1, Math.min(room.slots(), room.units()));
            ofKey.stream().sorted().forEach(place -> openings.add(new Opening(key, place, count)));
        });
        tx.batch("""
                UPDATE heddle.limit_group SET closed_by = NULL WHERE id IN (
                    SELECT id FROM heddle.limit_group WHERE closed_by = ? AND place = ?
                    ORDER BY priority DESC, turn LIMIT ?)""", openings,
                opening -> new @Nullable Object[]{opening.key, opening.place, opening.count});
    }

    private static void addGroups(Tx tx, Set<Long> groups) throws SQLException {
        List<Head> heads = new ArrayList<>();
        for (long group : groups) {
            try (ResultSet row = tx.query(HEAD, group)) {
                if (row.next()) {
                    heads.add(new Head(group, LimitIds.place(row.getString(1), row.getString(2)), row.getInt(3),
                            Objects.requireNonNull(row.getString(4)), row.getLong(5)));
                }
            }
        }
        // The oldest has its turn first.
        heads.sort(Comparator.comparingLong(Head::seq));
        tx.batch("INSERT INTO heddle.limit_group AS g (id, place, priority, turn, limits) VALUES (?, ?, ?, "
                + tx.dialect().nextTurn() + """
                        , ?)
                        ON CONFLICT (id) DO UPDATE SET priority = excluded.priority
                        WHERE g.priority < excluded.priority""", heads,
                head -> new @Nullable Object[]{head.group, head.place, head.priority, new Json.Text(head.limits)});
    }
}

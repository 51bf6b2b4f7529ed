package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
import dev.heddle.sql.LimitGroups.Head;
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
                SELECT id FROM heddle.limit_event ORDER BY id LIMIT ?) RETURNING limit_group, frees, refunds, attempt""";
    private static final String PENDING = """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM heddle.limit_event)
                OR EXISTS (SELECT 1 FROM heddle.limit_rate WHERE free_at <= ?)""";

    private LimitEvents() {}

    private record Taken(Set<Long> groups, Set<Long> keys, List<Released> released) {}

    /** An attempt that was released unstarted. */
    private record Released(long seq, int attempt) {}

    private record Opening(long key, long place, long count) {}

    /** Returns whether there is anything to do. */
    public static boolean pending(Tx tx) throws SQLException {
        try (ResultSet rows = tx.query(PENDING, LimitRows.nanos(tx.now()))) {
            return rows.next();
        }
    }

    /**
     * What a claim of jobs with limits that are in groups would find.
     *
     * @param isQuiet whether none of them can start: no event is pending, and no group is open
     * @param untilDue how long until that may change; null if only an event changes it
     */
    public record Outlook(boolean isQuiet, @Nullable Duration untilDue) {}

    /**
     * Looks with one query whether any job with limits that is in a group could start, so that claims beside jobs that wait for room cost
     * no more than others.
     *
     * @param lanes the lanes that are wanted and not paused
     * @param untilDue how long until a job is due
     */
    public static Outlook look(Tx tx, List<Lanes.Open> lanes, @Nullable Duration untilDue) throws SQLException {
        try (ResultSet row = tx.query("""
                SELECT EXISTS (SELECT 1 FROM heddle.limit_event)
                    OR EXISTS (SELECT 1 FROM %s JOIN heddle.limit_group g ON g.place = n.value AND g.closed_by IS NULL),
                    (SELECT min(free_at) FROM heddle.limit_rate WHERE free_at IS NOT NULL)"""
                .formatted(tx.dialect().numbers()),
                new SeqList(LimitPage.places(Lanes.ofKind(Lanes.Kind.GROUPED, lanes))))) {
            row.next();
            Duration sooner = sooner(tx, Rows.number(row, 2), untilDue);
            boolean free = sooner != null && !sooner.isPositive();
            return new Outlook(!row.getBoolean(1) && !free, sooner);
        }
    }

    /** Notes that jobs were released unstarted, so that the next claim gives back what they took of rates. */
    public static void released(Tx tx, Collection<Long> jobs) throws SQLException {
        tx.update("INSERT INTO heddle.limit_event (refunds, attempt) SELECT seq, attempt FROM heddle.live"
                + " WHERE (limit_key IS NOT NULL OR limit_group IS NOT NULL) AND seq" + tx.dialect().anyOf(),
                new SeqList(jobs));
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
                  AND NOT EXISTS (SELECT 1 FROM heddle.limit_held h JOIN heddle.live l ON l.seq = h.seq
                                  WHERE h.limit_key = g.closed_by AND l.frees IS NOT NULL)
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
        Map<Long, List<LimitKey>> refunds = limitsOf(tx, taken.released.stream().map(Released::seq).toList());
        refunds.values().forEach(keys -> taken.keys.addAll(LimitRows.ids(keys)));
        tx.dialect().lockKeys(tx, new SeqList(taken.keys));
        if (!taken.keys.isEmpty()) {
            LimitRules rules = LimitRows.rules(tx);
            for (Released released : taken.released) {
                refund(tx, released, refunds.getOrDefault(released.seq, List.of()), rules);
            }
            open(tx, taken.keys, rules);
        }
        addGroups(tx, taken.groups);
        return events == BATCH;
    }

    /** Returns how long until the first of this and the time at which a rate has room again. */
    public static @Nullable Duration sooner(Tx tx, @Nullable Duration untilDue) throws SQLException {
        try (ResultSet rows = tx.query("SELECT min(free_at) FROM heddle.limit_rate WHERE free_at IS NOT NULL")) {
            return sooner(tx, rows.next() ? Rows.number(rows, 1) : null, untilDue);
        }
    }

    private static @Nullable Duration sooner(Tx tx, @Nullable Long freeAt, @Nullable Duration untilDue)
            throws SQLException {
        if (freeAt == null) {
            return untilDue;
        }
        Duration untilFree = Duration.ofMillis(Math.ceilDiv(freeAt - LimitRows.nanos(tx.now()), 1_000_000L));
        return untilDue == null || untilFree.compareTo(untilDue) < 0 ? untilFree : untilDue;
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
                if (refund != null) {
                    taken.released.add(new Released(refund, rows.getInt(4)));
                }
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

    /** Gives back what an attempt took, if its slots still tell when that was. */
    private static void refund(Tx tx, Released released, List<LimitKey> keys, LimitRules rules) throws SQLException {
        for (LimitKey key : keys) {
            Rate rate = LimitRows.rate(rules, key);
            Long takenAt = rate == null ? null : takenAt(tx, LimitIds.key(key), released);
            if (rate != null && takenAt != null) {
                long id = LimitIds.key(key);
                long state = LimitRows.rateStates(tx, new SeqList(List.of(id))).getOrDefault(id, 0L);
                tx.update("UPDATE heddle.limit_rate SET state = ? WHERE limit_key = ?",
                        rate.refund(state, key.weight(), LimitRows.nanos(tx.now()) - takenAt), id);
            }
        }
    }

    private static @Nullable Long takenAt(Tx tx, long key, Released released) throws SQLException {
        try (ResultSet row = tx.query(
                "SELECT taken_at FROM heddle.limit_slot WHERE limit_key = ? AND seq = ? AND attempt = ?", key,
                released.seq, released.attempt)) {
            return row.next() ? Rows.number(row, 1) : null;
        }
    }

    /** Opens as many groups of each place as their key has room for, and at least one, which claims may close again. */
    private static void open(Tx tx, Set<Long> keys, LimitRules rules) throws SQLException {
        Map<Long, Set<Long>> places = new TreeMap<>();
        Map<Long, LimitKey> closing = new HashMap<>();
        try (ResultSet rows = tx.query("""
                SELECT p.closed_by, p.place, (SELECT g.limits FROM heddle.limit_group g
                                              WHERE g.closed_by = p.closed_by AND g.place = p.place LIMIT 1)
                FROM (SELECT DISTINCT closed_by, place FROM heddle.limit_group WHERE closed_by"""
                + tx.dialect().anyOf() + ") p", new SeqList(keys))) {
            while (rows.next()) {
                long key = rows.getLong(1);
                places.computeIfAbsent(key, _ -> new HashSet<>()).add(rows.getLong(2));
                Json.readLimits(rows.getString(3)).stream().filter(one -> LimitIds.key(one) == key)
                        .forEach(one -> closing.put(key, one));
            }
        }
        if (places.isEmpty()) {
            return;
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
        if (groups.isEmpty()) {
            return;
        }
        Map<Long, Long> first = new HashMap<>();
        try (ResultSet rows = tx.query("""
                SELECT n.value, (SELECT l.seq FROM heddle.live l WHERE l.limit_group = n.value AND l.state = 'QUEUED'
                                 ORDER BY l.priority DESC, l.seq LIMIT 1)
                FROM""" + " " + tx.dialect().numbers(), new SeqList(groups))) {
            while (rows.next()) {
                long group = rows.getLong(1);
                Stream.ofNullable(Rows.number(rows, 2)).forEach(seq -> first.put(seq, group));
            }
        }
        // The most urgent job of a group tells what the group is.
        List<Head> heads = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT seq, queue, type, priority, limits FROM heddle.job WHERE seq"
                + tx.dialect().anyOf(), new SeqList(first.keySet()))) {
            while (rows.next()) {
                heads.add(new Head(Objects.requireNonNull(first.get(rows.getLong(1))),
                        LimitIds.place(rows.getString(2), rows.getString(3)), rows.getInt(4),
                        rows.getLong(1), new Json.Text(Objects.requireNonNull(rows.getString(5)))));
            }
        }
        LimitGroups.add(tx, heads);
    }
}

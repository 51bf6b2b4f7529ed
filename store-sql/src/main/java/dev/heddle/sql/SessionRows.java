package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.heddle.store.Fence;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.BindRequest;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Parking;
import dev.heddle.store.SessionStore.Release;

/**
 * The table {@code session_binding}: which worker has which session. Jobs parked for a worker are in a lane named
 * after it.
 */
final class SessionRows {

    private static final String BINDING = """
            SELECT type, session, worker, node, strict, bound_at, used_at, lost_seq, dropped FROM heddle.session_binding""";

    private SessionRows() {}

    static List<Binding> bind(Tx tx, List<BindRequest> bids) throws SQLException {
        Instant now = tx.now();
        List<Binding> bindings = new ArrayList<>();
        for (BindRequest bid : bids) {
            tx.update("""
                    INSERT INTO heddle.session_binding AS b
                        (type, session, worker, node, strict, bound_at, used_at, lost_seq)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 0)
                    ON CONFLICT (type, session) DO UPDATE SET worker = excluded.worker, node = excluded.node,
                        strict = excluded.strict, bound_at = excluded.bound_at, used_at = excluded.used_at
                    WHERE b.worker IS NULL AND b.lost_seq < ?""", bid.type(), bid.session(), bid.worker(), bid.node(),
                    bid.strict() ? 1 : 0, now, now, bid.seq());
            find(tx, bid.type(), bid.session()).ifPresent(bindings::add);
        }
        return bindings;
    }

    private static List<Binding> read(Tx tx, String sql, Object... parameters) throws SQLException {
        List<Binding> bindings = new ArrayList<>();
        try (ResultSet rows = tx.query(sql, parameters)) {
            while (rows.next()) {
                bindings.add(new Binding(rows.getString(1), rows.getString(2), rows.getString(3), rows.getString(4),
                        rows.getInt(5) == 1, Rows.instant(rows, 6), Rows.instant(rows, 7), rows.getLong(8),
                        rows.getInt(9) == 1));
            }
        }
        return bindings;
    }

    static Optional<Binding> find(Tx tx, String type, String session) throws SQLException {
        return read(tx, BINDING + " WHERE type = ? AND session = ?", type, session).stream().findFirst();
    }

    static List<Parking> park(Tx tx, Lanes lanes, List<Parking> jobs) throws SQLException {
        for (Parking job : jobs) {
            boolean limited = exists(tx, "heddle.live WHERE limit_group IS NOT NULL AND seq = ?", job.fence().seq());
            String type = SessionStore.parkedType(job.type(), job.worker());
            String parked = limited ? Lanes.limited(type) : type;
            long plain = lanes.id(tx, new Lanes.Lane(job.queue(), parked));
            Fence fence = job.fence();
            if (lock(tx, "heddle.session_binding WHERE worker = ?", job.worker())
                    && lock(tx, "heddle.lane WHERE id = ?", plain)) {
                tx.update("""
                        UPDATE heddle.live SET lane = (SELECT parked.id FROM heddle.lane parked
                            JOIN heddle.lane own ON own.suspect = parked.suspect
                            WHERE parked.queue = ? AND parked.type = ? AND own.id = live.lane)
                        WHERE seq = ? AND attempt = ? AND node = ?""", job.queue(), parked, fence.seq(),
                        fence.attempt(), fence.node());
            }
        }
        return jobs;
    }

    /**
     * Locks the bindings of a worker, or a pair of lanes by its first, while a job moves in; returns false if they
     * are gone.
     */
    private static boolean lock(Tx tx, String fromWhere, Object value) throws SQLException {
        try (ResultSet rows = tx.query("SELECT 1 FROM " + fromWhere + tx.dialect().forUpdate(), value)) {
            return rows.next();
        }
    }

    static List<Binding> release(Tx tx, Release which) throws SQLException {
        Instant now = tx.now();
        List<Binding> released = switch (which) {
            case Release.OfSession(String one) -> {
                List<Binding> dropped = new ArrayList<>(deleteUnused(tx, "b.session = ?", one));
                dropped.addAll(lose(tx, "session = ?", true, now, one));
                yield dropped;
            }
            case Release.OfWorker(String worker) -> lose(tx, "worker = ?", false, now, worker);
            case Release.OfDeadNodes() ->
                lose(tx, "worker IS NOT NULL AND node NOT IN (SELECT id FROM heddle.node)", false, now);
            case Release.Idle(String node, Duration unused) ->
                deleteUnused(tx, "(b.node = ? OR b.worker IS NULL) AND b.used_at < ?", node, now.minus(unused));
        };
        unpark(tx, which);
        return released;
    }

    /** Deletes bindings of sessions that have no live job. No node has to be told. */
    private static List<Binding> deleteUnused(Tx tx, String condition, Object... parameters) throws SQLException {
        List<Binding> unused = read(tx, BINDING + " b WHERE " + condition + """

                AND NOT EXISTS (
                    SELECT 1 FROM heddle.job j JOIN heddle.live l ON l.seq = j.seq
                    WHERE j.session = b.session AND j.type = b.type)""", parameters);
        for (Binding binding : unused) {
            delete(tx, binding);
        }
        return unused;
    }

    private static void delete(Tx tx, Binding binding) throws SQLException {
        tx.update("DELETE FROM heddle.session_binding WHERE type = ? AND session = ?", binding.type(),
                binding.session());
    }

    /**
     * Unbinds sessions from a lost worker. Strict jobs already stored were meant for it; later ones are bound again.
     */
    private static List<Binding> lose(Tx tx, String condition, boolean dropped, Instant now, Object... parameters)
            throws SQLException {
        List<Binding> lost = read(tx, BINDING + " WHERE " + condition + tx.dialect().forUpdate(), parameters);
        for (Binding binding : lost) {
            if (binding.strict()) {
                tx.update("""
                        UPDATE heddle.session_binding SET worker = NULL, used_at = ?, dropped = ?,
                            lost_seq = (SELECT COALESCE(max(seq), 0) FROM heddle.job)
                        WHERE type = ? AND session = ?""", now, dropped ? 1 : 0, binding.type(), binding.session());
            } else {
                delete(tx, binding);
            }
        }
        return lost;
    }

    /** A pair of lanes in which jobs of a queue and a type wait for a worker. */
    private record ParkingLane(long id, String queue, String type) {
        String worker() {
            return SessionStore.parkedWorker(Lanes.unlimited(type));
        }

        /** Returns the type of the ordinary lane of its jobs. */
        String home() {
            String plain = SessionStore.plainType(type);
            return Lanes.isLimited(type) ? Lanes.limited(plain) : plain;
        }

        /** Returns the id of the node, with which the ids of its workers begin. */
        String node() {
            return worker().substring(0, Math.max(0, worker().indexOf('/')));
        }
    }

    /**
     * Moves jobs that wait for workers without sessions back to their ordinary lanes. Deletes the lanes of gone
     * workers.
     */
    private static void unpark(Tx tx, Release which) throws SQLException {
        List<ParkingLane> lanes = new ArrayList<>();
        try (ResultSet rows = tx.query(
                "SELECT id, queue, type FROM heddle.lane WHERE type LIKE ? AND NOT suspect ORDER BY id",
                "%" + SessionStore.parkedType("", "") + "%")) {
            while (rows.next()) {
                lanes.add(new ParkingLane(rows.getLong(1), rows.getString(2), rows.getString(3)));
            }
        }
        for (ParkingLane lane : lanes) {
            if (!exists(tx, "heddle.session_binding WHERE worker = ?", lane.worker())
                    && lock(tx, "heddle.lane WHERE id = ?", lane.id())) {
                moveToPlainLane(tx, lane);
                boolean gone = which instanceof Release.OfWorker(String worker) && worker.equals(lane.worker());
                if (gone || !exists(tx, "heddle.node WHERE id = ?", lane.node())) {
                    tx.update("DELETE FROM heddle.lane WHERE queue = ? AND type = ?", lane.queue(), lane.type());
                }
            }
        }
    }

    private static void moveToPlainLane(Tx tx, ParkingLane lane) throws SQLException {
        tx.update("""
                UPDATE heddle.live SET lane = (SELECT plain.id FROM heddle.lane plain
                    JOIN heddle.lane own ON own.suspect = plain.suspect
                    WHERE plain.queue = ? AND plain.type = ? AND own.id = live.lane)
                WHERE lane IN (SELECT id FROM heddle.lane WHERE queue = ? AND type = ?)""", lane.queue(),
                lane.home(), lane.queue(), lane.type());
    }

    private static boolean exists(Tx tx, String fromWhere, Object value) throws SQLException {
        try (ResultSet rows = tx.query("SELECT 1 FROM " + fromWhere + " LIMIT 1", value)) {
            return rows.next();
        }
    }

    static Collection<Binding> touch(Tx tx, Collection<Binding> used) throws SQLException {
        Instant now = tx.now();
        for (Binding binding : used) {
            tx.update("UPDATE heddle.session_binding SET used_at = ? WHERE type = ? AND session = ?", now,
                    binding.type(), binding.session());
        }
        return used;
    }

    static List<Binding> sessions(Tx tx, int limit) throws SQLException {
        return read(tx, BINDING + " ORDER BY bound_at DESC, session LIMIT ?", limit);
    }
}

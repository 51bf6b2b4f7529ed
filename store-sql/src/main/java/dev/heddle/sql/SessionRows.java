package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.heddle.store.Fence;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Bid;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Parking;
import dev.heddle.store.SessionStore.Release;

/** Which worker has which session. What is parked for a worker lies in a lane that is named after it. */
final class SessionRows {

    private static final String BINDING = """
            SELECT type, session, worker, node, strict, bound_at, used_at, lost_seq FROM heddle.session_binding""";

    private SessionRows() {}

    static List<Binding> bind(Session session, List<Bid> bids, Instant now) throws SQLException {
        List<Binding> bindings = new ArrayList<>();
        for (Bid bid : bids) {
            session.update("""
                    INSERT INTO heddle.session_binding AS b
                        (type, session, worker, node, strict, bound_at, used_at, lost_seq)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 0)
                    ON CONFLICT (type, session) DO UPDATE SET worker = excluded.worker, node = excluded.node,
                        strict = excluded.strict, bound_at = excluded.bound_at, used_at = excluded.used_at
                    WHERE b.worker IS NULL AND b.lost_seq < ?""", bid.type(), bid.session(), bid.worker(),
                    bid.node(),
                    bid.strict() ? 1 : 0, now, now, bid.seq());
            bindings.addAll(
                    read(session, BINDING + " WHERE type = ? AND session = ?", bid.type(), bid.session()));
        }
        return bindings;
    }

    private static List<Binding> read(Session session, String sql, Object... parameters) throws SQLException {
        List<Binding> bindings = new ArrayList<>();
        try (ResultSet rows = session.query(sql, parameters)) {
            while (rows.next()) {
                bindings.add(new Binding(rows.getString(1), rows.getString(2), rows.getString(3),
                        rows.getString(4),
                        rows.getInt(5) == 1, Rows.instant(rows, 6), Rows.instant(rows, 7), rows.getLong(8)));
            }
        }
        return bindings;
    }

    static List<Parking> park(Session session, Lanes lanes, List<Parking> jobs) throws SQLException {
        for (Parking job : jobs) {
            String parked = SessionStore.parkedType(job.type(), job.worker());
            long plain = lanes.id(session, new Lanes.Lane(job.queue(), parked));
            Fence fence = job.fence();
            if (lock(session, "heddle.session_binding WHERE worker = ?", job.worker())
                    && lock(session, "heddle.lane WHERE id = ?", plain)) {
                session.update("""
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
     * Keeps sessions with their worker, and a pair of lanes (by the first of them) from being deleted, while a job moves
     * in; false where they are gone already.
     */
    private static boolean lock(Session session, String what, Object value) throws SQLException {
        try (ResultSet rows = session.query("SELECT 1 FROM " + what + session.dialect().forUpdate(), value)) {
            return rows.next();
        }
    }

    static List<Binding> release(Session session, Release which, Instant now) throws SQLException {
        List<Binding> released = switch (which) {
            case Release.One(String one) -> {
                List<Binding> dropped = new ArrayList<>(forget(session, "b.session = ?", one));
                dropped.addAll(lose(session, "session = ?", now, one));
                yield dropped;
            }
            case Release.OfWorker(String worker) -> lose(session, "worker = ?", now, worker);
            case Release.OfDeadNodes() -> lose(session,
                    "worker IS NOT NULL AND node NOT IN (SELECT id FROM heddle.node)", now);
            case Release.Idle(String node, Instant since) -> forget(session,
                    "(b.node = ? OR b.worker IS NULL) AND b.used_at < ?", node, since);
        };
        unpark(session, which);
        return released;
    }

    /** Deletes bindings of sessions without a job that waits or runs: nobody has to be told. */
    private static List<Binding> forget(Session session, String condition, Object... parameters)
            throws SQLException {
        List<Binding> over = read(session, BINDING + " b WHERE " + condition + """

                AND NOT EXISTS (
                    SELECT 1 FROM heddle.job j JOIN heddle.live l ON l.seq = j.seq
                    WHERE j.session = b.session AND j.type = b.type)""", parameters);
        for (Binding binding : over) {
            delete(session, binding);
        }
        return over;
    }

    private static void delete(Session session, Binding binding) throws SQLException {
        session.update("DELETE FROM heddle.session_binding WHERE type = ? AND session = ?", binding.type(),
                binding.session());
    }

    /** Jobs that are in the store by now were meant for the worker that is lost; later ones bind anew. */
    private static List<Binding> lose(Session session, String condition, Instant now, Object... parameters)
            throws SQLException {
        List<Binding> lost = read(session,
                BINDING + " WHERE " + condition + session.dialect().forUpdate(), parameters);
        for (Binding binding : lost) {
            if (binding.strict()) {
                session.update("""
                        UPDATE heddle.session_binding SET worker = NULL, used_at = ?,
                            lost_seq = (SELECT COALESCE(max(seq), 0) FROM heddle.job)
                        WHERE type = ? AND session = ?""", now, binding.type(), binding.session());
            } else {
                delete(session, binding);
            }
        }
        return lost;
    }

    /** The lanes of a queue and a type where jobs wait for a worker: an ordinary one, and one for suspects. */
    private record Parked(long id, String queue, String type) {
        String worker() {
            return SessionStore.parkedWorker(type);
        }

        /** Worker ids begin with that of their node. */
        String node() {
            return worker().substring(0, Math.max(0, worker().indexOf('/')));
        }
    }

    /** Lets everybody have what waits for workers that have no session any more. The lanes of those that are gone go. */
    private static void unpark(Session session, Release which) throws SQLException {
        List<Parked> lanes = new ArrayList<>();
        try (ResultSet rows = session.query(
                "SELECT id, queue, type FROM heddle.lane WHERE type LIKE ? AND NOT suspect ORDER BY id",
                "%" + SessionStore.parkedType("", "") + "%")) {
            while (rows.next()) {
                lanes.add(new Parked(rows.getLong(1), rows.getString(2), rows.getString(3)));
            }
        }
        for (Parked lane : lanes) {
            if (!exists(session, "heddle.session_binding WHERE worker = ?", lane.worker())
                    && lock(session, "heddle.lane WHERE id = ?", lane.id())) {
                empty(session, lane);
                boolean gone = which instanceof Release.OfWorker(String worker)
                        && worker.equals(lane.worker());
                if (gone || !exists(session, "heddle.node WHERE id = ?", lane.node())) {
                    session.update("DELETE FROM heddle.lane WHERE queue = ? AND type = ?", lane.queue(),
                            lane.type());
                }
            }
        }
    }

    private static void empty(Session session, Parked lane) throws SQLException {
        session.update("""
                UPDATE heddle.live SET lane = (SELECT plain.id FROM heddle.lane plain
                    JOIN heddle.lane own ON own.suspect = plain.suspect
                    WHERE plain.queue = ? AND plain.type = ? AND own.id = live.lane)
                WHERE lane IN (SELECT id FROM heddle.lane WHERE queue = ? AND type = ?)""", lane.queue(),
                SessionStore.plainType(lane.type()), lane.queue(), lane.type());
    }

    private static boolean exists(Session session, String what, String value) throws SQLException {
        try (ResultSet rows = session.query("SELECT 1 FROM " + what + " LIMIT 1", value)) {
            return rows.next();
        }
    }

    static Collection<Binding> touch(Session session, Collection<Binding> used, Instant now)
            throws SQLException {
        for (Binding binding : used) {
            session.update("UPDATE heddle.session_binding SET used_at = ? WHERE type = ? AND session = ?",
                    now,
                    binding.type(), binding.session());
        }
        return used;
    }

    static List<Binding> sessions(Session session, int limit) throws SQLException {
        return read(session, BINDING + " ORDER BY bound_at DESC, session LIMIT ?", limit);
    }
}

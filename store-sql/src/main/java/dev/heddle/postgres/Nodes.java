package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.sql.Adoptions;
import dev.heddle.sql.Json;
import dev.heddle.sql.Kinship;
import dev.heddle.sql.Recoveries;
import dev.heddle.sql.Rows;
import dev.heddle.sql.Session;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.Renewal.Held;

/**
 * Who is alive, by the server's clock. A node is alive while it has a row: declaring it dead deletes the row and
 * releases its jobs in one transaction, and its claims lock the row, so that neither can slip past the other.
 */
final class Nodes {

    /**
     * A lease with less than half of it left is a gap, since it is renewed with two thirds left: others may not have been able to
     * renew theirs either, and whoever is back first must not bury them.
     */
    private static final String EXTEND = """
            UPDATE heddle.node SET lease_until = clock_timestamp() + lease_ms * interval '1 ms',
                   steady_since = CASE WHEN lease_until < clock_timestamp() + lease_ms * interval '0.5 ms' THEN clock_timestamp() ELSE steady_since END""";
    /** For a transaction in which waiting could cost the node its own lease. */
    static final String LOCKS_SOON = "SET LOCAL lock_timeout = '1s'";
    private static final String STEADY = " clock_timestamp() - steady_since >= lease_ms * interval '1 ms'";

    private Nodes() {}

    static int join(Session session, NodeRecord node) throws SQLException {
        return session.update(
                """
                        INSERT INTO heddle.node (id, joined_at, renewed_at, lease_ms, workers, lease_until, steady_since)
                        VALUES (?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 ms', clock_timestamp())""",
                node.id(),
                node.joinedAt(), node.joinedAt(), node.lease().toMillis(), new Json.Text(node.workers()),
                node.lease().toMillis());
    }

    static Renewal renew(Session session, NodeRecord node) throws SQLException {
        boolean steady;
        try (ResultSet row = session.query(
                EXTEND + ", renewed_at = ?, workers = ? WHERE id = ? RETURNING" + STEADY,
                node.renewedAt(), new Json.Text(node.workers()), node.id())) {
            if (!row.next()) {
                return new Renewal.Dead();
            }
            steady = row.getBoolean(1);
        }
        return new Renewal.Kept(held(session, node.id()),
                steady ? takeable(session, node) : Set.of());
    }

    private static List<Held> held(Session session, String node) throws SQLException {
        List<Held> held = new ArrayList<>();
        try (ResultSet rows = session.query(
                "SELECT seq, attempt, state, assigned_at, reason FROM heddle.live WHERE node = ?", node)) {
            while (rows.next()) {
                JobState state = JobState.valueOf(rows.getString(3));
                held.add(new Held(new Fence(rows.getLong(1), rows.getInt(2), node), state,
                        Rows.instant(rows, 4),
                        state == JobState.CANCELLED ? rows.getString(5) : null));
            }
        }
        return held;
    }

    private static Set<String> takeable(Session session, NodeRecord node) throws SQLException {
        Set<String> takeable = expired(session, node.id(), "");
        takeable.addAll(Adoptions.expired(session, node.renewedAt()));
        return takeable;
    }

    private static Set<String> expired(Session session, String survivor, String locking) throws SQLException {
        Set<String> expired = new HashSet<>();
        try (ResultSet rows = session.query(
                "SELECT id FROM heddle.node WHERE lease_until < clock_timestamp() AND id <> ?" + locking,
                survivor)) {
            while (rows.next()) {
                expired.add(rows.getString(1));
            }
        }
        return expired;
    }

    /**
     * Whoever is declaring the same nodes dead at this moment is left to it. Where a dead node was stopped in the middle
     * of a transaction, its jobs stay locked until the server ends that; waiting for it would cost the survivor its own
     * lease.
     */
    static List<Recovery> recover(Session session, String survivor, RecoveryPlan plan, Instant now,
            Kinship kin) throws SQLException {
        session.update(LOCKS_SOON);
        try (ResultSet row = session.query(EXTEND + " WHERE id = ? RETURNING" + STEADY, survivor)) {
            if (!row.next() || !row.getBoolean(1)) {
                return List.of();
            }
        }
        Set<String> dead = expired(session, survivor, " FOR UPDATE SKIP LOCKED");
        dead.addAll(unknown(session));
        if (dead.isEmpty()) {
            return List.of();
        }
        String[] ids = dead.toArray(String[]::new);
        List<Recovery> recoveries = Recoveries.recover(session, new Recoveries.Dead("node = ANY (?)", ids),
                survivor, plan, now, kin);
        session.update("DELETE FROM heddle.node WHERE id = ANY (?)", (Object) ids);
        return recoveries;
    }

    /** Who holds jobs and has no row: only after a restored backup, or somebody's own DELETE. */
    private static Set<String> unknown(Session session) throws SQLException {
        Set<String> unknown = new HashSet<>();
        try (ResultSet rows = session
                .query("""
                        SELECT DISTINCT l.node FROM heddle.live l
                        WHERE l.node IS NOT NULL AND NOT EXISTS (SELECT 1 FROM heddle.node n WHERE n.id = l.node)""")) {
            while (rows.next()) {
                unknown.add(rows.getString(1));
            }
        }
        return unknown;
    }

    /** A node that holds nothing any more is gone at once; what it still holds, others may take at once. */
    static void leave(Session session, String node) throws SQLException {
        session.update("UPDATE heddle.node SET lease_until = '-infinity' WHERE id = ?", node);
        session.update("""
                DELETE FROM heddle.node n
                WHERE id = ? AND NOT EXISTS (SELECT 1 FROM heddle.live l WHERE l.node = n.id)""", node);
    }
}

package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.Json;
import dev.heddle.sql.OrphanRecovery;
import dev.heddle.sql.ReservationRows;
import dev.heddle.sql.Rows;
import dev.heddle.sql.Tx;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.Renewal.HeldAttempt;

/**
 * The table {@code node}: the leases of nodes, by the server's clock. A node is alive while it has a row. Declaring
 * it dead deletes the row and recovers its jobs in one transaction. Claims lock the row, so a node cannot claim a job
 * while it is declared dead.
 */
final class NodeLeases {

    /**
     * Renewals normally come with two thirds of the lease left. If less than half is left, the node starts to count
     * again: the server may have been away, and the first node to come back must not declare the others dead.
     */
    private static final String EXTEND = """
            UPDATE heddle.node SET lease_until = clock_timestamp() + lease_ms * interval '1 ms',
                   steady_since = CASE WHEN lease_until < clock_timestamp() + lease_ms * interval '0.5 ms' THEN clock_timestamp() ELSE steady_since END""";
    /** For a transaction in which waiting for locks could cost the node its own lease. */
    static final String LIMIT_LOCK_WAIT = "SET LOCAL lock_timeout = '1s'";
    private static final String STEADY = " clock_timestamp() - steady_since >= lease_ms * interval '1 ms'";
    private static final String VERSION = ", (SELECT max(version) FROM heddle.schema_version)";

    private NodeLeases() {}

    static int join(Tx tx, NodeRecord node) throws SQLException {
        return tx.update(
                """
                        INSERT INTO heddle.node (id, joined_at, renewed_at, lease_ms, workers, status, lease_until, steady_since)
                        VALUES (?, ?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 ms', clock_timestamp())""",
                node.id(),
                node.joinedAt(), node.joinedAt(), node.lease().toMillis(), new Json.Text(node.workers()),
                new Json.Text(node.status()), node.lease().toMillis());
    }

    static Renewal renew(Tx tx, NodeRecord node, SchemaWatch schema) throws SQLException {
        boolean steady;
        try (ResultSet row = tx.query(
                EXTEND + ", renewed_at = ?, workers = ?, status = ? WHERE id = ? RETURNING" + STEADY + VERSION,
                node.renewedAt(),
                new Json.Text(node.workers()), new Json.Text(node.status()), node.id())) {
            if (!row.next()) {
                return new Renewal.Dead();
            }
            steady = row.getBoolean(1);
            schema.saw(row.getInt(2));
        }
        return new Renewal.Renewed(held(tx, node.id()), steady ? recoverable(tx, node.id()) : Set.of());
    }

    private static List<HeldAttempt> held(Tx tx, String node) throws SQLException {
        List<HeldAttempt> held = new ArrayList<>();
        try (ResultSet rows = tx
                .query("SELECT seq, attempt, state, assigned_at, reason FROM heddle.live WHERE node = ?", node)) {
            while (rows.next()) {
                JobState state = Rows.liveState(rows.getString(3));
                held.add(new HeldAttempt(new Fence(rows.getLong(1), rows.getInt(2), node), state, Rows.instant(rows, 4),
                        state == JobState.CANCELLED ? rows.getString(5) : null));
            }
        }
        return held;
    }

    private static Set<String> recoverable(Tx tx, String survivor) throws SQLException {
        Set<String> recoverable = expired(tx, survivor, "");
        recoverable.addAll(ReservationRows.nodesWithExpired(tx));
        return recoverable;
    }

    private static Set<String> expired(Tx tx, String survivor, String locking) throws SQLException {
        Set<String> expired = new HashSet<>();
        try (ResultSet rows = tx.query(
                "SELECT id FROM heddle.node WHERE lease_until < clock_timestamp() AND id <> ?" + locking, survivor)) {
            while (rows.next()) {
                expired.add(rows.getString(1));
            }
        }
        return expired;
    }

    /**
     * Declares nodes dead and recovers their jobs. Leaves out nodes that another node is declaring dead at this
     * moment. A dead node that was suspended within a transaction keeps its jobs locked until the server ends the
     * transaction; this method does not wait for that, because the survivor would lose its own lease.
     */
    static List<Recovery> recover(Tx tx, String survivor, RecoveryPlan plan, Instant now, FamilyChanges families)
            throws SQLException {
        tx.update(LIMIT_LOCK_WAIT);
        try (ResultSet row = tx.query(EXTEND + " WHERE id = ? RETURNING" + STEADY, survivor)) {
            if (!row.next() || !row.getBoolean(1)) {
                return List.of();
            }
        }
        Set<String> dead = expired(tx, survivor, " FOR UPDATE SKIP LOCKED");
        dead.addAll(unknown(tx));
        if (dead.isEmpty()) {
            return List.of();
        }
        String[] ids = dead.toArray(String[]::new);
        List<Recovery> recoveries = OrphanRecovery.recover(tx, new OrphanRecovery.Dead("node = ANY (?)", ids), survivor,
                plan, now, families);
        tx.update("DELETE FROM heddle.node WHERE id = ANY (?)", (Object) ids);
        return recoveries;
    }

    /** Returns nodes that hold jobs and have no row, as after the restore of a backup or a DELETE by hand. */
    private static Set<String> unknown(Tx tx) throws SQLException {
        Set<String> unknown = new HashSet<>();
        try (ResultSet rows = tx.query("""
                SELECT DISTINCT l.node FROM heddle.live l
                WHERE l.node IS NOT NULL AND NOT EXISTS (SELECT 1 FROM heddle.node n WHERE n.id = l.node)""")) {
            while (rows.next()) {
                unknown.add(rows.getString(1));
            }
        }
        return unknown;
    }

    /** Ends the lease of a node, and deletes its row if it holds no jobs. Other nodes may recover the rest at once. */
    static void leave(Tx tx, String node) throws SQLException {
        tx.update("UPDATE heddle.node SET lease_until = '-infinity' WHERE id = ?", node);
        tx.update("""
                DELETE FROM heddle.node n
                WHERE id = ? AND NOT EXISTS (SELECT 1 FROM heddle.live l WHERE l.node = n.id)""", node);
    }
}

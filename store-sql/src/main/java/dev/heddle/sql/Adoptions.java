package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.Reserved;
import dev.heddle.store.Claimed;
import dev.heddle.store.Fence;

/**
 * Attempts that are kept for their machine. A row of {@code reservation} is about one attempt, and means nothing once the
 * job has another or has ended: so no other statement has to know of it, and what is left over is swept now and then.
 */
public final class Adoptions {

    /** Whether the attempt of {@code live l} is kept; with the time as parameter. */
    static final String KEPT = """
            EXISTS (SELECT 1 FROM heddle.reservation r
                    WHERE r.seq = l.seq AND r.attempt = l.attempt AND r.until > ?)""";

    private static final String HELD_BY = " WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING')";
    private static final String RESERVE = """
            INSERT INTO heddle.reservation (seq, attempt, machine, boot, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (seq) DO UPDATE SET attempt = excluded.attempt, machine = excluded.machine,
                boot = excluded.boot, until = excluded.until""";
    private static final String ADOPT = """
            UPDATE heddle.live SET node = ?, state = 'RUNNING', started_at = coalesce(started_at, ?)"""
            + HELD_BY;
    private static final String RESERVED = """
            FROM heddle.reservation r JOIN heddle.live l ON l.seq = r.seq AND l.attempt = r.attempt
            """;

    private Adoptions() {}

    /** The attempt is locked: it is kept before somebody recovers its node, or lost after. */
    static boolean reserve(Session session, Fence attempt, Reservation reservation) throws SQLException {
        try (ResultSet held = session.query(
                "SELECT 1 FROM heddle.live" + HELD_BY + session.dialect().forUpdate(),
                attempt.seq(), attempt.attempt(), attempt.node())) {
            if (!held.next()) {
                return false;
            }
        }
        session.update(RESERVE, attempt.seq(), attempt.attempt(), reservation.machine(), reservation.boot(),
                reservation.until());
        return true;
    }

    static List<Reserved> reserved(Session session, String machine) throws SQLException {
        List<Reserved> reserved = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT l.seq, l.attempt, l.node, j.id, j.type, r.boot, r.until\n"
                + RESERVED + """
                        JOIN heddle.job j ON j.seq = r.seq
                        WHERE r.machine = ? AND l.state IN ('ASSIGNED', 'RUNNING') ORDER BY l.seq""",
                machine)) {
            while (rows.next()) {
                reserved.add(new Reserved(new Fence(rows.getLong(1), rows.getInt(2), rows.getString(3)),
                        JobId.of(rows.getString(4)), rows.getString(5),
                        new Reservation(machine, rows.getString(6), Rows.instant(rows, 7))));
            }
        }
        return reserved;
    }

    static List<Claimed.Claim> adopt(Session session, List<Fence> attempts, String node, Instant now)
            throws SQLException {
        List<Long> adopted = new ArrayList<>();
        for (Fence attempt : attempts) {
            if (session.update(ADOPT, node, now, attempt.seq(), attempt.attempt(), attempt.node()) == 1) {
                adopted.add(attempt.seq());
            }
        }
        List<Claimed.Claim> claims = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT " + Rows.JOB
                + """
                        FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq
                        WHERE l.seq"""
                + session.dialect().anyOf() + " ORDER BY l.seq", new Seqs(adopted))) {
            while (rows.next()) {
                claims.add(new Claimed.Claim(Rows.job(rows), false));
            }
        }
        return claims;
    }

    static int free(Session session, List<Fence> attempts) throws SQLException {
        int freed = 0;
        for (Fence attempt : attempts) {
            freed += session.update("DELETE FROM heddle.reservation WHERE seq = ? AND attempt = ?",
                    attempt.seq(),
                    attempt.attempt());
        }
        return freed;
    }

    /** Who is gone and has attempts that are kept no longer, or were cancelled. */
    public static Set<String> expired(Session session, Instant now) throws SQLException {
        Set<String> expired = new HashSet<>();
        try (ResultSet rows = session.query("SELECT DISTINCT l.node\n" + RESERVED + """
                WHERE (l.state = 'CANCELLED' OR (l.state IN ('ASSIGNED', 'RUNNING') AND r.until <= ?))
                  AND NOT EXISTS (SELECT 1 FROM heddle.node n WHERE n.id = l.node)""", now)) {
            while (rows.next()) {
                expired.add(rows.getString(1));
            }
        }
        return expired;
    }

    static void sweep(Session session) throws SQLException {
        session.update(
                """
                        DELETE FROM heddle.reservation WHERE NOT EXISTS (
                            SELECT 1 FROM heddle.live l WHERE l.seq = reservation.seq AND l.attempt = reservation.attempt)""");
    }
}

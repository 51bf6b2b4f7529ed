package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.ReservedAttempt;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;

/**
 * The table {@code reservation}: attempts that only nodes of their machine may adopt. A row is about one attempt. It
 * means nothing once the job has another attempt or has ended, so no other statement has to delete it; {@link #sweep}
 * does. How long a reservation lasts is up to the clock of the store.
 */
public final class ReservationRows {

    /** Whether the attempt of {@code live l} is reserved at the time in the parameter. */
    static final String IS_RESERVED = """
            EXISTS (SELECT 1 FROM heddle.reservation r
                    WHERE r.seq = l.seq AND r.attempt = l.attempt AND r.until > ?)""";

    private static final String FENCED = " WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING')";
    private static final String RESERVE = """
            INSERT INTO heddle.reservation (seq, attempt, machine, boot, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (seq) DO UPDATE SET attempt = excluded.attempt, machine = excluded.machine,
                boot = excluded.boot, until = excluded.until""";
    private static final String ADOPT = """
            UPDATE heddle.live SET node = ?, state = 'RUNNING', started_at = coalesce(started_at, ?)""" + FENCED;
    private static final String FROM_RESERVED = """
            FROM heddle.reservation r JOIN heddle.live l ON l.seq = r.seq AND l.attempt = r.attempt
            """;

    private ReservationRows() {}

    /** Reserves an attempt. Locks it first: a recovery of its node comes before, and wins, or after, and spares it. */
    static boolean reserve(Tx tx, Fence attempt, Reservation reservation) throws SQLException {
        try (ResultSet held = tx.query("SELECT 1 FROM heddle.live" + FENCED + tx.dialect().forUpdate(), attempt.seq(),
                attempt.attempt(), attempt.node())) {
            if (!held.next()) {
                return false;
            }
        }
        tx.update(RESERVE, attempt.seq(), attempt.attempt(), reservation.machine(), reservation.boot(),
                tx.now().plus(reservation.lasts()));
        return true;
    }

    static List<ReservedAttempt> reserved(Tx tx, String machine) throws SQLException {
        List<ReservedAttempt> reserved = new ArrayList<>();
        try (ResultSet rows = tx
                .query("SELECT l.seq, l.attempt, l.node, j.id, j.type, r.boot\n" + FROM_RESERVED + """
                        JOIN heddle.job j ON j.seq = r.seq
                        WHERE r.machine = ? AND l.state IN ('ASSIGNED', 'RUNNING') ORDER BY l.seq""", machine)) {
            while (rows.next()) {
                reserved.add(new ReservedAttempt(new Fence(rows.getLong(1), rows.getInt(2), rows.getString(3)),
                        JobId.of(rows.getString(4)), rows.getString(5), rows.getString(6)));
            }
        }
        return reserved;
    }

    static List<ClaimResult.Claim> adopt(Tx tx, List<Fence> attempts, String node, Instant now) throws SQLException {
        List<Long> adopted = new ArrayList<>();
        for (Fence attempt : attempts) {
            CountRows.moveHeld(tx, attempt, JobState.RUNNING);
            if (tx.update(ADOPT, node, now, attempt.seq(), attempt.attempt(), attempt.node()) == 1) {
                adopted.add(attempt.seq());
            }
        }
        List<ClaimResult.Claim> claims = new ArrayList<>();
        Instant storeNow = tx.now();
        try (ResultSet rows = tx.query("SELECT " + Rows.JOB + """
                , (SELECT r.until FROM heddle.reservation r WHERE r.seq = l.seq AND r.attempt = l.attempt)
                FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq
                WHERE l.seq""" + tx.dialect().anyOf() + " ORDER BY l.seq", new SeqList(adopted))) {
            while (rows.next()) {
                Instant until = Objects.requireNonNullElse(Rows.time(rows, Rows.AFTER_JOB), storeNow);
                claims.add(ClaimResult.Claim.adopted(Rows.job(rows), Duration.between(storeNow, until)));
            }
        }
        return claims;
    }

    /**
     * Ends reservations. The rows stay, for no machine: {@link #nodesWithExpired} lists their nodes until they are
     * recovered.
     */
    static int end(Tx tx, List<Fence> attempts) throws SQLException {
        int ended = 0;
        for (Fence attempt : attempts) {
            ended += tx.update("UPDATE heddle.reservation SET machine = '', until = ? WHERE seq = ? AND attempt = ?",
                    Instant.EPOCH, attempt.seq(), attempt.attempt());
        }
        return ended;
    }

    /** Returns the nodes that are gone and have attempts whose reservation has expired or whose job was cancelled. */
    public static Set<String> nodesWithExpired(Tx tx) throws SQLException {
        Set<String> nodes = new HashSet<>();
        try (ResultSet rows = tx.query("SELECT DISTINCT l.node\n" + FROM_RESERVED + """
                WHERE (l.state = 'CANCELLED' OR (l.state IN ('ASSIGNED', 'RUNNING') AND r.until <= ?))
                  AND NOT EXISTS (SELECT 1 FROM heddle.node n WHERE n.id = l.node)""", tx.now())) {
            while (rows.next()) {
                nodes.add(rows.getString(1));
            }
        }
        return nodes;
    }

    static void sweep(Tx tx) throws SQLException {
        tx.update("""
                DELETE FROM heddle.reservation WHERE NOT EXISTS (
                    SELECT 1 FROM heddle.live l
                    WHERE l.seq = reservation.seq AND l.attempt = reservation.attempt)""");
    }
}

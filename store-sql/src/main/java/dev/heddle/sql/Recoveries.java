package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.heddle.job.Attempt;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;

/**
 * Releases what dead nodes held: thousands of jobs in one transaction, and in a number of round trips that hardly grows
 * with them.
 */
public final class Recoveries {

    /** Follows a condition on {@code l.node} that tells which nodes are dead. */
    private static final String HELD = " AND l.state IN ('ASSIGNED', 'RUNNING') ORDER BY l.seq";

    /** Ends what the attempt left on the row, and makes the job a suspect. */
    private static final String RELEASED = """
            , node = NULL, assigned_at = NULL, started_at = NULL, care = NULL, progress = NULL,
              lane = (SELECT other.id FROM heddle.lane own
                      JOIN heddle.lane other ON other.queue = own.queue AND other.type = own.type
                      WHERE own.id = live.lane AND other.suspect)
            WHERE seq""";

    private Recoveries() {}

    /**
     * Who is dead.
     *
     * @param condition on a column called {@code node}, with one parameter
     */
    public record Dead(String condition, Object parameter) {}

    public static List<Recovery> recover(Session session, Dead dead, String survivor, RecoveryPlan plan,
            Instant now)
            throws SQLException {
        session.query("SELECT seq FROM heddle.live WHERE " + dead.condition() + " ORDER BY seq"
                + session.dialect().forUpdate(), dead.parameter()).close();
        List<Recovery> recoveries = plan.decide(orphans(session, dead));
        if (!recoveries.isEmpty()) {
            addCrashedAttempts(session, recoveries, now);
            countCrashes(session, recoveries);
            release(session, recoveries, now);
            addHistory(session, recoveries, survivor, now);
        }
        endCancelled(session, dead, now);
        return recoveries;
    }

    private static List<Orphan> orphans(Session session, Dead dead) throws SQLException {
        List<Orphan> orphans = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT " + Rows.JOB
                + """
                        , l.care, EXISTS (SELECT 1 FROM heddle.checkpoint c WHERE c.seq = l.seq)
                        FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq
                        WHERE l."""
                + dead.condition() + HELD, dead.parameter())) {
            while (rows.next()) {
                String care = rows.getString(28);
                orphans.add(new Orphan(Rows.job(rows), care == null ? Care.NONE : Care.valueOf(care),
                        rows.getBoolean(29)));
            }
        }
        return orphans;
    }

    private static Seqs seqs(List<Recovery> recoveries, Predicate<Recovery> which) {
        return new Seqs(recoveries.stream().filter(which).map(Recoveries::seq).toList());
    }

    private static long seq(Recovery recovery) {
        return recovery.orphan().job().seq();
    }

    private static void addCrashedAttempts(Session session, List<Recovery> recoveries, Instant now)
            throws SQLException {
        session.update(
                """
                        INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                        SELECT seq, attempt, node, '', assigned_at, started_at, ?, ? FROM heddle.live WHERE seq"""
                        + session.dialect().anyOf(),
                now, Attempt.End.CRASHED,
                seqs(recoveries, recovery -> recovery.orphan().job().status().startedAt() != null));
    }

    private static void countCrashes(Session session, List<Recovery> recoveries) throws SQLException {
        session.update(
                "UPDATE heddle.live SET crashes = crashes + 1 WHERE seq" + session.dialect().anyOf(),
                seqs(recoveries, Recovery::crashed));
    }

    private static void release(Session session, List<Recovery> recoveries, Instant now) throws SQLException {
        List<Recovery> staged = new ArrayList<>();
        List<Recovery> doomed = new ArrayList<>();
        for (Recovery recovery : recoveries) {
            switch (recovery.transition()) {
                case Transition.Requeue _ -> {
                }
                case Transition.Retry _ -> staged.add(recovery);
                case Transition.Die _ -> doomed.add(recovery);
                case Transition.Complete _,Transition.Cancel _ -> throw unfit(recovery);
            }
        }
        session.update("UPDATE heddle.live SET state = 'QUEUED', due_at = NULL" + RELEASED
                + session.dialect().anyOf(),
                seqs(recoveries, recovery -> recovery.transition() instanceof Transition.Requeue));
        session.batch("UPDATE heddle.live SET state = 'SCHEDULED', due_at = ?" + RELEASED + " = ?", staged,
                recovery -> new Object[]{((Transition.Retry) recovery.transition()).at(), seq(recovery)});
        session.batch(
                """
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason)
                        SELECT seq, 'FAILED', ?, attempt, failures, crashes, ? FROM heddle.live WHERE seq = ?""",
                doomed, recovery -> new Object[]{now, reason(recovery), seq(recovery)});
        session.update("DELETE FROM heddle.live WHERE seq" + session.dialect().anyOf(),
                seqs(doomed, _ -> true));
    }

    private static void addHistory(Session session, List<Recovery> recoveries, String survivor, Instant now)
            throws SQLException {
        session.batch(History.INSERT, recoveries,
                recovery -> new Object[]{seq(recovery), recovery.orphan().job().state(),
                    recovery.transition().target(), reason(recovery), survivor, now});
    }

    private static String reason(Recovery recovery) {
        return switch (recovery.transition()) {
            case Transition.Requeue(String reason) -> reason;
            case Transition.Retry(_, String reason) -> reason;
            case Transition.Die(String reason) -> reason;
            case Transition.Complete _,Transition.Cancel _ -> throw unfit(recovery);
        };
    }

    private static IllegalArgumentException unfit(Recovery recovery) {
        return new IllegalArgumentException("an orphan cannot be recovered by " + recovery.transition());
    }

    /** Jobs that were cancelled while a node ran them, and the node died before it could say so. */
    private static void endCancelled(Session session, Dead dead, Instant now) throws SQLException {
        String theirs = " FROM heddle.live WHERE state = 'CANCELLED' AND " + dead.condition();
        session.update(
                """
                        INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                        SELECT seq, attempt, node, '', assigned_at, started_at, ?, 'CRASHED'"""
                        + theirs
                        + " AND started_at IS NOT NULL",
                now, dead.parameter());
        session.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason)
                SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason""" + theirs, now,
                dead.parameter());
        session.update("DELETE" + theirs, dead.parameter());
    }
}

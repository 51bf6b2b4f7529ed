package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import org.jspecify.annotations.Nullable;

/** Releases what dead nodes held. */
public final class Recoveries {

    /** Follows a condition on {@code l.node} that tells which nodes are dead. */
    private static final String HELD = " AND l.state IN ('ASSIGNED', 'RUNNING') ORDER BY l.seq";

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
        for (Recovery recovery : recoveries) {
            release(session, recovery, survivor, now);
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

    private static void release(Session session, Recovery recovery, String survivor, Instant now)
            throws SQLException {
        Job job = recovery.orphan().job();
        if (job.status().startedAt() != null) {
            addCrashedAttempt(session, job.seq(), now);
        }
        if (recovery.crashed()) {
            session.update("UPDATE heddle.live SET crashes = crashes + 1 WHERE seq = ?", job.seq());
        }
        switch (recovery.transition()) {
            case Transition.Requeue(String reason) ->
                requeue(session, job, JobState.QUEUED, null, reason, survivor, now);
            case Transition.Retry(Instant at, String reason) ->
                requeue(session, job, JobState.SCHEDULED, at, reason,
                        survivor, now);
            case Transition.Die(String reason) -> {
                Ends.move(session, job.seq(), JobState.FAILED, reason, now);
                History.add(session, job.seq(), job.state(), JobState.FAILED, reason, survivor, now);
            }
            case Transition.Complete _,Transition.Cancel _ -> throw new IllegalArgumentException(
                    "an orphan cannot be recovered by " + recovery.transition());
        }
    }

    private static void requeue(Session session, Job job, JobState to, @Nullable Instant dueAt,
            String reason, String survivor, Instant now) throws SQLException {
        session.update(
                """
                        UPDATE heddle.live SET state = ?, due_at = ?, node = NULL, assigned_at = NULL, started_at = NULL,
                               care = NULL, progress = NULL,
                               lane = (SELECT other.id FROM heddle.lane own
                                       JOIN heddle.lane other ON other.queue = own.queue AND other.type = own.type
                                       WHERE own.id = live.lane AND other.suspect)
                        WHERE seq = ?""",
                to, dueAt, job.seq());
        History.add(session, job.seq(), job.state(), to, reason, survivor, now);
    }

    private static void addCrashedAttempt(Session session, long seq, Instant now) throws SQLException {
        session.update(
                """
                        INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                        SELECT seq, attempt, node, '', assigned_at, started_at, ?, ? FROM heddle.live WHERE seq = ?""",
                now, Attempt.End.CRASHED, seq);
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

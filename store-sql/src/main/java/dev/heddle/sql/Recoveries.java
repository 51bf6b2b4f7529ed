package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Families;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Releases what dead nodes held. */
public final class Recoveries {

    /** Follows a condition on {@code l.node} that tells which nodes are dead. */
    private static final String HELD = " AND l.state IN ('ASSIGNED', 'RUNNING') ORDER BY l.seq";

    private static final Logger LOG = LoggerFactory.getLogger(Recoveries.class);

    private Recoveries() {}

    /**
     * Who is dead.
     *
     * @param condition on a column called {@code node}, with one parameter
     */
    public record Dead(String condition, Object parameter) {}

    public static List<Recovery> recover(Session session, Dead dead, String survivor, RecoveryPlan plan,
            Instant now, Kinship kin) throws SQLException {
        session.query("SELECT seq FROM heddle.live WHERE " + dead.condition() + " ORDER BY seq"
                + session.dialect().forUpdate(), dead.parameter()).close();
        List<Recovery> recoveries = plan.decide(orphans(session, dead));
        for (Recovery recovery : recoveries) {
            release(session, recovery, survivor, now, kin);
        }
        endCancelled(session, dead, survivor, now, kin);
        return recoveries;
    }

    private static List<Orphan> orphans(Session session, Dead dead) throws SQLException {
        List<Orphan> found = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT " + Rows.JOB
                + """
                        , l.care, EXISTS (SELECT 1 FROM heddle.checkpoint c WHERE c.seq = l.seq)
                        FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq
                        WHERE l."""
                + dead.condition() + HELD, dead.parameter())) {
            while (rows.next()) {
                String care = rows.getString(Rows.AFTER_JOB);
                found.add(new Orphan(Rows.job(rows), care == null ? Care.NONE : Care.valueOf(care),
                        rows.getBoolean(Rows.AFTER_JOB + 1)));
            }
        }
        List<Orphan> orphans = new ArrayList<>(found.size());
        for (Orphan orphan : found) {
            orphans.add(orphan.job().phase() == Phase.INGEST ? orphan
                    : new Orphan(orphan.job(), orphan.care(), orphan.hasCheckpoint(),
                            children(session, orphan.job().id())));
        }
        return orphans;
    }

    /** A job whose children cannot be read is recovered all the same, as the plan decides. */
    private static long children(Session session, JobId parent) throws SQLException {
        session.update("SAVEPOINT children");
        try (ResultSet row = session.query("SELECT count(*) FROM heddle.job WHERE parent = ?", parent)) {
            long count = row.next() ? row.getLong(1) : Orphan.UNREADABLE;
            session.update("RELEASE SAVEPOINT children");
            return count;
        } catch (SQLException e) {
            LOG.warn("Cannot read the children of job {}: {}", parent, e.getMessage());
            session.update("ROLLBACK TO SAVEPOINT children");
            return Orphan.UNREADABLE;
        }
    }

    private static void release(Session session, Recovery recovery, String survivor, Instant now, Kinship kin)
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
                requeue(session, recovery, JobState.QUEUED, null, reason, survivor, now);
            case Transition.Retry(Instant at, String reason) ->
                requeue(session, recovery, JobState.SCHEDULED, at, reason,
                        survivor, now);
            case Transition.Die(String reason) -> {
                kin.cancelChildren(session, List.of(job.seq()), Families.PARENT_COMPLETED, survivor, now);
                kin.lost(Ends.move(session, job.seq(), JobState.FAILED, reason, now), survivor, now);
                History.add(session, job.seq(), job.state(), JobState.FAILED, reason, survivor, now);
            }
            case Transition.Complete _,Transition.Wait _,Transition.Cancel _ ->
                throw new IllegalArgumentException(
                        "an orphan cannot be recovered by " + recovery.transition());
        }
    }

    private static void requeue(Session session, Recovery recovery, JobState to, @Nullable Instant dueAt,
            String reason, String survivor, Instant now) throws SQLException {
        Job job = recovery.orphan().job();
        session.update(
                """
                        UPDATE heddle.live SET state = ?, due_at = ?, node = NULL, assigned_at = NULL, started_at = NULL,
                               care = NULL, progress = NULL, phase = ?,
                               lane = (SELECT other.id FROM heddle.lane own
                                       JOIN heddle.lane other ON other.queue = own.queue AND other.type = own.type
                                       WHERE own.id = live.lane AND other.suspect)
                        WHERE seq = ?""",
                to, dueAt, recovery.phase() == Phase.INGEST ? null : recovery.phase(), job.seq());
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
    private static void endCancelled(Session session, Dead dead, String survivor, Instant now, Kinship kin)
            throws SQLException {
        String theirs = " FROM heddle.live WHERE state = 'CANCELLED' AND " + dead.condition();
        session.update(
                """
                        INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                        SELECT seq, attempt, node, '', assigned_at, started_at, ?, 'CRASHED'"""
                        + theirs
                        + " AND started_at IS NOT NULL",
                now, dead.parameter());
        session.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason, phase""" + theirs, now,
                dead.parameter());
        try (ResultSet gone = session.query("DELETE" + theirs + " RETURNING parent", dead.parameter())) {
            while (gone.next()) {
                kin.lost(Rows.number(gone, 1), survivor, now);
            }
        }
    }
}

package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import org.jspecify.annotations.Nullable;

/**
 * Releases what dead nodes held. Whoever holds the file's lock knows that every other node is dead, so there is
 * no lease to wait for. The whole table is read, once at opening, to spare every claim an index on its node.
 */
final class Recoveries {

    private final Lanes lanes;

    Recoveries(Lanes lanes) {
        this.lanes = lanes;
    }

    List<Recovery> recover(Session session, String survivor, RecoveryPlan plan, Instant now)
            throws SQLException {
        lanes.load(session);
        List<Recovery> recoveries = plan.decide(orphans(session, survivor));
        for (Recovery recovery : recoveries) {
            release(session, recovery, survivor, now);
        }
        endCancelled(session, survivor, now);
        session.update("DELETE FROM node WHERE id <> ?", survivor);
        return recoveries;
    }

    private static List<Orphan> orphans(Session session, String survivor) throws SQLException {
        List<Orphan> orphans = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT " + Rows.JOB + """
                , l.start_committed, EXISTS (SELECT 1 FROM checkpoint c WHERE c.seq = l.seq)
                FROM live l JOIN job j ON j.seq = l.seq LEFT JOIN ended e ON e.seq = l.seq
                WHERE l.state IN ('ASSIGNED', 'RUNNING') AND l.node <> ? ORDER BY l.seq""", survivor)) {
            while (rows.next()) {
                orphans.add(new Orphan(Rows.job(rows), rows.getInt(28) == 1, rows.getBoolean(29)));
            }
        }
        return orphans;
    }

    private void release(Session session, Recovery recovery, String survivor, Instant now)
            throws SQLException {
        Job job = recovery.orphan().job();
        if (job.status().startedAt() != null) {
            addCrashedAttempt(session, job.seq(), now);
        }
        if (recovery.crashed()) {
            session.update("UPDATE live SET crashes = crashes + 1 WHERE seq = ?", job.seq());
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

    private void requeue(Session session, Job job, JobState to, @Nullable Instant dueAt,
            String reason, String survivor, Instant now) throws SQLException {
        long lane = lanes.id(session, new Lanes.Lane(job.queue(), job.type(), true));
        session.update(
                """
                        UPDATE live SET state = ?, due_at = ?, lane = ?, node = NULL, assigned_at = NULL, started_at = NULL,
                               start_committed = NULL, progress = NULL
                        WHERE seq = ?""",
                to, Rows.millis(dueAt), lane, job.seq());
        History.add(session, job.seq(), job.state(), to, reason, survivor, now);
    }

    private static void addCrashedAttempt(Session session, long seq, Instant now) throws SQLException {
        session.update("""
                INSERT INTO attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                SELECT seq, attempt, node, '', assigned_at, started_at, ?, ? FROM live WHERE seq = ?""",
                now.toEpochMilli(), Attempt.End.CRASHED, seq);
    }

    /** Jobs that were cancelled while a node ran them, and the node died before it could say so. */
    private static void endCancelled(Session session, String survivor, Instant now) throws SQLException {
        session.update("""
                INSERT INTO attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                SELECT seq, attempt, node, '', assigned_at, started_at, ?, 'CRASHED'
                FROM live WHERE state = 'CANCELLED' AND node <> ? AND started_at IS NOT NULL""",
                now.toEpochMilli(),
                survivor);
        session.update("""
                INSERT INTO ended (seq, state, ended_at, attempt, failures, crashes, reason)
                SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason
                FROM live WHERE state = 'CANCELLED' AND node <> ?""", now.toEpochMilli(), survivor);
        session.update("DELETE FROM live WHERE state = 'CANCELLED' AND node <> ?", survivor);
    }
}

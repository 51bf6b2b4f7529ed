package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Families;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases what dead nodes held: thousands of jobs in one transaction, and in a number of round trips that hardly grows
 * with them.
 */
public final class Recoveries {

    private static final Logger LOG = LoggerFactory.getLogger(Recoveries.class);

    /** Follows a condition on {@code l.node} that tells which nodes are dead. What is kept for its machine is no orphan. */
    private static final String HELD = " AND l.state IN ('ASSIGNED', 'RUNNING') AND NOT " + Adoptions.KEPT
            + " ORDER BY l.seq";

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
            Instant now, Kinship kin) throws SQLException {
        session.query("SELECT seq FROM heddle.live WHERE " + dead.condition() + " ORDER BY seq"
                + session.dialect().forUpdate(), dead.parameter()).close();
        List<Recovery> recoveries = plan.decide(orphans(session, dead, now));
        if (!recoveries.isEmpty()) {
            addCrashedAttempts(session, recoveries, now);
            countCrashes(session, recoveries);
            resetPhases(session, recoveries);
            release(session, recoveries);
            bury(session, recoveries, survivor, now, kin);
            addHistory(session, recoveries, survivor, now);
        }
        endCancelled(session, dead, survivor, now, kin);
        return recoveries;
    }

    private static List<Orphan> orphans(Session session, Dead dead, Instant now) throws SQLException {
        List<Orphan> found = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT " + Rows.JOB
                + """
                        , l.care, EXISTS (SELECT 1 FROM heddle.checkpoint c WHERE c.seq = l.seq)
                        FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq
                        WHERE l."""
                + dead.condition() + HELD, dead.parameter(), now)) {
            while (rows.next()) {
                String care = rows.getString(Rows.AFTER_JOB);
                found.add(new Orphan(Rows.job(rows), care == null ? Care.NONE : Care.valueOf(care),
                        rows.getBoolean(Rows.AFTER_JOB + 1)));
            }
        }
        return withChildren(session, found);
    }

    /** Only who is to aggregate its children is asked about them. */
    private static List<Orphan> withChildren(Session session, List<Orphan> found) throws SQLException {
        List<Long> parents = found.stream().map(Orphan::job).filter(job -> job.phase() != Phase.INGEST)
                .map(Job::seq).toList();
        if (parents.isEmpty()) {
            return found;
        }
        Function<Long, Long> children = children(session, parents);
        return found.stream()
                .map(orphan -> orphan.job().phase() == Phase.INGEST ? orphan
                        : new Orphan(orphan.job(), orphan.care(), orphan.hasCheckpoint(),
                                children.apply(orphan.job().seq())))
                .toList();
    }

    /** Jobs whose children cannot be read are recovered all the same, as the plan decides. */
    private static Function<Long, Long> children(Session session, List<Long> parents) throws SQLException {
        session.update("SAVEPOINT children");
        try (ResultSet rows = session.query("""
                SELECT p.seq, count(*) FROM heddle.job p JOIN heddle.job c ON c.parent = p.id
                WHERE p.seq""" + session.dialect().anyOf() + " GROUP BY p.seq", new Seqs(parents))) {
            Map<Long, Long> counts = new HashMap<>();
            while (rows.next()) {
                counts.put(rows.getLong(1), rows.getLong(2));
            }
            session.update("RELEASE SAVEPOINT children");
            return seq -> counts.getOrDefault(seq, 0L);
        } catch (SQLException e) {
            LOG.warn("Cannot read the children of {} jobs: {}", parents.size(), e.getMessage());
            session.update("ROLLBACK TO SAVEPOINT children");
            return _ -> Orphan.UNREADABLE;
        }
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

    private static void resetPhases(Session session, List<Recovery> recoveries) throws SQLException {
        session.update("UPDATE heddle.live SET phase = NULL WHERE seq" + session.dialect().anyOf(),
                seqs(recoveries, recovery -> recovery.phase() == Phase.INGEST
                        && recovery.orphan().job().phase() != Phase.INGEST));
    }

    private static void release(Session session, List<Recovery> recoveries) throws SQLException {
        session.update("UPDATE heddle.live SET state = 'QUEUED', due_at = NULL" + RELEASED
                + session.dialect().anyOf(),
                seqs(recoveries, recovery -> recovery.transition() instanceof Transition.Requeue));
        session.batch("UPDATE heddle.live SET state = 'SCHEDULED', due_at = ?" + RELEASED + " = ?",
                recoveries.stream().filter(recovery -> recovery.transition() instanceof Transition.Retry)
                        .toList(),
                recovery -> new Object[]{((Transition.Retry) recovery.transition()).at(), seq(recovery)});
    }

    private static void bury(Session session, List<Recovery> recoveries, String survivor, Instant now,
            Kinship kin) throws SQLException {
        List<Recovery> doomed = recoveries.stream()
                .filter(recovery -> recovery.transition() instanceof Transition.Die).toList();
        Seqs seqs = seqs(doomed, _ -> true);
        kin.cancelChildren(session, seqs.values(), Families.PARENT_COMPLETED, survivor, now);
        session.batch(
                """
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                        SELECT seq, 'FAILED', ?, attempt, failures, crashes, ?, phase FROM heddle.live WHERE seq = ?""",
                doomed, recovery -> new Object[]{now, reason(recovery), seq(recovery)});
        remove(session, " FROM heddle.live WHERE seq" + session.dialect().anyOf(), seqs, survivor, now, kin);
    }

    /** Takes jobs from those at work, and tells their parents. */
    private static void remove(Session session, String which, Object parameter, String survivor, Instant now,
            Kinship kin) throws SQLException {
        try (ResultSet gone = session.query("DELETE" + which + " RETURNING parent", parameter)) {
            while (gone.next()) {
                kin.lost(Rows.number(gone, 1), survivor, now);
            }
        }
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
            case Transition.Complete _,Transition.Wait _,Transition.Cancel _ ->
                throw new IllegalArgumentException(
                        "an orphan cannot be recovered by " + recovery.transition());
        };
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
        remove(session, theirs, dead.parameter(), survivor, now, kin);
    }
}

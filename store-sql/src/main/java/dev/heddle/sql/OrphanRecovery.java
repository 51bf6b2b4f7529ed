package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StartGuarantee;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers the jobs that dead nodes held, thousands in one transaction. The number of round trips hardly grows with the
 * number of jobs.
 */
public final class OrphanRecovery {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanRecovery.class);

    /** Follows the condition of a {@link Dead}. An attempt that is reserved for its machine is no orphan. */
    private static final String ORPHANED = " AND l.state IN ('ASSIGNED', 'RUNNING') AND NOT "
            + ReservationRows.IS_RESERVED + " ORDER BY l.seq";

    /** Clears what the attempt left on the row. */
    private static final String RELEASE = """
            UPDATE heddle.live SET state = ?, due_at = ?, due_after_span = TRUE, suspicion = ?, node = NULL, assigned_at = NULL,
                   started_at = NULL, care = NULL, progress = NULL
            WHERE seq = ?""";
    private static final String TO_SUSPECT_LANE = """
            UPDATE heddle.live SET lane = (SELECT other.id FROM heddle.lane own
                   JOIN heddle.lane other ON other.queue = own.queue AND other.type = own.type
                   WHERE own.id = live.lane AND other.suspect)
            WHERE seq""";

    private OrphanRecovery() {}

    /**
     * Selects the dead nodes.
     *
     * @param condition a condition on a column called {@code node}, with one parameter
     */
    public record Dead(String condition, Object parameter) {}

    /**
     * Does to each job of the dead nodes what the plan decides, and returns the decisions.
     *
     * @param survivor the node that recovers, which the history names as the actor
     */
    public static List<Recovery> recover(Tx tx, Dead dead, String survivor, RecoveryPlan plan, Instant now,
            FamilyChanges families) throws SQLException {
        tx.query("SELECT seq FROM heddle.live WHERE " + dead.condition() + " ORDER BY seq" + tx.dialect().forUpdate(),
                dead.parameter()).close();
        List<Recovery> recoveries = plan.decide(orphans(tx, dead, now));
        if (!recoveries.isEmpty()) {
            addAttempts(tx, recoveries, Attempt.End.NODE_DIED, now);
            addAttempts(tx, recoveries, Attempt.End.CRASHED, now);
            countCrashes(tx, recoveries);
            resetPhases(tx, recoveries);
            release(tx, recoveries);
            deadLetter(tx, recoveries, survivor, now, families);
            addHistory(tx, recoveries, survivor, now);
            Successors.endRecovered(tx,
                    seqs(recoveries, recovery -> !(recovery.transition() instanceof Transition.Fail)), survivor, now,
                    families);
        }
        endCancelled(tx, dead, survivor, now, families);
        return recoveries;
    }

    private static List<Orphan> orphans(Tx tx, Dead dead, Instant now) throws SQLException {
        List<Orphan> found = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT " + Rows.JOB + """
                , l.care, EXISTS (SELECT 1 FROM heddle.checkpoint c WHERE c.seq = l.seq), l.suspicion, lane.suspect,
                n.renewed_at, n.lease_ms
                FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq JOIN heddle.lane lane ON lane.id = l.lane
                LEFT JOIN heddle.node n ON n.id = l.node LEFT JOIN heddle.ended e ON e.seq = l.seq
                WHERE l.""" + dead.condition() + ORPHANED, dead.parameter(), tx.now())) {
            while (rows.next()) {
                int at = Rows.AFTER_JOB;
                Job job = Rows.job(rows);
                String care = rows.getString(at);
                found.add(new Orphan(job, guarantee(care),
                        rows.getBoolean(at + 1), 0, Suspicions.read(rows.getString(at + 2), rows.getBoolean(at + 3)),
                        Orphan.ranFor(job.status().startedAt(), Rows.time(rows, at + 4),
                                Duration.ofMillis(rows.getLong(at + 5)), now)));
            }
        }
        return withCancelled(tx, dead, withChildren(tx, found));
    }

    /** Tells the orphans how many attempts of cancelled jobs ran on their nodes until the end. */
    private static List<Orphan> withCancelled(Tx tx, Dead dead, List<Orphan> found) throws SQLException {
        Map<String, Integer> cancelled = new HashMap<>();
        try (ResultSet rows = tx.query("""
                SELECT l.node, l.attempt, l.suspicion, lane.suspect
                FROM heddle.live l JOIN heddle.lane lane ON lane.id = l.lane
                WHERE l.state = 'CANCELLED' AND l.started_at IS NOT NULL AND l.""" + dead.condition(),
                dead.parameter())) {
            while (rows.next()) {
                if (!Suspicions.read(rows.getString(3), rows.getBoolean(4)).isCleared(rows.getInt(2))) {
                    cancelled.merge(rows.getString(1), 1, Integer::sum);
                }
            }
        }
        return cancelled.isEmpty() ? found : found.stream().map(orphan -> orphan
                .withCancelledBeside(cancelled.getOrDefault(String.valueOf(orphan.job().status().node()), 0))).toList();
    }

    /** A guarantee that makes no sense counts as the strictest: then the job does not run twice. */
    private static StartGuarantee guarantee(@Nullable String care) {
        try {
            return care == null ? StartGuarantee.NONE : StartGuarantee.ofStored(care);
        } catch (IllegalArgumentException e) {
            return StartGuarantee.AT_MOST_ONCE;
        }
    }

    /** Counts the children of jobs in their second phase. */
    private static List<Orphan> withChildren(Tx tx, List<Orphan> found) throws SQLException {
        List<Long> parents = found.stream().map(Orphan::job).filter(job -> job.phase() != Phase.INGEST).map(Job::seq)
                .toList();
        if (parents.isEmpty()) {
            return found;
        }
        Function<Long, Long> children = children(tx, parents);
        return found.stream().map(orphan -> orphan.job().phase() == Phase.INGEST ? orphan
                : orphan.withChildren(children.apply(orphan.job().seq()))).toList();
    }

    /**
     * Returns the numbers of children. If they cannot be read, the jobs are recovered all the same, as the plan
     * decides.
     */
    private static Function<Long, Long> children(Tx tx, List<Long> parents) throws SQLException {
        tx.update("SAVEPOINT children");
        try (ResultSet rows = tx.query("""
                SELECT p.seq, count(*) FROM heddle.job p JOIN heddle.job c ON c.parent = p.id
                WHERE p.seq""" + tx.dialect().anyOf() + " GROUP BY p.seq", new SeqList(parents))) {
            Map<Long, Long> counts = new HashMap<>();
            while (rows.next()) {
                counts.put(rows.getLong(1), rows.getLong(2));
            }
            tx.update("RELEASE SAVEPOINT children");
            return seq -> counts.getOrDefault(seq, 0L);
        } catch (SQLException e) {
            LOG.warn("Cannot count the children of {} jobs to recover: {}", parents.size(), e.getMessage());
            tx.update("ROLLBACK TO SAVEPOINT children");
            return _ -> Orphan.UNREADABLE;
        }
    }

    private static SeqList seqs(List<Recovery> recoveries, Predicate<Recovery> which) {
        return new SeqList(recoveries.stream().filter(which).map(OrphanRecovery::seq).toList());
    }

    private static long seq(Recovery recovery) {
        return recovery.orphan().job().seq();
    }

    /** Records the attempts that had started and ended so. */
    private static void addAttempts(Tx tx, List<Recovery> recoveries, Attempt.End end, Instant now)
            throws SQLException {
        SeqList started = seqs(recoveries,
                recovery -> recovery.end() == end && recovery.orphan().job().status().startedAt() != null);
        tx.update(
                """
                        INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                        SELECT seq, attempt, node, '', assigned_at, started_at, ?, ? FROM heddle.live WHERE seq"""
                        + tx.dialect().anyOf(),
                now, end, started);
    }

    private static void countCrashes(Tx tx, List<Recovery> recoveries) throws SQLException {
        tx.update("UPDATE heddle.live SET crashes = crashes + 1 WHERE seq" + tx.dialect().anyOf(),
                seqs(recoveries, Recovery::crashed));
    }

    private static void resetPhases(Tx tx, List<Recovery> recoveries) throws SQLException {
        tx.update("UPDATE heddle.live SET phase = NULL WHERE seq" + tx.dialect().anyOf(), seqs(recoveries,
                recovery -> recovery.phase() == Phase.INGEST && recovery.orphan().job().phase() != Phase.INGEST));
    }

    private static void release(Tx tx, List<Recovery> recoveries) throws SQLException {
        tx.update(TO_SUSPECT_LANE + tx.dialect().anyOf(),
                seqs(recoveries, recovery -> recovery.suspicion().suspect()));
        for (JobState target : List.of(JobState.QUEUED, JobState.SCHEDULED)) {
            CountRows.move(tx, seqs(recoveries, recovery -> recovery.transition().target() == target).values(), target);
        }
        Instant now = tx.now();
        tx.batch(RELEASE,
                recoveries.stream().filter(recovery -> !(recovery.transition() instanceof Transition.Fail)).toList(),
                recovery -> new @Nullable Object[]{recovery.transition().target(),
                    recovery.transition() instanceof Transition.Retry(var delay, _) ? now.plus(delay) : null,
                    Suspicions.write(recovery.suspicion()), seq(recovery)});
    }

    private static void deadLetter(Tx tx, List<Recovery> recoveries, String survivor, Instant now,
            FamilyChanges families) throws SQLException {
        List<Recovery> failed = recoveries.stream().filter(recovery -> recovery.transition() instanceof Transition.Fail)
                .toList();
        SeqList seqs = seqs(failed, _ -> true);
        families.cancelChildren(tx, seqs.values(), FamilyReasons.parentEnded(JobState.FAILED), survivor, now);
        CountRows.move(tx, seqs.values(), JobState.FAILED);
        tx.batch("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, 'FAILED', ?, attempt, failures, crashes, ?, phase FROM heddle.live WHERE seq = ?""", failed,
                recovery -> new Object[]{now, reason(recovery), seq(recovery)});
        removeLive(tx, " FROM heddle.live WHERE seq" + tx.dialect().anyOf(), seqs, survivor, now, families);
    }

    /** Deletes live rows, and notes the ends for the parents. */
    private static void removeLive(Tx tx, String which, Object parameter, String survivor, Instant now,
            FamilyChanges families) throws SQLException {
        try (ResultSet gone = tx.query("DELETE" + which + " RETURNING parent", parameter)) {
            while (gone.next()) {
                families.childEnded(Rows.number(gone, 1), survivor, now);
            }
        }
    }

    private static void addHistory(Tx tx, List<Recovery> recoveries, String survivor, Instant now) throws SQLException {
        tx.batch(HistoryRows.INSERT, recoveries, recovery -> new Object[]{seq(recovery),
            recovery.orphan().job().state(), recovery.transition().target(), reason(recovery), survivor, now});
    }

    private static String reason(Recovery recovery) {
        return switch (recovery.transition()) {
            case Transition.Requeue(String reason) -> reason;
            case Transition.Retry(_, String reason) -> reason;
            case Transition.Fail(String reason) -> reason;
            case Transition.Complete _, Transition.Reschedule _, Transition.Wait _, Transition.Cancel _ ->
                throw new IllegalArgumentException("cannot recover an orphan by " + recovery.transition());
        };
    }

    /** Ends jobs that were cancelled while they ran, on a node that died before it could end them. */
    private static void endCancelled(Tx tx, Dead dead, String survivor, Instant now, FamilyChanges families)
            throws SQLException {
        String theirs = " FROM heddle.live WHERE state = 'CANCELLED' AND " + dead.condition();
        tx.update("""
                INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome)
                SELECT seq, attempt, node, '', assigned_at, started_at, ?, 'NODE_DIED'""" + theirs
                + " AND started_at IS NOT NULL", now, dead.parameter());
        tx.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason, phase""" + theirs, now,
                dead.parameter());
        removeLive(tx, theirs, dead.parameter(), survivor, now, families);
    }
}

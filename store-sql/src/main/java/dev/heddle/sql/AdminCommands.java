package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.limit.LimitIds;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** Executes the commands of people and scripts. */
final class AdminCommands {

    private AdminCommands() {}

    /** The status of a job, locked for a command. */
    private record LockedJob(long seq, JobState state, boolean live, @Nullable Instant dueAt, int attempt,
            @Nullable String node) {}

    static CommandResult execute(Tx tx, AdminCommand command, FamilyChanges families) throws SQLException {
        return switch (command) {
            case AdminCommand.Cancel cancel -> cancel(tx, cancel, families);
            case AdminCommand.Pause pause -> pause(tx, pause);
            case AdminCommand.Resume resume -> resume(tx, resume);
            case AdminCommand.Reschedule reschedule -> reschedule(tx, reschedule);
            case AdminCommand.Reprioritize(JobId id, int priority, String actor, Instant at) ->
                place(tx, id, null, priority, "priority set to " + priority, actor, at);
            case AdminCommand.Move(JobId id, String queue, String actor, Instant at) ->
                place(tx, id, queue, null, "moved to queue '" + queue + "'", actor, at);
            case AdminCommand.Retry retry -> retry(tx, retry);
            case AdminCommand.Delete delete -> delete(tx, delete, families);
            case AdminCommand.RetryMatching(JobQuery query, String actor, Instant at) ->
                new CommandResult.Done(revive(tx, deadLetters(tx, query), AdminCommand.Retry.BY_HAND, actor, at));
            case AdminCommand.PurgeMatching(JobQuery query, _, _) ->
                new CommandResult.Done(purge(tx, deadLetters(tx, query)));
            case AdminCommand.RetryErrors(String fingerprint, long before, int limit, String actor, Instant at) ->
                new CommandResult.Done(
                        revive(tx, errors(tx, fingerprint, before, limit), AdminCommand.Retry.BY_HAND, actor, at));
            case AdminCommand.PurgeErrors(String fingerprint, int limit, _, _) ->
                new CommandResult.Done(purge(tx, errors(tx, fingerprint, 0, limit)));
            case AdminCommand.PauseQueue(String queue, String actor, Instant at) -> new CommandResult.Done(tx.update(
                    "INSERT INTO heddle.paused_queue (name, actor, paused_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    queue, actor, at));
            case AdminCommand.ResumeQueue(String queue, _, _) ->
                new CommandResult.Done(tx.update("DELETE FROM heddle.paused_queue WHERE name = ?", queue));
        };
    }

    private static List<Long> deadLetters(Tx tx, JobQuery query) throws SQLException {
        return JobListing.list(tx, query.states(JobState.FAILED)).stream().map(job -> job.seq()).toList();
    }

    private static List<Long> errors(Tx tx, String fingerprint, long before, int limit) throws SQLException {
        return ErrorRows.deadLetters(tx, fingerprint, before, limit).stream().map(job -> job.seq()).toList();
    }

    private static int purge(Tx tx, List<Long> seqs) throws SQLException {
        KeyRows.forget(tx, new SeqList(seqs));
        Pruning.delete(tx, new SeqList(seqs));
        return seqs.size();
    }

    private static @Nullable LockedJob lock(Tx tx, JobId id) throws SQLException {
        // Lock first, then read: the query then sees what the last change left.
        tx.query("SELECT 1 FROM heddle.live WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?)"
                + tx.dialect().forUpdate(), id).close();
        try (ResultSet row = tx.query(
                """
                        SELECT j.seq, coalesce(l.state, e.state), l.seq IS NOT NULL, l.due_at, l.attempt, l.node
                        FROM heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq WHERE j.id = ?""",
                id)) {
            return row.next() ? new LockedJob(row.getLong(1), Rows.liveState(row.getString(2)), row.getBoolean(3),
                    Rows.time(row, 4), row.getInt(5), row.getString(6)) : null;
        }
    }

    private static CommandResult cancel(Tx tx, AdminCommand.Cancel cancel, FamilyChanges families) throws SQLException {
        LockedJob job = lock(tx, cancel.id());
        if (job == null) {
            return new CommandResult.NotFound();
        }
        switch (job.state()) {
            case COMPLETED, FAILED -> {
                return new CommandResult.WrongState(job.state());
            }
            case CANCELLED -> {
                return new CommandResult.Done(0);
            }
            case QUEUED, SCHEDULED, PAUSED, WAITING, ASSIGNED, RUNNING -> HistoryRows.add(tx, job.seq(), job.state(),
                    JobState.CANCELLED, cancel.reason(), cancel.actor(), cancel.at());
        }
        int children = families.cancelChildren(tx, List.of(job.seq()), FamilyReasons.PARENT_CANCELLED, cancel.actor(),
                cancel.at());
        CountRows.move(tx, List.of(job.seq()), JobState.CANCELLED);
        if (job.state().isHeld() && job.node() != null) {
            tx.update("UPDATE heddle.live SET state = 'CANCELLED', reason = ? WHERE seq = ?", cancel.reason(),
                    job.seq());
            return new CommandResult.StillRunning(new Fence(job.seq(), job.attempt(), job.node()));
        }
        families.childEnded(EndedRows.move(tx, job.seq(), JobState.CANCELLED, cancel.reason(), cancel.at()),
                cancel.actor(), cancel.at());
        return new CommandResult.Done(1 + children);
    }

    private static CommandResult pause(Tx tx, AdminCommand.Pause pause) throws SQLException {
        LockedJob job = lock(tx, pause.id());
        if (job == null) {
            return new CommandResult.NotFound();
        }
        return switch (job.state()) {
            case PAUSED -> new CommandResult.Done(0);
            case QUEUED, SCHEDULED -> {
                CountRows.move(tx, List.of(job.seq()), JobState.PAUSED);
                tx.update("UPDATE heddle.live SET state = 'PAUSED', reason = ? WHERE seq = ?", pause.reason(),
                        job.seq());
                HistoryRows.add(tx, job.seq(), job.state(), JobState.PAUSED, pause.reason(), pause.actor(), pause.at());
                yield new CommandResult.Done(1);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(job.state());
        };
    }

    private static CommandResult resume(Tx tx, AdminCommand.Resume resume) throws SQLException {
        LockedJob job = lock(tx, resume.id());
        if (job == null) {
            return new CommandResult.NotFound();
        }
        return switch (job.state()) {
            case QUEUED, SCHEDULED -> new CommandResult.Done(0);
            case PAUSED -> {
                boolean later = job.dueAt() != null && job.dueAt().isAfter(tx.now());
                JobState to = later ? JobState.SCHEDULED : JobState.QUEUED;
                CountRows.move(tx, List.of(job.seq()), to);
                tx.update("UPDATE heddle.live SET state = ?, due_at = ?, reason = NULL WHERE seq = ?", to,
                        later ? job.dueAt() : null, job.seq());
                HistoryRows.add(tx, job.seq(), JobState.PAUSED, to, "resumed", resume.actor(), resume.at());
                yield new CommandResult.Done(1);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(job.state());
        };
    }

    private static CommandResult reschedule(Tx tx, AdminCommand.Reschedule command) throws SQLException {
        LockedJob job = lock(tx, command.id());
        if (job == null) {
            return new CommandResult.NotFound();
        }
        return switch (job.state()) {
            case QUEUED, SCHEDULED, PAUSED -> {
                Instant due = command.start().dueAt(tx.now()).orElse(null);
                boolean staysPaused = job.state() == JobState.PAUSED && !(command.start() instanceof Start.AtOnce);
                if (job.state() == JobState.QUEUED && due == null) {
                    yield new CommandResult.Done(0);
                }
                JobState to = staysPaused ? JobState.PAUSED : due == null ? JobState.QUEUED : JobState.SCHEDULED;
                CountRows.move(tx, List.of(job.seq()), to);
                tx.update("UPDATE heddle.live SET state = ?, due_at = ?, due_after_span = "
                        + (command.start() instanceof Start.After ? "TRUE" : "FALSE")
                        + (staysPaused ? "" : ", reason = NULL") + " WHERE seq = ?", to, due, job.seq());
                HistoryRows.add(tx, job.seq(), job.state(), to, command.reason(), command.actor(), command.at());
                yield new CommandResult.Done(1);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(job.state());
        };
    }

    /** Gives a waiting job another queue or priority; null leaves it as it is. The kind of its lane stays. */
    private static CommandResult place(Tx tx, JobId id, @Nullable String otherQueue, @Nullable Integer otherPriority,
            String reason, String actor, Instant at) throws SQLException {
        LockedJob job = lock(tx, id);
        if (job == null) {
            return new CommandResult.NotFound();
        }
        switch (job.state()) {
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> {
                return new CommandResult.WrongState(job.state());
            }
            case QUEUED, SCHEDULED, PAUSED -> {
            }
        }
        JobSpec before = Queries.find(tx, id).orElseThrow().spec();
        JobSpec spec = before.placed(otherQueue == null ? before.queue() : otherQueue,
                otherPriority == null ? before.priority() : otherPriority);
        if (spec.equals(before)) {
            return new CommandResult.Done(0);
        }
        Long group = spec.limits().isEmpty() ? null : LimitIds.group(spec);
        CountRows.move(tx, List.of(job.seq()), null);
        tx.update("UPDATE heddle.job SET queue = ?, priority = ?, limit_group = ? WHERE seq = ?", spec.queue(),
                spec.priority(), group, job.seq());
        String type = "(SELECT type FROM heddle.lane WHERE id = (SELECT lane FROM heddle.live WHERE seq = ?))";
        tx.update("INSERT INTO heddle.lane (queue, type, suspect) VALUES (?, " + type + ", FALSE), (?, " + type
                + ", TRUE) ON CONFLICT (queue, type, suspect) DO NOTHING", spec.queue(), job.seq(), spec.queue(),
                job.seq());
        // Setting the state, to what it is, tells the limits of the job.
        tx.update("""
                UPDATE heddle.live SET state = ?, priority = ?,
                    limit_group = CASE WHEN limit_group IS NULL THEN limit_group ELSE ? END,
                    lane = (SELECT other.id FROM heddle.lane other JOIN heddle.lane old ON old.id = live.lane
                            WHERE other.queue = ? AND other.type = old.type AND other.suspect = old.suspect)
                WHERE seq = ?""", job.state(), spec.priority(), group, spec.queue(), job.seq());
        CountRows.enter(tx, List.of(job.seq()), null);
        HistoryRows.add(tx, job.seq(), job.state(), job.state(), reason, actor, at);
        return new CommandResult.Done(1);
    }

    private static CommandResult delete(Tx tx, AdminCommand.Delete delete, FamilyChanges families) throws SQLException {
        JobId id = delete.id();
        // A transaction that stores a child locks this row: it waits and finds no parent, or we see its child.
        tx.query("SELECT 1 FROM heddle.job WHERE id = ?" + tx.dialect().forUpdate(), id).close();
        // A transaction that retries a dead letter locks this row: it waits for us, or we see the live job.
        tx.query("SELECT 1 FROM heddle.ended WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?)"
                + tx.dialect().forUpdate(), id).close();
        LockedJob job = lock(tx, id);
        if (job == null) {
            return new CommandResult.NotFound();
        }
        if (job.state().isHeld()) {
            return new CommandResult.WrongState(job.state());
        }
        if (job.live() && job.node() != null) {
            return new CommandResult.StillRunning(new Fence(job.seq(), job.attempt(), job.node()));
        }
        families.cancelChildren(tx, List.of(job.seq()), FamilyReasons.PARENT_DELETED, delete.actor(), delete.at());
        CountRows.move(tx, List.of(job.seq()), null);
        families.childEnded(EndedRows.removeLive(tx, job.seq()), delete.actor(), delete.at());
        KeyRows.forget(tx, new SeqList(List.of(job.seq())));
        Pruning.delete(tx, new SeqList(List.of(job.seq())));
        return new CommandResult.Done(1);
    }

    private static CommandResult retry(Tx tx, AdminCommand.Retry retry) throws SQLException {
        LockedJob job = lock(tx, retry.id());
        if (job == null) {
            return new CommandResult.NotFound();
        }
        List<String> steps = retry.fromStep() == null ? List.of() : SavedStateRows.stepNames(tx, job.seq());
        int from = retry.fromStep() == null ? 0 : steps.indexOf(retry.fromStep());
        if (from < 0 && job.state() == JobState.FAILED) {
            return new CommandResult.NoSuchStep(String.valueOf(retry.fromStep()), steps);
        }
        if (job.state() != JobState.FAILED
                || revive(tx, List.of(job.seq()), retry.reason(), retry.actor(), retry.at()) == 0) {
            return new CommandResult.WrongState(job.state());
        }
        SavedStateRows.forgetSteps(tx, job.seq(), steps.subList(from, steps.size()));
        if (retry.forgetCheckpoint()) {
            SavedStateRows.forgetCheckpoint(tx, job.seq());
        }
        return new CommandResult.Done(1);
    }

    /**
     * Moves dead letters back to {@code live}, except those whose dedupe key another live job has; returns how many it
     * moved.
     */
    private static int revive(Tx tx, List<Long> seqs, String reason, String actor, Instant at) throws SQLException {
        String these = " WHERE e.seq" + tx.dialect().anyOf() + " AND e.state = 'FAILED'";
        List<Long> dead = seqs(tx.query("SELECT e.seq FROM heddle.ended e" + these + tx.dialect().forUpdate(),
                new SeqList(seqs)));
        List<Long> revived = seqs(tx.query("""
                INSERT INTO heddle.live (seq, lane, priority, state, attempt, failures, crashes, dedupe, phase, parent,
                                         has_children, limit_group, submitted_at)
                SELECT j.seq, lane.id, j.priority, 'QUEUED', e.attempt, 0, 0, j.type || ? || j.dedupe_key,
                       CASE WHEN EXISTS (SELECT 1 FROM heddle.job c WHERE c.parent = j.id) THEN e.phase END,
                       (SELECT p.seq FROM heddle.job p WHERE p.id = j.parent),
                       EXISTS (SELECT 1 FROM heddle.job c WHERE c.parent = j.id), j.limit_group,
                       CASE WHEN j.session IS NOT NULL THEN ? END
                FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq
                JOIN heddle.lane lane ON lane.queue = j.queue AND NOT lane.suspect
                 AND lane.type = CASE WHEN j.limit_group IS NULL THEN j.type ELSE j.type || ? END"""
                + these + " ON CONFLICT (dedupe) WHERE dedupe IS NOT NULL DO NOTHING RETURNING seq",
                AdmissionControl.SEPARATOR, tx.now(), Lanes.limited(""), new SeqList(dead)));
        tx.update("DELETE FROM heddle.ended WHERE seq" + tx.dialect().anyOf(), new SeqList(revived));
        CountRows.moveJobs(tx, revived, JobState.FAILED, JobState.QUEUED);
        tx.batch(HistoryRows.INSERT, revived, seq -> new @Nullable Object[]{seq, JobState.FAILED, JobState.QUEUED,
            reason, actor, at});
        return revived.size();
    }

    private static List<Long> seqs(ResultSet opened) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        try (ResultSet rows = opened) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
            }
        }
        return seqs;
    }
}

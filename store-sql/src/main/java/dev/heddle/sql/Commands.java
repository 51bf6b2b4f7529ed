package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Command;
import dev.heddle.store.Families;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Ruling;
import org.jspecify.annotations.Nullable;

/** Does what people ask for. */
final class Commands {

    private Commands() {}

    /** Where a job stands, as far as commands need it. */
    private record Standing(long seq, JobState state, boolean live, @Nullable Instant dueAt, int attempt,
            @Nullable String node) {}

    static Ruling execute(Session session, Command command, Kinship kin)
            throws SQLException {
        return switch (command) {
            case Command.Cancel cancel -> cancel(session, cancel, kin);
            case Command.Pause pause -> pause(session, pause);
            case Command.Resume resume -> resume(session, resume);
            case Command.Retry retry -> retry(session, retry);
            case Command.Delete delete -> delete(session, delete, kin);
            case Command.RetryMatching(JobQuery query, String actor, Instant at) -> {
                int count = 0;
                for (long seq : dead(session, query)) {
                    count += revive(session, seq, actor, at) ? 1 : 0;
                }
                yield new Ruling.Done(count);
            }
            case Command.PurgeMatching(JobQuery query, _, _) -> {
                List<Long> seqs = dead(session, query);
                Pruning.delete(session, new Seqs(seqs));
                yield new Ruling.Done(seqs.size());
            }
            case Command.PauseQueue(String queue, String actor, Instant at) -> new Ruling.Done(session.update(
                    "INSERT INTO heddle.paused_queue (name, actor, paused_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    queue,
                    actor, at));
            case Command.ResumeQueue(String queue, _, _) -> new Ruling.Done(
                    session.update("DELETE FROM heddle.paused_queue WHERE name = ?", queue));
        };
    }

    private static List<Long> dead(Session session, JobQuery query) throws SQLException {
        return Reads.list(session, query.states(JobState.FAILED)).stream().map(job -> job.seq()).toList();
    }

    private static @Nullable Standing standing(Session session, JobId id) throws SQLException {
        // Locked first and read second, so that what is read is what the last change left.
        session.query("SELECT 1 FROM heddle.live WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?)"
                + session.dialect().forUpdate(), id).close();
        try (ResultSet row = session.query(
                """
                        SELECT j.seq, coalesce(l.state, e.state), l.seq IS NOT NULL, l.due_at, l.attempt, l.node
                        FROM heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq WHERE j.id = ?""",
                id)) {
            return row.next()
                    ? new Standing(row.getLong(1), JobState.valueOf(row.getString(2)), row.getBoolean(3),
                            Rows.time(row, 4), row.getInt(5), row.getString(6))
                    : null;
        }
    }

    private static Ruling cancel(Session session, Command.Cancel cancel, Kinship kin)
            throws SQLException {
        Standing job = standing(session, cancel.id());
        if (job == null) {
            return new Ruling.NotFound();
        }
        switch (job.state()) {
            case COMPLETED, FAILED -> {
                return new Ruling.WrongState(job.state());
            }
            case CANCELLED -> {
                return new Ruling.Done(0);
            }
            case QUEUED, SCHEDULED, PAUSED, WAITING, ASSIGNED, RUNNING ->
                History.add(session, job.seq(), job.state(),
                        JobState.CANCELLED, cancel.reason(), cancel.actor(), cancel.at());
        }
        int children = kin.cancelChildren(session, List.of(job.seq()), Families.PARENT_COMPLETED,
                cancel.actor(), cancel.at());
        if (job.state().isHeld() && job.node() != null) {
            session.update("UPDATE heddle.live SET state = 'CANCELLED', reason = ? WHERE seq = ?",
                    cancel.reason(),
                    job.seq());
            return new Ruling.StillRunning(new Fence(job.seq(), job.attempt(), job.node()));
        }
        kin.lost(Ends.move(session, job.seq(), JobState.CANCELLED, cancel.reason(), cancel.at()),
                cancel.actor(), cancel.at());
        return new Ruling.Done(1 + children);
    }

    private static Ruling pause(Session session, Command.Pause pause) throws SQLException {
        Standing job = standing(session, pause.id());
        if (job == null) {
            return new Ruling.NotFound();
        }
        return switch (job.state()) {
            case PAUSED -> new Ruling.Done(0);
            case QUEUED, SCHEDULED -> {
                session.update("UPDATE heddle.live SET state = 'PAUSED', reason = ? WHERE seq = ?",
                        pause.reason(),
                        job.seq());
                History.add(session, job.seq(), job.state(), JobState.PAUSED, pause.reason(), pause.actor(),
                        pause.at());
                yield new Ruling.Done(1);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED ->
                new Ruling.WrongState(job.state());
        };
    }

    private static Ruling resume(Session session, Command.Resume resume) throws SQLException {
        Standing job = standing(session, resume.id());
        if (job == null) {
            return new Ruling.NotFound();
        }
        return switch (job.state()) {
            case QUEUED, SCHEDULED -> new Ruling.Done(0);
            case PAUSED -> {
                boolean later = job.dueAt() != null && job.dueAt().isAfter(resume.at());
                JobState to = later ? JobState.SCHEDULED : JobState.QUEUED;
                session.update("UPDATE heddle.live SET state = ?, due_at = ?, reason = NULL WHERE seq = ?",
                        to,
                        later ? job.dueAt() : null, job.seq());
                History.add(session, job.seq(), JobState.PAUSED, to, "resumed", resume.actor(), resume.at());
                yield new Ruling.Done(1);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED ->
                new Ruling.WrongState(job.state());
        };
    }

    private static Ruling delete(Session session, Command.Delete delete, Kinship kin) throws SQLException {
        JobId id = delete.id();
        // Whoever stores a child of it has this row: either it waits for us and finds no parent, or we see its child.
        session.query("SELECT 1 FROM heddle.job WHERE id = ?" + session.dialect().forUpdate(), id).close();
        // Whoever revives a dead letter holds this row: either it waits for us, or we see the job it made of it.
        session.query("SELECT 1 FROM heddle.ended WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?)"
                + session.dialect().forUpdate(), id).close();
        Standing job = standing(session, id);
        if (job == null) {
            return new Ruling.NotFound();
        }
        if (job.state().isHeld()) {
            return new Ruling.WrongState(job.state());
        }
        if (job.live() && job.node() != null) {
            return new Ruling.StillRunning(new Fence(job.seq(), job.attempt(), job.node()));
        }
        kin.cancelChildren(session, List.of(job.seq()), Families.PARENT_DELETED, delete.actor(), delete.at());
        kin.lost(Ends.remove(session, job.seq()), delete.actor(), delete.at());
        Pruning.delete(session, new Seqs(List.of(job.seq())));
        return new Ruling.Done(1);
    }

    private static Ruling retry(Session session, Command.Retry retry) throws SQLException {
        Standing job = standing(session, retry.id());
        if (job == null) {
            return new Ruling.NotFound();
        }
        return job.state() == JobState.FAILED && revive(session, job.seq(), retry.actor(), retry.at())
                ? new Ruling.Done(1)
                : new Ruling.WrongState(job.state());
    }

    /** Moves a dead letter back; false where another live job holds its dedupe key. */
    private static boolean revive(Session session, long seq, String actor, Instant at) throws SQLException {
        boolean dead;
        try (ResultSet rows = session.query("SELECT 1 FROM heddle.ended WHERE seq = ? AND state = 'FAILED'"
                + session.dialect().forUpdate(), seq)) {
            dead = rows.next();
        }
        int revived = dead ? session.update(
                """
                        INSERT INTO heddle.live (seq, lane, priority, state, attempt, failures, crashes, dedupe, phase, parent,
                                                 has_children)
                        SELECT j.seq, lane.id, j.priority, 'QUEUED', e.attempt, 0, 0, j.type || ? || j.dedupe_key,
                               CASE WHEN EXISTS (SELECT 1 FROM heddle.job c WHERE c.parent = j.id) THEN e.phase END,
                               (SELECT p.seq FROM heddle.job p WHERE p.id = j.parent),
                               EXISTS (SELECT 1 FROM heddle.job c WHERE c.parent = j.id)
                        FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq
                        JOIN heddle.lane lane ON lane.queue = j.queue AND lane.type = j.type AND NOT lane.suspect
                        WHERE e.seq = ?
                        ON CONFLICT (dedupe) WHERE dedupe IS NOT NULL DO NOTHING""",
                Admission.SEPARATOR, seq) : 0;
        if (revived == 0) {
            return false;
        }
        session.update("DELETE FROM heddle.ended WHERE seq = ?", seq);
        History.add(session, seq, JobState.FAILED, JobState.QUEUED, "retried by hand", actor, at);
        return true;
    }
}

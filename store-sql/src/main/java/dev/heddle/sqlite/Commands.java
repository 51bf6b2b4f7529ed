package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Ruling;
import org.jspecify.annotations.Nullable;

/** Does what people ask for. */
final class Commands {

    private final Lanes lanes;

    Commands(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Where a job stands, as far as commands need it. */
    private record Standing(long seq, JobState state, boolean live, @Nullable Instant dueAt, int attempt,
            @Nullable String node) {}

    Ruling execute(Session session, Command command) throws SQLException {
        lanes.load(session);
        return switch (command) {
            case Command.Cancel cancel -> cancel(session, cancel);
            case Command.Pause pause -> pause(session, pause);
            case Command.Resume resume -> resume(session, resume);
            case Command.Retry retry -> retry(session, retry);
            case Command.RetryMatching(JobQuery query, String actor, Instant at) -> {
                int count = 0;
                for (long seq : dead(session, query)) {
                    count += revive(session, seq, actor, at) ? 1 : 0;
                }
                yield new Ruling.Done(count);
            }
            case Command.PurgeMatching(JobQuery query, _, _) -> {
                List<Long> seqs = dead(session, query);
                for (long seq : seqs) {
                    Pruning.delete(session, seq);
                }
                yield new Ruling.Done(seqs.size());
            }
            case Command.PauseQueue(String queue, String actor, Instant at) -> changed(session.update(
                    "INSERT INTO paused_queue (name, actor, paused_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    queue,
                    actor, at.toEpochMilli()));
            case Command.ResumeQueue(String queue, _, _) -> changed(
                    session.update("DELETE FROM paused_queue WHERE name = ?", queue));
        };
    }

    private Ruling changed(int queues) {
        lanes.forget();
        return new Ruling.Done(queues);
    }

    private static List<Long> dead(Session session, JobQuery query) throws SQLException {
        return Reads.list(session, query.states(JobState.FAILED)).stream().map(job -> job.seq()).toList();
    }

    private static @Nullable Standing standing(Session session, JobId id) throws SQLException {
        try (ResultSet row = session.query(
                """
                        SELECT j.seq, coalesce(l.state, e.state), l.seq IS NOT NULL, l.due_at, l.attempt, l.node
                        FROM job j LEFT JOIN live l ON l.seq = j.seq LEFT JOIN ended e ON e.seq = j.seq WHERE j.id = ?""",
                id.toString())) {
            return row.next()
                    ? new Standing(row.getLong(1), JobState.valueOf(row.getString(2)), row.getBoolean(3),
                            Rows.time(row, 4), row.getInt(5), row.getString(6))
                    : null;
        }
    }

    private static Ruling cancel(Session session, Command.Cancel cancel) throws SQLException {
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
        if (job.state().isHeld() && job.node() != null) {
            session.update("UPDATE live SET state = 'CANCELLED', reason = ? WHERE seq = ?", cancel.reason(),
                    job.seq());
            return new Ruling.StillRunning(new Fence(job.seq(), job.attempt(), job.node()));
        }
        Ends.move(session, job.seq(), JobState.CANCELLED, cancel.reason(), cancel.at());
        return new Ruling.Done(1);
    }

    private static Ruling pause(Session session, Command.Pause pause) throws SQLException {
        Standing job = standing(session, pause.id());
        if (job == null) {
            return new Ruling.NotFound();
        }
        return switch (job.state()) {
            case PAUSED -> new Ruling.Done(0);
            case QUEUED, SCHEDULED -> {
                session.update("UPDATE live SET state = 'PAUSED', reason = ? WHERE seq = ?", pause.reason(),
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
                session.update("UPDATE live SET state = ?, due_at = ?, reason = NULL WHERE seq = ?", to,
                        later ? Rows.millis(job.dueAt()) : null, job.seq());
                History.add(session, job.seq(), JobState.PAUSED, to, "resumed", resume.actor(), resume.at());
                yield new Ruling.Done(1);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED ->
                new Ruling.WrongState(job.state());
        };
    }

    private Ruling retry(Session session, Command.Retry retry) throws SQLException {
        Standing job = standing(session, retry.id());
        if (job == null) {
            return new Ruling.NotFound();
        }
        return job.state() == JobState.FAILED && revive(session, job.seq(), retry.actor(), retry.at())
                ? new Ruling.Done(1)
                : new Ruling.WrongState(job.state());
    }

    /** Moves a dead letter back; false where another live job holds its dedupe key. */
    private boolean revive(Session session, long seq, String actor, Instant at) throws SQLException {
        int revived = session.update(
                """
                        INSERT INTO live (seq, lane, priority, state, attempt, failures, crashes, dedupe)
                        SELECT j.seq, lane.id, j.priority, 'QUEUED', e.attempt, 0, 0, j.type || char(31) || j.dedupe_key
                        FROM ended e JOIN job j ON j.seq = e.seq
                        JOIN lane ON lane.queue = j.queue AND lane.type = j.type AND lane.suspect = 0
                        WHERE e.seq = ? AND e.state = 'FAILED'
                        ON CONFLICT (dedupe) WHERE dedupe IS NOT NULL DO NOTHING""",
                seq);
        if (revived == 0) {
            return false;
        }
        session.update("DELETE FROM ended WHERE seq = ?", seq);
        History.add(session, seq, JobState.FAILED, JobState.QUEUED, "retried by hand", actor, at);
        return true;
    }
}

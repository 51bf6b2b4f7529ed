package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.sql.Attempts;
import dev.heddle.sql.History;
import dev.heddle.sql.Json;
import dev.heddle.sql.Kinship;
import dev.heddle.sql.Refusals;
import dev.heddle.sql.Saves;
import dev.heddle.sql.Seqs;
import dev.heddle.sql.Session;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Writes what attempts did. The fence stands in the WHERE clause of every statement: a count of 0 means that it did
 * not hold, and only then is the row looked at to say why. Ends of jobs, by far the most, go as JDBC batches.
 */
final class Changes {

    private static final String FENCE = " WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING')";

    private static final String START = """
            UPDATE live SET state = 'RUNNING', started_at = ?, care = ?""" + FENCE;
    private static final String PROGRESS = "UPDATE live SET progress = ?" + FENCE;
    private static final String HELD = "SELECT 1 FROM live" + FENCE;
    private static final String CHECKPOINT = """
            INSERT INTO checkpoint (seq, json, saved_at) VALUES (?, ?, ?)
            ON CONFLICT (seq) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at""";
    private static final String STEP = """
            INSERT INTO step (seq, name, json, saved_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (seq, name) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at""";
    private static final String RELEASE = """
            UPDATE live SET state = 'QUEUED', node = NULL, assigned_at = NULL, started_at = NULL, progress = NULL"""
            + FENCE;
    private static final String WAIT = """
            UPDATE live SET state = 'WAITING', phase = 'AGGREGATE', node = NULL, assigned_at = NULL, started_at = NULL,
                   progress = NULL"""
            + FENCE;
    private static final String RETRY = """
            UPDATE live SET state = 'SCHEDULED', due_at = ?, failures = failures + 1, node = NULL, assigned_at = NULL,
                   started_at = NULL, progress = NULL,
                   lane = (SELECT plain.id FROM lane own JOIN lane plain USING (queue, type)
                           WHERE own.id = live.lane AND NOT plain.suspect)"""
            + FENCE;
    private static final String END = """
            INSERT INTO ended (seq, state, ended_at, attempt, failures, crashes, reason, result, node, worker,
                               assigned_at, started_at, phase)
            SELECT seq, ?, ?, attempt, failures + ?, crashes, ?, ?, ?, ?, ?, ?, phase FROM live""" + FENCE
    // The same end twice in one batch: the second is a repetition.
            + " ON CONFLICT (seq) DO NOTHING";

    private final Inserts inserts;

    Changes(Inserts inserts) {
        this.inserts = inserts;
    }

    List<Verdict> apply(Session session, List<Change> changes, Kinship kin) throws SQLException {
        Verdict[] verdicts = new Verdict[changes.size()];
        List<Integer> ends = new ArrayList<>();
        Set<Long> ending = new HashSet<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (change instanceof Change.Ended end && end.transition().target().isFinal()) {
                ends.add(i);
                ending.add(change.fence().seq());
            } else {
                if (ending.contains(change.fence().seq())) {
                    // Changes of one job are applied in their order.
                    end(session, changes, ends, verdicts, kin);
                    ends.clear();
                    ending.clear();
                }
                verdicts[i] = applyOne(session, change, kin);
            }
        }
        end(session, changes, ends, verdicts, kin);
        return Arrays.asList(verdicts);
    }

    private Verdict applyOne(Session session, Change change, Kinship kin) throws SQLException {
        Fence fence = change.fence();
        boolean held = switch (change) {
            case Change.Started(_, var at, var care) -> fenced(session, START, fence, at, care);
            case Change.Progressed(_, var progress) -> fenced(session, PROGRESS, fence, Json.text(progress));
            case Change.Checkpointed(_, String json, var at) -> isHeld(session, fence)
                    && session.update(CHECKPOINT, fence.seq(), json, at) == 1;
            case Change.StepDone(_, String name, String json, var at) -> isHeld(session, fence)
                    && session.update(STEP, fence.seq(), name, json, at) == 1;
            case Change.HandedBack(_, String reason, var at) -> {
                JobState from = stateOf(session, fence);
                boolean released = fenced(session, RELEASE, fence);
                if (released && from != null) {
                    History.add(session, fence.seq(), from, JobState.QUEUED, reason, fence.node(), at);
                }
                yield released;
            }
            case Change.Ended ended -> goOn(session, ended);
            case Change.Ingested ingested -> ingest(session, ingested, kin);
        };
        return held ? Verdict.APPLIED : Refusals.of(session, change, kin);
    }

    private boolean ingest(Session session, Change.Ingested ingested, Kinship kin) throws SQLException {
        boolean held = goOn(session, ingested.end());
        if (held) {
            inserts.insert(session, List.of(new Submission(ingested.children())));
            kin.lost(ingested.fence().seq(), ingested.fence().node(), ingested.end().execution().endedAt());
        }
        return held;
    }

    private static boolean fenced(Session session, String sql, Fence fence, @Nullable Object... values)
            throws SQLException {
        @Nullable Object[] parameters = Arrays.copyOf(values, values.length + 3);
        parameters[values.length] = fence.seq();
        parameters[values.length + 1] = fence.attempt();
        parameters[values.length + 2] = fence.node();
        return session.update(sql, parameters) == 1;
    }

    private static boolean isHeld(Session session, Fence fence) throws SQLException {
        try (ResultSet rows = session.query(HELD, fence.seq(), fence.attempt(), fence.node())) {
            return rows.next();
        }
    }

    /** An attempt is over and its job is not. */
    private static boolean goOn(Session session, Change.Ended ended) throws SQLException {
        Fence fence = ended.fence();
        JobState from = stateOf(session, fence);
        String reason;
        boolean held;
        switch (ended.transition()) {
            case Transition.Retry(var at, String why) -> {
                reason = why;
                held = fenced(session, RETRY, fence, at);
            }
            case Transition.Wait(String why) -> {
                reason = why;
                held = fenced(session, WAIT, fence);
            }
            case Transition.Requeue(String why) -> {
                reason = why;
                held = fenced(session, RELEASE, fence);
            }
            case Transition.Complete _,Transition.Die _,Transition.Cancel _ ->
                throw new IllegalStateException(
                        "a final transition goes through end()");
        }
        if (held && from != null) {
            Attempts.add(session, ended, ended.execution().end());
            // An ingest has run, whether its start was written apart or not.
            History.add(session, fence.seq(),
                    ended.transition() instanceof Transition.Wait ? JobState.RUNNING : from,
                    ended.transition().target(), reason, fence.node(), ended.execution().endedAt());
        }
        return held;
    }

    /** Jobs that end: two batches for all of them, and a closer look only at those whose fence did not hold. */
    private void end(Session session, List<Change> changes, List<Integer> ends, Verdict[] verdicts,
            Kinship kin) throws SQLException {
        if (ends.isEmpty()) {
            return;
        }
        PreparedStatement insert = session.prepare(END);
        for (int i : ends) {
            Change.Ended ended = (Change.Ended) changes.get(i);
            Final end = Final.of(ended);
            Fence fence = ended.fence();
            session.bind(insert, ended.transition().target(), ended.execution().endedAt(), end.failures(),
                    end.reason(), end.result(), end.node(), end.worker(), end.assignedAt(), end.startedAt(),
                    fence.seq(), fence.attempt(), fence.node());
            insert.addBatch();
        }
        int[] inserted = insert.executeBatch();
        PreparedStatement delete = session.prepare("DELETE FROM live WHERE seq = ?");
        List<Change.Ended> applied = new ArrayList<>(inserted.length);
        for (int n = 0; n < inserted.length; n++) {
            Change.Ended ended = (Change.Ended) changes.get(ends.get(n));
            if (inserted[n] == 1) {
                verdicts[ends.get(n)] = Verdict.APPLIED;
                applied.add(ended);
                delete.setLong(1, ended.fence().seq());
                delete.addBatch();
            }
        }
        List<Relative> relatives = Relative.among(session, applied);
        delete.executeBatch();
        for (Change.Ended ended : applied) {
            followUp(session, ended);
        }
        for (Relative relative : relatives) {
            relative.leave(session, kin);
        }
        List<Submission> sequels = applied.stream().map(Change.Ended::sequel).filter(jobs -> !jobs.isEmpty())
                .map(Submission::new).toList();
        if (!sequels.isEmpty()) {
            inserts.insert(session, sequels);
        }
        for (int i : ends) {
            if (verdicts[i] == null) {
                verdicts[i] = Refusals.of(session, changes.get(i), kin);
            }
        }
    }

    /** What the row of an ended job says besides its state; who did it, only where there is no other record of that. */
    private record Final(int failures, @Nullable String reason, @Nullable String result,
            @Nullable String node, @Nullable String worker, @Nullable Instant assignedAt,
            @Nullable Instant startedAt) {

        static Final of(Change.Ended ended) {
            Change.Execution by = ended.execution();
            return switch (ended.transition()) {
                case Transition.Complete(String result) -> new Final(0, null, result, ended.fence().node(),
                        by.worker(), by.assignedAt(), by.startedAt());
                case Transition.Die(String reason) -> new Final(1, reason, null, null, null, null, null);
                case Transition.Cancel(String reason) -> new Final(0, reason, null, null, null, null, null);
                case Transition.Wait _,Transition.Retry _,Transition.Requeue _ ->
                    throw new IllegalStateException("not final");
            };
        }
    }

    private static void followUp(Session session, Change.Ended ended) throws SQLException {
        Fence fence = ended.fence();
        switch (ended.transition()) {
            case Transition.Complete _ -> {
                if (ended.saved()) {
                    Saves.delete(session, new Seqs(List.of(fence.seq())));
                }
            }
            case Transition.Die(String reason) -> record(session, ended, reason);
            case Transition.Cancel(String reason) -> record(session, ended, reason);
            case Transition.Wait _,Transition.Retry _,Transition.Requeue _ -> {
            }
        }
    }

    private static void record(Session session, Change.Ended ended, String reason) throws SQLException {
        Attempts.add(session, ended, ended.execution().end());
        History.add(session, ended.fence().seq(), JobState.RUNNING, ended.transition().target(), reason,
                ended.fence().node(), ended.execution().endedAt());
    }

    private static @Nullable JobState stateOf(Session session, Fence fence) throws SQLException {
        try (ResultSet rows = session.query(
                "SELECT state FROM live WHERE seq = ? AND attempt = ? AND node = ?",
                fence.seq(), fence.attempt(), fence.node())) {
            return rows.next() ? JobState.valueOf(rows.getString(1)) : null;
        }
    }
}

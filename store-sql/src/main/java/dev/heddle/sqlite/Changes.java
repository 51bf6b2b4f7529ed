package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.sql.AttemptRows;
import dev.heddle.sql.CountRows;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.HistoryRows;
import dev.heddle.sql.Json;
import dev.heddle.sql.LimitEvents;
import dev.heddle.sql.Rows;
import dev.heddle.sql.SavedStateRows;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.StaleChanges;
import dev.heddle.sql.Successors;
import dev.heddle.sql.Suspicions;
import dev.heddle.sql.Tx;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Writes what attempts did. Every change checks its fence: in the WHERE clause of its statement, or by a query in the
 * same transaction. If it changes no row, the fence did not
 * match, and {@link StaleChanges} finds out why. The ends of jobs, which are by far the most changes, are JDBC batches.
 */
final class Changes {

    private static final String FENCE = " WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING')";

    private static final String START = """
            UPDATE live SET state = 'RUNNING', started_at = ?, care = ?""" + FENCE;
    private static final String TO_PLAIN_LANE = """
            lane = (SELECT plain.id FROM lane own JOIN lane plain USING (queue, type)
                    WHERE own.id = live.lane AND NOT plain.suspect)""";
    private static final String CLEAR = "UPDATE live SET suspicion = ?, " + TO_PLAIN_LANE + FENCE;
    private static final String PROGRESS = "UPDATE live SET progress = ?" + FENCE;
    private static final String HELD = "SELECT 1 FROM live" + FENCE;
    private static final String CHECKPOINT = """
            INSERT INTO checkpoint (seq, json, saved_at) VALUES (?, ?, ?)
            ON CONFLICT (seq) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at""";
    private static final String STEP = """
            INSERT INTO step (seq, name, json, saved_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (seq, name) DO UPDATE SET json = excluded.json""";
    private static final String RELEASE = """
            UPDATE live SET state = 'QUEUED', crashes = crashes + ?, node = NULL, assigned_at = NULL, started_at = NULL,
                   progress = NULL""" + FENCE + Successors.NONE;
    private static final String WAIT = """
            UPDATE live SET state = 'WAITING', phase = 'AGGREGATE', node = NULL, assigned_at = NULL, started_at = NULL,
                   progress = NULL""" + FENCE;
    private static final String RETRY = """
            UPDATE live SET state = 'SCHEDULED', due_at = ?, due_after_span = TRUE, failures = failures + 1, node = NULL,
                   assigned_at = NULL, started_at = NULL, progress = NULL,\s"""
            + TO_PLAIN_LANE + FENCE + Successors.NONE;
    private static final String RESCHEDULE = """
            UPDATE live SET state = 'SCHEDULED', due_at = ?, due_after_span = ?, failures = 0, crashes = 0,
                   suspicion = NULL, node = NULL, assigned_at = NULL, started_at = NULL, progress = NULL,\s"""
            + TO_PLAIN_LANE + FENCE + Successors.NONE;
    private static final String END = """
            INSERT INTO ended (seq, state, ended_at, attempt, failures, crashes, reason, result, node, worker,
                               assigned_at, started_at, phase, fingerprint)
            SELECT seq, ?, ?, attempt, failures + ?, crashes + ?, ?, ?, ?, ?, ?, ?, phase, ? FROM live""" + FENCE
    // A batch may contain the same end twice.
            + " ON CONFLICT (seq) DO NOTHING";

    private final Inserts inserts;

    Changes(Inserts inserts) {
        this.inserts = inserts;
    }

    List<Verdict> apply(Tx tx, List<Change> changes, FamilyChanges families) throws SQLException {
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
                    // The changes of one job are applied in their order.
                    endJobs(tx, changes, ends, verdicts, families);
                    ends.clear();
                    ending.clear();
                }
                verdicts[i] = applyOne(tx, change, families);
            }
        }
        endJobs(tx, changes, ends, verdicts, families);
        return Arrays.asList(verdicts);
    }

    private Verdict applyOne(Tx tx, Change change, FamilyChanges families) throws SQLException {
        Fence fence = change.fence();
        boolean held = switch (change) {
            case Change.Started(_, var at, var guarantee) -> {
                CountRows.moveHeld(tx, fence, JobState.RUNNING);
                yield fenced(tx, START, fence, at, guarantee.storedAs());
            }
            case Change.Cleared(_, var suspicion) -> fenced(tx, CLEAR, fence, Suspicions.write(suspicion));
            case Change.Progressed(_, var progress) -> fenced(tx, PROGRESS, fence, Json.text(progress));
            case Change.Checkpointed(_, String json, var at) ->
                isHeld(tx, fence) && tx.update(CHECKPOINT, fence.seq(), json, at) == 1;
            case Change.StepDone(_, String name, String json, var at) ->
                isHeld(tx, fence) && tx.update(STEP, fence.seq(), name, json, at) == 1;
            case Change.Released(_, String reason, var at) -> {
                JobState from = stateOf(tx, fence);
                boolean released = fenced(tx, RELEASE, fence, 0);
                if (released && from != null) {
                    HistoryRows.add(tx, fence.seq(), from, JobState.QUEUED, reason, fence.node(), at);
                    CountRows.enter(tx, List.of(fence.seq()), from);
                    LimitEvents.released(tx, List.of(fence.seq()));
                }
                yield released;
            }
            case Change.Ended ended -> endAttempt(tx, ended);
            case Change.Ingested ingested -> ingest(tx, ingested, families);
        };
        if (held) {
            return Verdict.APPLIED;
        }
        return Successors.unmark(tx, change) ? applyOne(tx, change, families)
                : StaleChanges.resolve(tx, change, families);
    }

    private boolean ingest(Tx tx, Change.Ingested ingested, FamilyChanges families) throws SQLException {
        boolean held = endAttempt(tx, ingested.end());
        if (held) {
            inserts.insert(tx, List.of(new Submission(ingested.children())), families);
            families.childEnded(ingested.fence().seq(), ingested.fence().node(), ingested.end().execution().endedAt());
        }
        return held;
    }

    private static boolean fenced(Tx tx, String sql, Fence fence, @Nullable Object... values) throws SQLException {
        @Nullable Object[] parameters = Arrays.copyOf(values, values.length + 3);
        parameters[values.length] = fence.seq();
        parameters[values.length + 1] = fence.attempt();
        parameters[values.length + 2] = fence.node();
        return tx.update(sql, parameters) == 1;
    }

    private static boolean isHeld(Tx tx, Fence fence) throws SQLException {
        try (ResultSet rows = tx.query(HELD, fence.seq(), fence.attempt(), fence.node())) {
            return rows.next();
        }
    }

    /** Ends an attempt whose job goes on. */
    private static boolean endAttempt(Tx tx, Change.Ended ended) throws SQLException {
        Fence fence = ended.fence();
        JobState from = stateOf(tx, fence);
        String reason;
        boolean held;
        switch (ended.transition()) {
            case Transition.Retry(var delay, String retryReason) -> {
                reason = retryReason;
                held = fenced(tx, RETRY, fence, tx.now().plus(delay));
            }
            case Transition.Reschedule again -> {
                if (!fenced(tx, RESCHEDULE, fence, again.dueAt(tx.now()), again.start() instanceof Start.At ? 0 : 1)) {
                    return false;
                }
                CountRows.enter(tx, List.of(fence.seq()), from);
                // The record of the attempt says it all, so the history needs no entry.
                AttemptRows.add(tx, ended, ended.execution().end());
                SavedStateRows.startAfresh(tx, ended);
                return true;
            }
            case Transition.Wait(String waitReason) -> {
                reason = waitReason;
                held = fenced(tx, WAIT, fence);
            }
            case Transition.Requeue(String requeueReason) -> {
                reason = requeueReason;
                held = fenced(tx, RELEASE, fence, crashes(ended));
            }
            case Transition.Complete _, Transition.Fail _, Transition.Cancel _ ->
                throw new IllegalStateException("endJobs() writes final transitions");
        }
        if (held && from != null) {
            CountRows.enter(tx, List.of(fence.seq()), from);
            AttemptRows.add(tx, ended, ended.execution().end());
            // An ingest has run, even if its start was never written by itself.
            HistoryRows.add(tx, fence.seq(), ended.transition() instanceof Transition.Wait ? JobState.RUNNING : from,
                    ended.transition().target(), reason, fence.node(), ended.execution().endedAt());
        }
        return held;
    }

    /** Ends jobs in two batches, and looks closer only at those whose fence did not match. */
    private void endJobs(Tx tx, List<Change> changes, List<Integer> ends, Verdict[] verdicts, FamilyChanges families)
            throws SQLException {
        if (ends.isEmpty()) {
            return;
        }
        PreparedStatement insert = tx.prepare(END);
        for (int i : ends) {
            Change.Ended ended = (Change.Ended) changes.get(i);
            EndedRow row = EndedRow.of(ended);
            Fence fence = ended.fence();
            tx.bind(insert, ended.transition().target(), ended.execution().endedAt(), row.failures(), crashes(ended),
                    row.reason(), row.result(), row.node(), row.worker(), row.assignedAt(), row.startedAt(),
                    ended.fingerprint(), fence.seq(),
                    fence.attempt(), fence.node());
            insert.addBatch();
        }
        int[] inserted = insert.executeBatch();
        Map<JobState, List<Long>> byState = new EnumMap<>(JobState.class);
        List<Change.Ended> applied = new ArrayList<>(inserted.length);
        for (int n = 0; n < inserted.length; n++) {
            Change.Ended ended = (Change.Ended) changes.get(ends.get(n));
            if (inserted[n] == 1) {
                verdicts[ends.get(n)] = Verdict.APPLIED;
                applied.add(ended);
                byState.computeIfAbsent(ended.transition().target(), _ -> new ArrayList<>()).add(ended.fence().seq());
            }
        }
        List<FamilyMember> members = FamilyMember.among(tx, applied);
        for (Map.Entry<JobState, List<Long>> state : byState.entrySet()) {
            CountRows.move(tx, state.getValue(), state.getKey());
            tx.update("DELETE FROM live WHERE seq IN (SELECT value FROM json_each(?))", new SeqList(state.getValue()));
        }
        for (Change.Ended ended : applied) {
            recordEnd(tx, ended);
        }
        for (FamilyMember member : members) {
            member.end(tx, families);
        }
        List<Submission> sequels = applied.stream().map(Change.Ended::sequel).filter(jobs -> !jobs.isEmpty())
                .map(Submission::new).toList();
        if (!sequels.isEmpty()) {
            inserts.insert(tx, sequels, families);
        }
        for (int i : ends) {
            if (verdicts[i] == null) {
                verdicts[i] = StaleChanges.resolve(tx, changes.get(i), families);
            }
        }
    }

    /**
     * What a row of {@code ended} has besides the state. Node, worker and times are those of the attempt that
     * completed the job; other attempts are in {@code attempt}.
     */
    private record EndedRow(int failures, @Nullable String reason, @Nullable String result, @Nullable String node,
            @Nullable String worker, @Nullable Instant assignedAt, @Nullable Instant startedAt) {

        static EndedRow of(Change.Ended ended) {
            Change.Execution by = ended.execution();
            return switch (ended.transition()) {
                case Transition.Complete(String result) ->
                    new EndedRow(0, null, result, ended.fence().node(), by.worker(), by.assignedAt(), by.startedAt());
                case Transition.Fail(String reason) ->
                    new EndedRow(1 - crashes(ended), reason, null, null, null, null, null);
                case Transition.Cancel(String reason) -> new EndedRow(0, reason, null, null, null, null, null);
                case Transition.Wait _, Transition.Retry _, Transition.Reschedule _, Transition.Requeue _ ->
                    throw new IllegalStateException(ended.transition() + " does not end the job");
            };
        }
    }

    private static int crashes(Change.Ended ended) {
        return ended.execution().end() == Attempt.End.CRASHED ? 1 : 0;
    }

    private static void recordEnd(Tx tx, Change.Ended ended) throws SQLException {
        Fence fence = ended.fence();
        switch (ended.transition()) {
            case Transition.Complete _ -> {
                if (ended.saved()) {
                    SavedStateRows.delete(tx, new SeqList(List.of(fence.seq())));
                }
            }
            case Transition.Fail(String reason) -> addAttemptAndHistory(tx, ended, reason);
            case Transition.Cancel(String reason) -> addAttemptAndHistory(tx, ended, reason);
            case Transition.Wait _, Transition.Retry _, Transition.Reschedule _, Transition.Requeue _ -> {
            }
        }
    }

    private static void addAttemptAndHistory(Tx tx, Change.Ended ended, String reason) throws SQLException {
        AttemptRows.add(tx, ended, ended.execution().end());
        HistoryRows.add(tx, ended.fence().seq(), JobState.RUNNING, ended.transition().target(), reason,
                ended.fence().node(), ended.execution().endedAt());
    }

    private static @Nullable JobState stateOf(Tx tx, Fence fence) throws SQLException {
        try (ResultSet rows = tx.query("SELECT state FROM live WHERE seq = ? AND attempt = ? AND node = ?", fence.seq(),
                fence.attempt(), fence.node())) {
            return rows.next() ? Rows.liveState(rows.getString(1)) : null;
        }
    }
}

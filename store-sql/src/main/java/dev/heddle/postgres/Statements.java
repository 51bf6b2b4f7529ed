package dev.heddle.postgres;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How changes of attempts are written, one kind each, many at a time. All read {@code input} from arrays that begin
 * with the fences, and return the {@code seq} of what they applied to.
 */
final class Statements {

    private static final String FENCE = """
            l.seq = i.seq AND l.attempt = i.attempt AND l.node = i.node AND l.state IN ('ASSIGNED', 'RUNNING')""";

    /** Locks what the attempts hold, with the state before. */
    private static final String HELD = """
            , held AS (
                SELECT l.seq, l.state FROM heddle.live l JOIN input i ON\s""" + FENCE + """
             ORDER BY l.seq FOR UPDATE OF l)
            """;

    /** Times, which all end in "at", arrive as numbers. */
    private static String input(String... columns) {
        String read = Stream.of(columns)
                .map(column -> column.endsWith("at") ? Table.time(column) : "i." + column)
                .collect(Collectors.joining(", "));
        return "WITH input AS (SELECT i.seq, i.attempt, i.node, " + read + " FROM unnest(?, ?, ?"
                + ", ?".repeat(columns.length) + ") AS i (seq, attempt, node, " + String.join(", ", columns)
                + "))\n";
    }

    static final String START = input("at", "care")
            + """
                    UPDATE heddle.live l SET state = 'RUNNING', started_at = i.at, care = i.care FROM input i WHERE\s"""
            + FENCE + " RETURNING l.seq";

    static final String PROGRESS = input("progress") + """
            UPDATE heddle.live l SET progress = i.progress::json FROM input i WHERE\s""" + FENCE
            + " RETURNING l.seq";

    static final String CHECKPOINT = input("json", "at") + HELD
            + """
                    INSERT INTO heddle.checkpoint (seq, json, saved_at)
                    SELECT i.seq, i.json::jsonb, i.at FROM held JOIN input i ON i.seq = held.seq
                    ON CONFLICT (seq) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at RETURNING seq""";

    static final String STEP = input("name", "json", "at") + HELD
            + """
                    INSERT INTO heddle.step (seq, name, json, saved_at)
                    SELECT i.seq, i.name, i.json::jsonb, i.at FROM held JOIN input i ON i.seq = held.seq
                    ON CONFLICT (seq, name) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at RETURNING seq""";

    private static final String ATTEMPT = """
            , attempts AS (
                INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome,
                                            failure)
                SELECT i.seq, i.attempt, i.node, i.worker, i.assigned_at, i.started_at, i.ended_at, i.outcome,
                       i.failure::json
                FROM %s JOIN input i ON i.seq = %1$s.seq WHERE i.outcome IS NOT NULL)
            """;

    private static final String[] EXECUTION = {"worker", "assigned_at", "started_at", "ended_at", "outcome",
        "failure"};

    /** Back to the queue, with an attempt to record or without. */
    static final String RELEASE = input(with("reason")) + HELD + """
            , released AS (
                UPDATE heddle.live l SET state = 'QUEUED', node = NULL, assigned_at = NULL, started_at = NULL,
                       progress = NULL
                FROM held WHERE l.seq = held.seq)
            , told AS (
                INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                SELECT i.seq, held.state, 'QUEUED', i.reason, i.node, i.ended_at
                FROM held JOIN input i ON i.seq = held.seq)
            """ + ATTEMPT.formatted("held") + "SELECT seq FROM held";

    static final String RETRY = input(with("reason", "due_at")) + HELD
            + """
                    , retried AS (
                        UPDATE heddle.live l SET state = 'SCHEDULED', due_at = i.due_at, failures = failures + 1, node = NULL,
                               assigned_at = NULL, started_at = NULL, progress = NULL,
                               lane = (SELECT plain.id FROM heddle.lane own JOIN heddle.lane plain
                                       ON plain.queue = own.queue AND plain.type = own.type AND NOT plain.suspect
                                       WHERE own.id = l.lane)
                        FROM held JOIN input i ON i.seq = held.seq WHERE l.seq = held.seq)
                    , told AS (
                        INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                        SELECT i.seq, held.state, 'SCHEDULED', i.reason, i.node, i.ended_at
                        FROM held JOIN input i ON i.seq = held.seq)
                    """
            + ATTEMPT.formatted("held") + "SELECT seq FROM held";

    /** Jobs that are done, by far the most: from {@code live} to {@code ended}, the attempt with them. */
    static final String COMPLETE = input("worker", "assigned_at", "started_at", "ended_at", "result") + """
            , gone AS (
                DELETE FROM heddle.live l USING input i WHERE\s""" + FENCE
            + """
                     RETURNING l.seq, l.attempt, l.failures, l.crashes, i.node, i.worker, i.assigned_at, i.started_at,
                               i.ended_at, i.result)
                    INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, result, node, worker,
                                              assigned_at, started_at)
                    SELECT seq, 'COMPLETED', ended_at, attempt, failures, crashes, result::jsonb, node, worker, assigned_at,
                           started_at
                    FROM gone RETURNING seq""";

    /** Jobs that end otherwise. */
    static final String END = input(with("reason", "state", "failures")) + """
            , gone AS (
                DELETE FROM heddle.live l USING input i WHERE\s""" + FENCE
            + """
                     RETURNING l.seq, l.attempt, l.failures, l.crashes)
                    , ends AS (
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason)
                        SELECT gone.seq, i.state, i.ended_at, gone.attempt, gone.failures + i.failures, gone.crashes, i.reason
                        FROM gone JOIN input i ON i.seq = gone.seq)
                    , told AS (
                        INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                        SELECT i.seq, 'RUNNING', i.state, i.reason, i.node, i.ended_at
                        FROM gone JOIN input i ON i.seq = gone.seq)
                    """
            + ATTEMPT.formatted("gone") + "SELECT seq FROM gone";

    private Statements() {}

    private static String[] with(String... more) {
        String[] columns = new String[EXECUTION.length + more.length];
        System.arraycopy(EXECUTION, 0, columns, 0, EXECUTION.length);
        System.arraycopy(more, 0, columns, EXECUTION.length, more.length);
        return columns;
    }
}

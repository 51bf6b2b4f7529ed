package dev.heddle.postgres;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How changes of attempts are written, one kind each, many at a time. All read {@code input} from arrays that begin
 * with the fences, lock what these hold, and return the {@code seq} of what they applied to.
 *
 * <p>They are written so that only one plan is possible: {@code held} looks up each row by its key, since a subquery that
 * locks is never turned into a join, and what it found is then changed by an array of keys. A plan that was made while
 * the tables were empty is kept, and has to be right when they are large.
 */
final class Statements {

    /** Of each attempt that still has its job: all of the input, and how the job's row is. */
    private static final String HELD = """
            , held AS (
                SELECT i.*, l.* FROM input i CROSS JOIN LATERAL (
                    SELECT state AS from_state, failures AS failed, crashes, phase, parent FROM heddle.live
                    WHERE seq = i.seq AND attempt = i.attempt AND node = i.node AND state IN ('ASSIGNED', 'RUNNING')
                    FOR UPDATE) l)
            """;
    /** The end of a parent is more than its own: it takes another way, in which its children are cancelled. */
    private static final String CHILDLESS = "AND NOT has_children FOR UPDATE";
    /**
     * By their keys and not by their places: where somebody else changed a row while this waited for its lock, the place
     * of the new version is one that the statement cannot see, and the key leads there.
     */
    private static final String THEIRS = " WHERE seq = ANY (ARRAY (SELECT seq FROM held))";

    /** Times, which all end in "at", arrive as numbers. */
    private static String input(String... columns) {
        String read = Stream.of(columns)
                .map(column -> column.endsWith("at") ? Table.time(column) : "i." + column)
                .collect(Collectors.joining(", "));
        return "WITH input AS (SELECT i.seq, i.attempt, i.node, " + read + " FROM unnest(?, ?, ?"
                + ", ?".repeat(columns.length) + ") AS i (seq, attempt, node, " + String.join(", ", columns)
                + "))\n";
    }

    static final String START = input("at", "care") + HELD + """
            UPDATE heddle.live l SET state = 'RUNNING',
                   (started_at, care) = (SELECT held.at, held.care FROM held WHERE held.seq = l.seq)"""
            + THEIRS
            + " RETURNING l.seq";

    static final String PROGRESS = input("progress") + HELD
            + """
                    UPDATE heddle.live l SET progress = (SELECT held.progress::json FROM held WHERE held.seq = l.seq)"""
            + THEIRS + " RETURNING l.seq";

    static final String CHECKPOINT = input("json", "at") + HELD
            + """
                    INSERT INTO heddle.checkpoint (seq, json, saved_at)
                    SELECT seq, json::jsonb, at FROM held
                    ON CONFLICT (seq) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at RETURNING seq""";

    static final String STEP = input("name", "json", "at") + HELD
            + """
                    INSERT INTO heddle.step (seq, name, json, saved_at)
                    SELECT seq, name, json::jsonb, at FROM held
                    ON CONFLICT (seq, name) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at RETURNING seq""";

    private static final String ATTEMPT = """
            , attempts AS (
                INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome,
                                            failure)
                SELECT seq, attempt, node, worker, assigned_at, started_at, ended_at, outcome, failure::json
                FROM held WHERE outcome IS NOT NULL)
            """;
    /** From one state to the other, as they are filled in. */
    private static final String HISTORY = """
            , told AS (
                INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                SELECT seq, %s, %s, reason, node, ended_at FROM held)
            """;

    private static final String[] EXECUTION = {"worker", "assigned_at", "started_at", "ended_at", "outcome",
        "failure"};

    /** Back to the queue, with an attempt to record or without. */
    static final String RELEASE = input(with("reason")) + HELD + """
            , released AS (
                UPDATE heddle.live SET state = 'QUEUED', node = NULL, assigned_at = NULL, started_at = NULL,
                       progress = NULL""" + THEIRS + ")\n" + HISTORY.formatted("from_state", "'QUEUED'")
            + ATTEMPT
            + "SELECT seq FROM held";

    static final String RETRY = input(with("reason", "due_at")) + HELD
            + """
                    , retried AS (
                        UPDATE heddle.live l SET state = 'SCHEDULED', failures = failures + 1, node = NULL, assigned_at = NULL,
                               started_at = NULL, progress = NULL,
                               due_at = (SELECT held.due_at FROM held WHERE held.seq = l.seq),
                               lane = (SELECT plain.id FROM heddle.lane own JOIN heddle.lane plain
                                       ON plain.queue = own.queue AND plain.type = own.type AND NOT plain.suspect
                                       WHERE own.id = l.lane)"""
            + THEIRS + ")\n" + HISTORY.formatted("from_state", "'SCHEDULED'")
            + ATTEMPT + "SELECT seq FROM held";

    private static final String GONE = ", gone AS (DELETE FROM heddle.live" + THEIRS + ")\n";

    /** To WAITING, for children that are stored next. */
    static final String WAIT = input(with("reason")) + HELD
            + """
                    , waits AS (
                        UPDATE heddle.live SET state = 'WAITING', phase = 'AGGREGATE', node = NULL, assigned_at = NULL,
                               started_at = NULL, progress = NULL"""
            + THEIRS + ")\n" + HISTORY.formatted("'RUNNING'", "'WAITING'") + ATTEMPT + "SELECT seq FROM held";

    /** Jobs that are done: from {@code live} to {@code ended}, the attempt with them. Returns parents too. */
    static final String COMPLETE_PARENT = input("worker", "assigned_at", "started_at", "ended_at", "result")
            + HELD
            + GONE
            + """
                    , ends AS (
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, result, node, worker,
                                                  assigned_at, started_at, phase)
                        SELECT seq, 'COMPLETED', ended_at, attempt, failed, crashes, result::jsonb, node, worker,
                               assigned_at, started_at, phase
                        FROM held)
                    SELECT seq, parent FROM held""";

    /** The same for jobs without children, by far the most. */
    static final String COMPLETE = childless(COMPLETE_PARENT);

    /** Jobs that end otherwise. Returns parents too. */
    static final String END_PARENT = input(with("reason", "state", "failures")) + HELD + GONE + """
            , ends AS (
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, state, ended_at, attempt, failed + failures, crashes, reason, phase FROM held)
            """ + HISTORY.formatted("from_state", "state") + ATTEMPT + "SELECT seq, parent FROM held";

    /** The same for jobs without children. */
    static final String END = childless(END_PARENT);

    private Statements() {}

    private static String childless(String statement) {
        return statement.replace("FOR UPDATE", CHILDLESS);
    }

    private static String[] with(String... more) {
        String[] columns = new String[EXECUTION.length + more.length];
        System.arraycopy(EXECUTION, 0, columns, 0, EXECUTION.length);
        System.arraycopy(more, 0, columns, EXECUTION.length, more.length);
        return columns;
    }
}

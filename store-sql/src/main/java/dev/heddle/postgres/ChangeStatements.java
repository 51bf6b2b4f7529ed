package dev.heddle.postgres;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.sql.CountRows;
import dev.heddle.sql.Successors;

/**
 * The statements that write changes of attempts, one for each kind of change, many changes at a time. Each reads
 * {@code input} from arrays that begin with the fences, locks the matching jobs as {@code held}, and returns the
 * {@code seq} of the jobs that it changed.
 *
 * <p>Only one plan is possible for each of them. PostgreSQL caches plans, and one that was made while the tables were
 * empty has to be right when they are large. So {@code held} looks up each row by its key, because a subquery that
 * locks is never turned into a join, and the rows that it found are changed by an array of keys.
 */
final class ChangeStatements {

    /** Locks the jobs that their attempts still have: all of the input, and what the job's row says. */
    private static final String HELD = """
            , held AS (
                SELECT i.*, l.* FROM input i CROSS JOIN LATERAL (
                    SELECT state AS from_state, lane, failures AS failed, crashes, phase, parent FROM heddle.live
                    WHERE seq = i.seq AND attempt = i.attempt AND node = i.node AND state IN ('ASSIGNED', 'RUNNING')
                    FOR UPDATE) l)
            """;
    /** The end of a parent takes another way, because it also cancels its children. */
    private static final String LOCK_CHILDLESS = "AND NOT has_children FOR UPDATE";
    private static final String LOCK_ALONE = Successors.NONE + " FOR UPDATE";
    /**
     * Selects rows by their keys, not by their {@code ctid}. If another transaction changed a row while this one
     * waited for its lock, the new version has a {@code ctid} that this statement cannot see, but the same key.
     */
    private static final String OF_HELD = " WHERE seq = ANY (ARRAY (SELECT seq FROM held))";

    /** Counts that the held jobs go to another state, which is SQL. */
    private static String counting(String to) {
        return CountRows.counting("held", "from_state", to);
    }

    /** Reads columns from arrays. The names of times end in "at"; they arrive as numbers. */
    private static String input(String... columns) {
        String read = Stream.of(columns)
                .map(column -> column.endsWith("at") ? ArrayColumns.time(column) : "i." + column)
                .collect(Collectors.joining(", "));
        return "WITH input AS (SELECT i.seq, i.attempt, i.node, " + read + " FROM unnest(?, ?, ?"
                + ", ?".repeat(columns.length) + ") AS i (seq, attempt, node, " + String.join(", ", columns) + "))\n";
    }

    static final String START = input("at", "care") + HELD + counting("'RUNNING'") + """
            UPDATE heddle.live l SET state = 'RUNNING',
                   (started_at, care) = (SELECT held.at, held.care FROM held WHERE held.seq = l.seq)""" + OF_HELD
            + " RETURNING l.seq";

    private static final String TO_PLAIN_LANE = """
            lane = (SELECT plain.id FROM heddle.lane own JOIN heddle.lane plain
                    ON plain.queue = own.queue AND plain.type = own.type AND NOT plain.suspect
                    WHERE own.id = l.lane)""";

    static final String CLEAR = input("suspicion") + HELD + """
            UPDATE heddle.live l SET suspicion = (SELECT held.suspicion::json FROM held WHERE held.seq = l.seq),
            """ + TO_PLAIN_LANE + OF_HELD + " RETURNING l.seq";

    static final String PROGRESS = input("progress") + HELD + """
            UPDATE heddle.live l SET progress = (SELECT held.progress::json FROM held WHERE held.seq = l.seq)"""
            + OF_HELD + " RETURNING l.seq";

    static final String CHECKPOINT = input("json", "at") + HELD + """
            INSERT INTO heddle.checkpoint (seq, json, saved_at)
            SELECT seq, json::jsonb, at FROM held
            ON CONFLICT (seq) DO UPDATE SET json = excluded.json, saved_at = excluded.saved_at RETURNING seq""";

    static final String STEP = input("name", "json", "at") + HELD + """
            INSERT INTO heddle.step (seq, name, json, saved_at)
            SELECT seq, name, json::jsonb, at FROM held
            ON CONFLICT (seq, name) DO UPDATE SET json = excluded.json RETURNING seq""";

    private static final String ATTEMPT = """
            , attempts AS (
                INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome,
                                            failure)
                SELECT seq, attempt, node, worker, assigned_at, started_at, ended_at, outcome, failure::json
                FROM held WHERE outcome IS NOT NULL)
            """;
    /** To be formatted with the old and the new state. */
    private static final String HISTORY = """
            , noted AS (
                INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                SELECT seq, %s, %s, reason, node, ended_at FROM held)
            """;

    /** 1 if the attempt crashed its node, else 0. */
    private static final String CRASHED = "(outcome IS NOT DISTINCT FROM 'CRASHED')::int";

    private static final String[] EXECUTION = {"worker", "assigned_at", "started_at", "ended_at", "outcome", "failure"};

    /** Puts jobs back into the queue, and records attempts that had started. */
    static final String RELEASE = alone(input(executionAnd("reason")) + HELD + """
            , released AS (
                UPDATE heddle.live l SET state = 'QUEUED', node = NULL, assigned_at = NULL, started_at = NULL,
                       progress = NULL,
                       crashes = crashes + (SELECT %s FROM held WHERE held.seq = l.seq)""".formatted(CRASHED) + OF_HELD
            + ")\n" + counting("'QUEUED'") + HISTORY.formatted("from_state", "'QUEUED'") + ATTEMPT
            + "SELECT seq FROM held");

    static final String RETRY = alone(input(executionAnd("reason", "delay")) + HELD + """
            , retried AS (
                UPDATE heddle.live l SET state = 'SCHEDULED', failures = failures + 1, node = NULL, assigned_at = NULL,
                       started_at = NULL, progress = NULL,
                       due_after_span = TRUE,
                       due_at = heddle.now() + (SELECT held.delay FROM held WHERE held.seq = l.seq) * interval '1 ms',
            """ + TO_PLAIN_LANE + OF_HELD + ")\n" + counting("'SCHEDULED'")
            + HISTORY.formatted("from_state", "'SCHEDULED'") + ATTEMPT + "SELECT seq FROM held");

    /** Has jobs run again from the beginning. The record of the attempt says it all, so the history needs no entry. */
    static final String RESCHEDULE = alone(input(executionAnd("run_at", "delay")) + HELD + """
            , rescheduled AS (
                UPDATE heddle.live l SET state = 'SCHEDULED', failures = 0, crashes = 0, suspicion = NULL, node = NULL,
                       assigned_at = NULL, started_at = NULL, progress = NULL,
                       (due_at, due_after_span) = (
                           SELECT coalesce(held.run_at, heddle.now() + held.delay * interval '1 ms'),
                                  held.run_at IS NULL
                           FROM held WHERE held.seq = l.seq),
            """ + TO_PLAIN_LANE + OF_HELD + ")\n" + counting("'SCHEDULED'") + ATTEMPT + "SELECT seq FROM held");

    private static final String REMOVE_LIVE = ", gone AS (DELETE FROM heddle.live" + OF_HELD + ")\n";

    /** Has parents wait for children, which are stored next. */
    static final String WAIT = input(executionAnd("reason")) + HELD + """
            , waits AS (
                UPDATE heddle.live SET state = 'WAITING', phase = 'AGGREGATE', node = NULL, assigned_at = NULL,
                       started_at = NULL, progress = NULL""" + OF_HELD + ")\n"
            + counting("'WAITING'") + HISTORY.formatted("'RUNNING'", "'WAITING'") + ATTEMPT + "SELECT seq FROM held";

    /** Moves completed jobs from {@code live} to {@code ended}, with their attempts. Also returns their parents. */
    static final String COMPLETE_PARENT = input("worker", "assigned_at", "started_at", "ended_at", "result") + HELD
            + REMOVE_LIVE + counting("'COMPLETED'")
            + """
                    , ends AS (
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, result, node, worker,
                                                  assigned_at, started_at, phase)
                        SELECT seq, 'COMPLETED', ended_at, attempt, failed, crashes, result::jsonb, node, worker,
                               assigned_at, started_at, phase
                        FROM held)
                    SELECT seq, parent FROM held""";

    /** Does the same for jobs without children, as most are, and leaves out others. */
    static final String COMPLETE = childless(COMPLETE_PARENT);

    /** Moves failed and cancelled jobs to {@code ended}. Also returns their parents. */
    static final String END_PARENT = input(executionAnd("reason", "state", "failures", "fingerprint")) + HELD
            + REMOVE_LIVE
            + counting("state")
            + """
                    , ends AS (
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase,
                                                  fingerprint)
                        SELECT seq, state, ended_at, attempt, failed + failures, crashes + %s, reason, phase, fingerprint
                        FROM held)
                    """
                    .formatted(CRASHED)
            + HISTORY.formatted("from_state", "state") + ATTEMPT
            + "SELECT seq, parent FROM held";

    /** Does the same for jobs without children, and leaves out others. */
    static final String END = childless(END_PARENT);

    private ChangeStatements() {}

    /** Leaves out jobs that may have a successor with their dedupe key: it takes their place. */
    private static String alone(String statement) {
        return statement.replace("FOR UPDATE", LOCK_ALONE);
    }

    private static String childless(String statement) {
        return statement.replace("FOR UPDATE", LOCK_CHILDLESS);
    }

    private static String[] executionAnd(String... more) {
        String[] columns = new String[EXECUTION.length + more.length];
        System.arraycopy(EXECUTION, 0, columns, 0, EXECUTION.length);
        System.arraycopy(more, 0, columns, EXECUTION.length, more.length);
        return columns;
    }
}

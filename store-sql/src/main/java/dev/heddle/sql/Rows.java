package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import org.jspecify.annotations.Nullable;

/** Turns rows into values. Columns are read by place, in the order of the lists here. */
public final class Rows {

    /** What {@link #spec} reads, from column 1. */
    public static final String SPEC = """
            j.seq, j.id, j.type, j.queue, j.priority, j.payload, j.created_at, j.max_retries, j.timeout_ms, j.parent,
            j.session, j.subject, j.tags, j.dedupe_key, j.outlives_parent""";

    /** The first column behind the spec's. */
    public static final int AFTER_SPEC = 16;

    /** What {@link #job} reads: the spec, then where the job stands, from {@code live} or {@code ended}. */
    static final String JOB = SPEC
            + """
                    , coalesce(l.state, e.state), coalesce(l.phase, e.phase), coalesce(l.attempt, e.attempt), coalesce(l.failures, e.failures),
                    coalesce(l.crashes, e.crashes), l.due_at, l.node, l.assigned_at, l.started_at, l.progress,
                    coalesce(l.reason, e.reason), e.result, e.ended_at,
                    CASE WHEN e.state = 'COMPLETED' OR coalesce(l.attempt, e.attempt) = 0 THEN NULL ELSE
                        (SELECT a.failure FROM heddle.attempt a WHERE a.seq = j.seq AND a.failure IS NOT NULL
                         ORDER BY a.number DESC LIMIT 1) END
                    """;

    /** The first column behind the job's. */
    static final int AFTER_JOB = AFTER_SPEC + 14;

    private Rows() {}

    public static JobSpec spec(ResultSet row) throws SQLException {
        JobSpec.Extras extras = JobSpec.Extras.NONE;
        if (hasExtras(row)) {
            Duration timeout = row.getObject(9) == null ? null : Duration.ofMillis(row.getLong(9));
            String parent = row.getString(10);
            extras = new JobSpec.Extras(row.getObject(8) == null ? null : row.getInt(8), timeout,
                    parent == null ? null : JobId.of(parent), row.getString(11), row.getString(12),
                    Json.tags(row.getString(13)), row.getString(14), row.getBoolean(15));
        }
        return new JobSpec(JobId.of(row.getString(2)), row.getString(3), row.getString(4), row.getInt(5),
                row.getString(6), instant(row, 7), extras);
    }

    private static boolean hasExtras(ResultSet row) throws SQLException {
        for (int column = 8; column < AFTER_SPEC; column++) {
            if (row.getObject(column) != null) {
                return true;
            }
        }
        return false;
    }

    static Job job(ResultSet row) throws SQLException {
        int at = AFTER_SPEC;
        JobState state = JobState.valueOf(row.getString(at++));
        Phase phase = phase(row, at++);
        Job.Counts counts = new Job.Counts(row.getInt(at++), row.getInt(at++), row.getInt(at++));
        Job.Status status = new Job.Status(time(row, at++), row.getString(at++), time(row, at++),
                time(row, at++),
                Json.read(row.getString(at++), Progress.class), row.getString(at++), row.getString(at++),
                Json.read(row.getString(at + 1), Failure.class), time(row, at));
        return new Job(row.getLong(1), spec(row), state, phase, counts, status);
    }

    public static Phase phase(ResultSet row, int column) throws SQLException {
        String name = row.getString(column);
        return name == null ? Phase.INGEST : Phase.valueOf(name);
    }

    /** A number that may be missing. */
    public static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }

    /** A time that is there, from milliseconds since 1970 or the database's own type. */
    public static Instant instant(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(time(row, column), "no time in column " + column);
    }

    public static @Nullable Instant time(ResultSet row, int column) throws SQLException {
        return switch (row.getObject(column)) {
            case null -> null;
            case Number millis -> Instant.ofEpochMilli(millis.longValue());
            case Timestamp timestamp -> timestamp.toInstant();
            default -> throw new SQLException("no time in column " + column);
        };
    }

    /** number, node, worker, assigned_at, started_at, ended_at, outcome, failure. */
    static Attempt attempt(ResultSet row) throws SQLException {
        return new Attempt(row.getInt(1), row.getString(2), row.getString(3),
                instant(row, 4),
                time(row, 5), instant(row, 6), Attempt.End.valueOf(row.getString(7)),
                Json.read(row.getString(8), Failure.class));
    }

    /** from_state, to_state, reason, actor, at. */
    static HistoryEntry history(ResultSet row) throws SQLException {
        return new HistoryEntry(JobState.valueOf(row.getString(1)), JobState.valueOf(row.getString(2)),
                row.getString(3), row.getString(4), instant(row, 5));
    }
}

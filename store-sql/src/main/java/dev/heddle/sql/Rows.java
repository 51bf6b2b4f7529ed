package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.SessionStore;
import org.jspecify.annotations.Nullable;

/** Turns rows into values. Columns are read by their index, in the order of the select lists declared here. */
public final class Rows {

    /**
     * The select list of {@link #claimedJob}, with {@code job} as {@code j} and the claimed row of {@code live} as
     * {@code l}.
     */
    public static final String CLAIMED_JOB = JobColumns.SELECT
            + ", l.attempt, l.failures, l.crashes, l.phase, l.suspicion";

    /** The index of the first column after {@link #CLAIMED_JOB}. */
    public static final int AFTER_CLAIMED_JOB = JobColumns.NEXT + 5;

    /** The select list of {@link #job}: the spec, then the job's status, from {@code live} or {@code ended}. */
    static final String JOB = JobColumns.SELECT
            + """
                    , coalesce(l.state, e.state), coalesce(l.phase, e.phase), coalesce(l.attempt, e.attempt), coalesce(l.failures, e.failures),
                    coalesce(l.crashes, e.crashes), l.due_at, l.node, l.assigned_at, l.started_at, l.progress,
                    coalesce(l.reason, e.reason), e.result, e.ended_at,
                    CASE WHEN e.state = 'COMPLETED' OR coalesce(l.attempt, e.attempt) = 0 THEN NULL ELSE
                        (SELECT a.failure FROM heddle.attempt a WHERE a.seq = j.seq AND a.failure IS NOT NULL
                         ORDER BY a.number DESC LIMIT 1) END
                    """;

    /** The index of the first column after {@link #JOB}. */
    static final int AFTER_JOB = JobColumns.NEXT + 14;

    private static final Set<String> STATES = Arrays.stream(JobState.values()).map(JobState::name)
            .collect(Collectors.toUnmodifiableSet());

    private Rows() {}

    /**
     * Reads a job that the node has just claimed from a row of {@link #CLAIMED_JOB}. If the row is damaged, the claim
     * says so.
     *
     * @param wanted the kind of job in whose lane it was; null if it was just moved to another lane
     */
    public static Claim claimedJob(ResultSet row, String node, Instant assignedAt, @Nullable Wanted wanted)
            throws SQLException {
        Claim claim = readClaim(row, node, assignedAt, wanted != null && wanted.suspect());
        String type = wanted == null ? claim.job().type() : SessionStore.plainType(wanted.type());
        return type.equals(claim.job().type()) ? claim
                : Claim.damaged(claim.job(), claim.suspicion(),
                        "its type is '" + claim.job().type() + "', but it is queued as '" + type + "'");
    }

    private static Claim readClaim(ResultSet row, String node, Instant assignedAt, boolean suspect)
            throws SQLException {
        try {
            return intactClaim(row, node, assignedAt, suspect);
        } catch (RuntimeException e) {
            return DamagedRow.claimedJob(row, node, assignedAt, suspect);
        }
    }

    private static Claim intactClaim(ResultSet row, String node, Instant assignedAt, boolean suspect)
            throws SQLException {
        int at = JobColumns.NEXT;
        Job.Counts counts = new Job.Counts(row.getInt(at), row.getInt(at + 1), row.getInt(at + 2));
        Job job = new Job(row.getLong(1), JobColumns.read(row), phase(row, at + 3), counts,
                new JobStatus.Assigned(node, assignedAt), null);
        return new Claim(job, Suspicions.read(row.getString(at + 4), suspect));
    }

    /** Reads a job from a row of {@link #JOB}, also if the row is damaged. */
    static Job job(ResultSet row) throws SQLException {
        try {
            return intactJob(row);
        } catch (RuntimeException e) {
            return DamagedRow.job(row);
        }
    }

    private static Job intactJob(ResultSet row) throws SQLException {
        int at = JobColumns.NEXT;
        JobState state = JobState.valueOf(row.getString(at++));
        Phase phase = phase(row, at++);
        Job.Counts counts = new Job.Counts(row.getInt(at++), row.getInt(at++), row.getInt(at++));
        JobStatus.Columns columns = new JobStatus.Columns(time(row, at++), row.getString(at++), time(row, at++),
                time(row, at++), Json.read(row.getString(at++), Progress.class), row.getString(at++),
                row.getString(at++), time(row, at++));
        Failure failure = Json.read(row.getString(at), Failure.class);
        return new Job(row.getLong(1), JobColumns.read(row), phase, counts, columns.in(state), failure);
    }

    private static Phase phase(ResultSet row, int column) throws SQLException {
        String name = row.getString(column);
        return name == null ? Phase.INGEST : Phase.valueOf(name);
    }

    /** Reads a number that may be null. */
    public static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }

    /** Reads a time that is not null. */
    public static Instant instant(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(time(row, column), "no time in column " + column);
    }

    /** Reads a time that may be null: milliseconds since 1970 in SQLite, a timestamp in PostgreSQL. */
    public static @Nullable Instant time(ResultSet row, int column) throws SQLException {
        return switch (row.getObject(column)) {
            case null -> null;
            case Number millis -> Instant.ofEpochMilli(millis.longValue());
            case Timestamp timestamp -> timestamp.toInstant();
            default -> throw new IllegalArgumentException("no time in column " + column);
        };
    }

    /** Reads number, node, worker, assigned_at, started_at, ended_at, outcome, failure. */
    static Attempt attempt(ResultSet row) throws SQLException {
        try {
            return intactAttempt(row);
        } catch (RuntimeException e) {
            return DamagedRow.attempt(row);
        }
    }

    private static Attempt intactAttempt(ResultSet row) throws SQLException {
        return new Attempt(row.getInt(1), row.getString(2), row.getString(3), instant(row, 4), time(row, 5),
                instant(row, 6), Attempt.End.valueOf(row.getString(7)), Json.read(row.getString(8), Failure.class));
    }

    /** Reads from_state, to_state, reason, actor, at. */
    static HistoryEntry history(ResultSet row) throws SQLException {
        try {
            return intactHistory(row);
        } catch (RuntimeException e) {
            return DamagedRow.history(row);
        }
    }

    /** Reads the state of a live job. One that does not exist counts as PAUSED: a person can cancel or delete the job. */
    public static JobState liveState(String name) {
        return isState(name) ? JobState.valueOf(name) : JobState.PAUSED;
    }

    static boolean isState(String name) {
        return STATES.contains(name);
    }

    private static HistoryEntry intactHistory(ResultSet row) throws SQLException {
        return new HistoryEntry(JobState.valueOf(row.getString(1)), JobState.valueOf(row.getString(2)),
                row.getString(3), row.getString(4), instant(row, 5));
    }
}

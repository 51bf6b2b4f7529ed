package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Limits;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.JobReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row that {@link Rows} cannot read, because someone changed the database or a disk lost some bytes. Each
 * column is read by itself. What makes no sense is left out, and a note says what it was, so that one damaged job never
 * hides the others of a list.
 */
final class DamagedRow {

    /** How much of an unreadable text a note shows. */
    private static final int SHOWN = 200;

    private final ResultSet row;
    private final List<String> notes = new ArrayList<>();

    private DamagedRow(ResultSet row) {
        this.row = row;
    }

    /** Reads a row of {@link Rows#JOB}. The job's headers tell what cannot be read. */
    static Job job(ResultSet row) throws SQLException {
        DamagedRow damaged = new DamagedRow(row);
        int at = JobColumns.NEXT;
        String state = row.getString(at++);
        Phase phase = damaged.phase(at++);
        Job.Counts counts = new Job.Counts(row.getInt(at++), row.getInt(at++), row.getInt(at++));
        JobStatus.Columns columns = new JobStatus.Columns(damaged.time(at++), row.getString(at++), damaged.time(at++),
                damaged.time(at++), damaged.readOrNull("progress", at++, text -> Json.read(text, Progress.class)),
                row.getString(at++), row.getString(at++), damaged.time(at++));
        JobStatus status = damaged.status(String.valueOf(state), columns);
        Failure failure = damaged.failure(at);
        return new Job(row.getLong(1), damaged.spec(), phase, counts, status, failure);
    }

    /** Reads a row of {@link Rows#CLAIMED_JOB}. The claim tells what cannot be read. */
    static Claim claimedJob(ResultSet row, String node, Instant assignedAt, boolean suspect) throws SQLException {
        DamagedRow damaged = new DamagedRow(row);
        int at = JobColumns.NEXT;
        Job.Counts counts = new Job.Counts(row.getInt(at), row.getInt(at + 1), row.getInt(at + 2));
        Phase phase = damaged.phase(at + 3);
        Job job = new Job(row.getLong(1), damaged.spec(), phase, counts, new JobStatus.Assigned(node, assignedAt),
                null);
        return Claim.damaged(job, Suspicions.read(row.getString(at + 4), suspect), damaged.note());
    }

    /** Reads the columns of {@link Rows#attempt}. */
    static Attempt attempt(ResultSet row) throws SQLException {
        DamagedRow damaged = new DamagedRow(row);
        Instant endedAt = Objects.requireNonNullElse(damaged.time(6), Instant.EPOCH);
        Attempt.End end = damaged.read("outcome", row.getString(7), Attempt.End::valueOf, Attempt.End.FAILED);
        Failure failure = damaged.failure(8);
        return new Attempt(row.getInt(1), String.valueOf(row.getString(2)), String.valueOf(row.getString(3)),
                Objects.requireNonNullElse(damaged.time(4), endedAt), damaged.time(5), endedAt, end,
                failure == null && !damaged.notes.isEmpty() ? unreadable(damaged.note()) : failure);
    }

    /** Reads the columns of {@link Rows#history}. */
    static HistoryEntry history(ResultSet row) throws SQLException {
        DamagedRow damaged = new DamagedRow(row);
        JobState from = damaged.read("from_state", row.getString(1), JobState::valueOf, JobState.PAUSED);
        JobState to = damaged.read("to_state", row.getString(2), JobState::valueOf, JobState.PAUSED);
        return new HistoryEntry(from, to, row.getString(3) + " (" + damaged.note() + ")",
                String.valueOf(row.getString(4)), Objects.requireNonNullElse(damaged.time(5), Instant.EPOCH));
    }

    private JobSpec spec() throws SQLException {
        JobId id = Objects.requireNonNull(read("id", row.getString(JobColumns.ID.index()), JobId::of,
                new JobId(new UUID(0, row.getLong(1)))));
        Set<String> tags = read("tags", JobColumns.TAGS.read(row), Json::readSet, Set.of());
        Map<String, String> headers = new HashMap<>(
                read("headers", JobColumns.HEADERS.read(row), Json::readMap, Map.of()));
        JobId parent = readOrNull("parent", JobColumns.PARENT.index(), JobId::of);
        Instant createdAt = Objects.requireNonNullElse(time(JobColumns.CREATED_AT.index()), Instant.EPOCH);
        if (!notes.isEmpty()) {
            headers.put(JobReader.DAMAGE_HEADER, note());
        }
        return JobColumns.spec(row, id, createdAt, parent, tags, headers);
    }

    /** A job in a state that does not exist is shown as one that waits for a person, or as a dead letter if it ended. */
    private JobStatus status(String state, JobStatus.Columns columns) {
        try {
            return columns.in(JobState.valueOf(state));
        } catch (RuntimeException e) {
            note("state", state, e);
            return columns.endedAt() == null ? new JobStatus.Paused(note(), columns.dueAt())
                    : new JobStatus.Failed(note(), columns.endedAt());
        }
    }

    private Phase phase(int column) throws SQLException {
        return read("phase", row.getString(column), Phase::valueOf, Phase.INGEST);
    }

    private @Nullable Failure failure(int column) throws SQLException {
        int before = notes.size();
        Failure failure = readOrNull("failure", column, text -> Json.read(text, Failure.class));
        return notes.size() == before ? failure : unreadable(notes.getLast());
    }

    private static Failure unreadable(String note) {
        return Failure.of(FailureCategory.PERMANENT, note);
    }

    private @Nullable Instant time(int column) throws SQLException {
        String text = row.getString(column);
        try {
            return Rows.time(row, column);
        } catch (RuntimeException | SQLException e) {
            note("time", String.valueOf(text), e);
            return null;
        }
    }

    private <T> @Nullable T readOrNull(String what, int column, Function<String, @Nullable T> reader)
            throws SQLException {
        String text = row.getString(column);
        try {
            return text == null ? null : reader.apply(text);
        } catch (RuntimeException e) {
            note(what, text, e);
            return null;
        }
    }

    private <T> T read(String what, @Nullable String text, Function<String, T> reader, T otherwise) {
        if (text == null) {
            return otherwise;
        }
        try {
            return reader.apply(text);
        } catch (RuntimeException e) {
            note(what, text, e);
            return otherwise;
        }
    }

    private void note(String what, String text, Exception cause) {
        notes.add("unreadable " + what + " '" + Limits.cut(text, SHOWN) + "': " + reason(cause));
    }

    private static String reason(Exception cause) {
        return Limits.cut(String.valueOf(cause.getMessage()).lines().findFirst().orElse(""), SHOWN);
    }

    private String note() {
        return String.join("; ", notes);
    }
}

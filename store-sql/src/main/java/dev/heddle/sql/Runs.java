package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive.Output;
import org.jspecify.annotations.Nullable;

/** What processes left. */
final class Runs {

    private static final String COLUMNS = "SELECT job, attempt, place, exit_code, repository, base, ref, artifacts, cut, usage FROM heddle.run";

    private Runs() {}

    /** The list as it is in its column. */
    private record Artifacts(List<Run.Artifact> files) {}

    static boolean keep(Session session, Run run, Output output) throws SQLException {
        long seq;
        // Whoever deletes the job waits, and then sees the run; or has deleted it, and nothing is kept.
        try (ResultSet row = session.query(
                "SELECT seq FROM heddle.job WHERE id = ?" + session.dialect().forUpdate(), run.job())) {
            if (!row.next()) {
                return false;
            }
            seq = row.getLong(1);
        }
        Run.@Nullable Work work = run.work();
        session.update(
                """
                        INSERT INTO heddle.run (seq, attempt, job, place, exit_code, repository, base, ref, artifacts, cut, usage,
                            stdout, stderr)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (seq, attempt) DO UPDATE SET place = excluded.place, exit_code = excluded.exit_code,
                            repository = excluded.repository, base = excluded.base, ref = excluded.ref,
                            artifacts = excluded.artifacts, cut = excluded.cut, usage = excluded.usage, stdout = excluded.stdout,
                            stderr = excluded.stderr""",
                seq, run.attempt(), run.job(), run.place(), run.exitCode(),
                work == null ? null : work.repository(), work == null ? null : work.base(),
                work == null ? null : work.ref(), Json.text(new Artifacts(run.artifacts())),
                run.cut() ? 1 : 0, Json.text(run.usage()),
                output.stdout(), output.stderr());
        return true;
    }

    static List<Run> of(Session session, JobId job) throws SQLException {
        try (ResultSet rows = session.query(COLUMNS
                + " WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?) ORDER BY attempt", job)) {
            return list(rows);
        }
    }

    static Optional<Output> output(Session session, JobId job, int attempt) throws SQLException {
        try (ResultSet row = session.query("""
                SELECT stdout, stderr FROM heddle.run
                WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?) AND attempt = ?""", job, attempt)) {
            return row.next() ? Optional.of(new Output(row.getString(1), row.getString(2)))
                    : Optional.empty();
        }
    }

    static List<Run> leftBehind(Session session, String place, int limit) throws SQLException {
        try (ResultSet rows = session.query(
                COLUMNS + " WHERE place = ? AND gone = 1 ORDER BY seq, attempt LIMIT ?", place, limit)) {
            return list(rows);
        }
    }

    private static List<Run> list(ResultSet rows) throws SQLException {
        List<Run> runs = new ArrayList<>();
        while (rows.next()) {
            String ref = rows.getString(7);
            Run.Work work = ref == null ? null : new Run.Work(rows.getString(5), rows.getString(6), ref);
            runs.add(new Run(JobId.of(rows.getString(1)), rows.getInt(2), rows.getString(3),
                    rows.getObject(4) == null ? null : rows.getInt(4), work,
                    Objects.requireNonNull(Json.read(rows.getString(8), Artifacts.class)).files(),
                    rows.getInt(9) == 1, Json.read(rows.getString(10), Run.Usage.class)));
        }
        return runs;
    }

    static int forget(Session session, List<Run> runs) throws SQLException {
        int forgotten = 0;
        for (Run run : runs) {
            forgotten += session.update(
                    "DELETE FROM heddle.run WHERE place = ? AND gone = 1 AND job = ? AND attempt = ?",
                    run.place(), run.job(), run.attempt());
        }
        return forgotten;
    }

    /** After the jobs: a run that is being kept meanwhile either finds no job, or is found here. */
    static void jobsAreGone(Session session, Seqs seqs) throws SQLException {
        session.update("UPDATE heddle.run SET gone = 1, stdout = '', stderr = '' WHERE seq"
                + session.dialect().anyOf(), seqs);
    }
}

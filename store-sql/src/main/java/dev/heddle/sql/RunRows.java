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

/** The table {@code run}: exit codes, artifacts and the end of the output of attempts that ran as processes. */
final class RunRows {

    private static final String COLUMNS = "SELECT job, attempt, place, exit_code, repository, base, ref, artifacts, cut, usage FROM heddle.run";

    private RunRows() {}

    /** The JSON document in the column {@code artifacts}. */
    private record Artifacts(List<Run.Artifact> files) {}

    static boolean keep(Tx tx, Run run, Output output) throws SQLException {
        long seq;
        // A deletion of the job waits for this lock and then sees the run, or came first and nothing is kept.
        try (ResultSet row = tx.query("SELECT seq FROM heddle.job WHERE id = ?" + tx.dialect().forUpdate(),
                run.job())) {
            if (!row.next()) {
                return false;
            }
            seq = row.getLong(1);
        }
        Run.@Nullable Work work = run.work();
        tx.update(
                """
                        INSERT INTO heddle.run (seq, attempt, job, place, exit_code, repository, base, ref, artifacts, cut, usage,
                            stdout, stderr)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (seq, attempt) DO UPDATE SET place = excluded.place, exit_code = excluded.exit_code,
                            repository = excluded.repository, base = excluded.base, ref = excluded.ref,
                            artifacts = excluded.artifacts, cut = excluded.cut, usage = excluded.usage, stdout = excluded.stdout,
                            stderr = excluded.stderr""",
                seq, run.attempt(), run.job(), run.place(), run.exitCode(), work == null ? null : work.repository(),
                work == null ? null : work.base(), work == null ? null : work.ref(),
                Json.text(new Artifacts(run.artifacts())), run.cut() ? 1 : 0, Json.text(run.usage()), output.stdout(),
                output.stderr());
        return true;
    }

    static List<Run> of(Tx tx, JobId job) throws SQLException {
        try (ResultSet rows = tx
                .query(COLUMNS + " WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?) ORDER BY attempt", job)) {
            return list(rows);
        }
    }

    static Optional<Output> output(Tx tx, JobId job, int attempt) throws SQLException {
        try (ResultSet row = tx.query("""
                SELECT stdout, stderr FROM heddle.run
                WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?) AND attempt = ?""", job, attempt)) {
            return row.next() ? Optional.of(new Output(row.getString(1), row.getString(2))) : Optional.empty();
        }
    }

    static List<Run> leftBehind(Tx tx, String place, int limit) throws SQLException {
        try (ResultSet rows = tx.query(COLUMNS + " WHERE place = ? AND gone = 1 ORDER BY seq, attempt LIMIT ?", place,
                limit)) {
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
                    Objects.requireNonNull(Json.readOr(rows.getString(8), Artifacts.class, new Artifacts(List.of())))
                            .files(),
                    rows.getInt(9) == 1, Json.readOr(rows.getString(10), Run.Usage.class, null)));
        }
        return runs;
    }

    static int forget(Tx tx, List<Run> runs) throws SQLException {
        int forgotten = 0;
        for (Run run : runs) {
            forgotten += tx.update("DELETE FROM heddle.run WHERE place = ? AND gone = 1 AND job = ? AND attempt = ?",
                    run.place(), run.job(), run.attempt());
        }
        return forgotten;
    }

    /**
     * Marks the runs of deleted jobs. Call this after deleting them: a run kept meanwhile finds no job, or is found
     * here.
     */
    static void markGone(Tx tx, SeqList seqs) throws SQLException {
        tx.update("UPDATE heddle.run SET gone = 1, stdout = '', stderr = '' WHERE seq" + tx.dialect().anyOf(), seqs);
    }
}

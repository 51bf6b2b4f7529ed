package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NodeRecord;

/** Reads single jobs, counts and nodes. {@link JobListing} reads lists. */
final class Queries {

    private static final String FROM_JOB = " FROM heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq"
            + " LEFT JOIN heddle.ended e ON e.seq = j.seq WHERE ";

    private Queries() {}

    static Optional<Job> find(Tx tx, JobId id) throws SQLException {
        try (ResultSet rows = tx.query("SELECT " + Rows.JOB + FROM_JOB + "j.id = ?", id)) {
            return rows.next() ? Optional.of(Rows.job(rows)) : Optional.empty();
        }
    }

    static Optional<JobDetails> details(Tx tx, JobId id) throws SQLException {
        Optional<Job> job = find(tx, id);
        if (job.isEmpty()) {
            return Optional.empty();
        }
        long seq = job.get().seq();
        List<Attempt> attempts = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT number, node, worker, assigned_at, started_at, ended_at, outcome, failure
                FROM heddle.every_attempt WHERE seq = ? ORDER BY number""", seq)) {
            while (rows.next()) {
                attempts.add(Rows.attempt(rows));
            }
        }
        List<HistoryEntry> history = new ArrayList<>();
        try (ResultSet rows = tx.query(
                "SELECT from_state, to_state, reason, actor, at FROM heddle.history WHERE seq = ? ORDER BY id", seq)) {
            while (rows.next()) {
                history.add(Rows.history(rows));
            }
        }
        return Optional
                .of(new JobDetails(job.get(), attempts, history, SavedStateRows.load(tx, seq), children(tx, id)));
    }

    static Map<Long, Instant> firstFailures(Tx tx, List<Long> seqs) throws SQLException {
        Map<Long, Instant> first = new HashMap<>();
        try (ResultSet rows = tx.query("SELECT seq, min(ended_at) FROM heddle.attempt WHERE seq" + tx.dialect().anyOf()
                + " GROUP BY seq", new SeqList(seqs))) {
            while (rows.next()) {
                first.put(rows.getLong(1), Rows.instant(rows, 2));
            }
        }
        return first;
    }

    private static Map<JobState, Long> children(Tx tx, JobId parent) throws SQLException {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        try (ResultSet rows = tx
                .query("SELECT coalesce(l.state, e.state), count(*)" + FROM_JOB + "j.parent = ? GROUP BY 1", parent)) {
            while (rows.next()) {
                counts.merge(Rows.liveState(rows.getString(1)), rows.getLong(2), Long::sum);
            }
        }
        return counts;
    }

    static JobCounts countJobs(Tx tx) throws SQLException {
        List<JobCounts.Line> lines = CountRows.kept(tx);
        long dead = lines.stream().filter(line -> line.state() == JobState.FAILED).mapToLong(JobCounts.Line::count)
                .sum();
        Set<String> paused = new HashSet<>();
        try (ResultSet rows = tx.query("SELECT name FROM heddle.paused_queue")) {
            while (rows.next()) {
                paused.add(rows.getString(1));
            }
        }
        return new JobCounts(lines.stream().filter(line -> !line.state().isFinal()).toList(), dead, paused);
    }

    static List<NodeRecord> nodes(Tx tx) throws SQLException {
        List<NodeRecord> nodes = new ArrayList<>();
        try (ResultSet rows = tx
                .query("SELECT id, joined_at, renewed_at, lease_ms, workers, status FROM heddle.node ORDER BY joined_at, id")) {
            while (rows.next()) {
                nodes.add(new NodeRecord(rows.getString(1), Rows.instant(rows, 2), Rows.instant(rows, 3),
                        Duration.ofMillis(rows.getLong(4)), rows.getString(5),
                        Objects.requireNonNullElse(rows.getString(6), NodeRecord.UNKNOWN)));
            }
        }
        return nodes;
    }
}

package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import org.jspecify.annotations.Nullable;

/** Reads jobs, counts and nodes. */
final class Queries {

    private static final String FROM_JOB = " FROM " + Start.JOB.tables + " WHERE ";

    private Queries() {}

    /**
     * The table from which a query starts: the one that has an index for its condition, in the order of {@code seq}.
     * It then reads hardly more rows than it returns, and sorts nothing.
     */
    private enum Start {
        JOB("j", "heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq"), LIVE(
                "l",
                "heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq"), DEAD("e",
                        "heddle.ended e JOIN heddle.job j ON j.seq = e.seq LEFT JOIN heddle.live l ON l.seq = e.seq"), TAG(
                                "t", "heddle.tag t JOIN heddle.job j ON j.seq = t.seq"
                                        + " LEFT JOIN heddle.live l ON l.seq = t.seq LEFT JOIN heddle.ended e ON e.seq = t.seq");

        private final String seq;
        private final String tables;

        Start(String alias, String tables) {
            this.seq = alias + ".seq";
            this.tables = tables;
        }

        static Start of(JobQuery query) {
            Set<JobState> states = query.states();
            if (states.equals(Set.of(JobState.FAILED))) {
                return DEAD;
            }
            if (query.tag() != null) {
                return TAG;
            }
            return !states.isEmpty() && states.stream().noneMatch(JobState::isFinal) ? LIVE : JOB;
        }

        /** Puts the names of the states into the SQL, not into parameters: partial indexes match only constants. */
        String inState(Set<JobState> states) {
            if (states.isEmpty()) {
                return "1 = 1";
            }
            String names = EnumSet.copyOf(states).stream().map(state -> "'" + state + "'")
                    .collect(Collectors.joining(", "));
            return switch (this) {
                case DEAD -> "e.state = 'FAILED'";
                case LIVE -> "l.state IN (" + names + ")";
                case JOB, TAG -> "coalesce(l.state, e.state) IN (" + names + ")";
            };
        }

        String tagged() {
            return this == TAG ? "t.name = ?"
                    : "EXISTS (SELECT 1 FROM heddle.tag t WHERE t.name = ? AND t.seq = " + seq + ")";
        }
    }

    static Optional<Job> find(Tx tx, JobId id) throws SQLException {
        try (ResultSet rows = tx.query("SELECT " + Rows.JOB + FROM_JOB + "j.id = ?", id)) {
            return rows.next() ? Optional.of(Rows.job(rows)) : Optional.empty();
        }
    }

    static List<Job> list(Tx tx, JobQuery query) throws SQLException {
        List<Object> parameters = new ArrayList<>();
        String sql = listing(query, parameters);
        List<Job> jobs = new ArrayList<>();
        try (ResultSet rows = tx.query(sql, parameters.toArray())) {
            while (rows.next()) {
                jobs.add(Rows.job(rows));
            }
        }
        return jobs;
    }

    /** Returns the SQL of a query, and adds its parameters to the list. */
    static String listing(JobQuery query, List<Object> parameters) {
        Start start = Start.of(query);
        List<String> conditions = new ArrayList<>();
        filter(conditions, parameters, "j.type = ?", query.type());
        filter(conditions, parameters, "j.queue = ?", query.queue());
        filter(conditions, parameters, "j.subject = ?", query.subject());
        filter(conditions, parameters, start.tagged(), query.tag());
        filter(conditions, parameters, "j.parent = ?", query.parent());
        filter(conditions, parameters, "j.id >= ?", query.ids() == null ? null : query.ids().first());
        filter(conditions, parameters, "j.id <= ?", query.ids() == null ? null : query.ids().last());
        filter(conditions, parameters, start.seq + " < ?", query.before() == 0 ? null : query.before());
        filter(conditions, parameters, start.seq + " > ?", query.after());
        conditions.add(start.inState(query.states()));
        parameters.add(query.limit());
        return "SELECT " + Rows.JOB + " FROM " + start.tables + " WHERE " + String.join(" AND ", conditions)
                + " ORDER BY " + start.seq + (query.after() == null ? " DESC" : "") + " LIMIT ?";
    }

    private static void filter(List<String> conditions, List<Object> parameters, String condition,
            @Nullable Object value) {
        if (value != null) {
            conditions.add(condition);
            parameters.add(value);
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

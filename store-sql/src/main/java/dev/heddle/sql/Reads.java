package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;
import org.jspecify.annotations.Nullable;

/** Everything that only looks. */
final class Reads {

    private static final String FROM_JOB = " FROM heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq WHERE ";
    private static final String FROM_LIVE = " FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq WHERE ";
    private static final String FROM_ENDED = " FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq LEFT JOIN heddle.live l ON l.seq = e.seq WHERE ";

    private Reads() {}

    static Optional<Job> find(Session session, JobId id) throws SQLException {
        try (ResultSet rows = session.query("SELECT " + Rows.JOB + FROM_JOB + "j.id = ?", id)) {
            return rows.next() ? Optional.of(Rows.job(rows)) : Optional.empty();
        }
    }

    static List<Job> list(Session session, JobQuery query) throws SQLException {
        List<String> conditions = new ArrayList<>();
        List<Object> parameters = new ArrayList<>();
        filter(conditions, parameters, "j.type = ?", query.type());
        filter(conditions, parameters, "j.queue = ?", query.queue());
        filter(conditions, parameters, "j.subject = ?", query.subject());
        filter(conditions, parameters, session.dialect().tagged(), query.tag());
        filter(conditions, parameters, "j.parent = ?", query.parent());
        filter(conditions, parameters, "j.id >= ?", query.ids() == null ? null : query.ids().first());
        filter(conditions, parameters, "j.id <= ?", query.ids() == null ? null : query.ids().last());
        filter(conditions, parameters, "j.seq < ?", query.before() == 0 ? null : query.before());
        filter(conditions, parameters, "j.seq > ?", query.after());
        conditions.add(states(query.states()));
        parameters.add(query.limit());
        String sql = "SELECT " + Rows.JOB + from(query.states()) + String.join(" AND ", conditions)
                + " ORDER BY j.seq" + (query.after() == null ? " DESC" : "") + " LIMIT ?";
        List<Job> jobs = new ArrayList<>();
        try (ResultSet rows = session.query(sql, parameters.toArray())) {
            while (rows.next()) {
                jobs.add(Rows.job(rows));
            }
        }
        return jobs;
    }

    private static void filter(List<String> conditions, List<Object> parameters, String condition,
            @Nullable Object value) {
        if (value != null) {
            conditions.add(condition);
            parameters.add(value);
        }
    }

    /** Starts from the small table where the states allow it, so that listing dead letters does not read all jobs. */
    private static String from(Set<JobState> states) {
        if (states.equals(Set.of(JobState.FAILED))) {
            return FROM_ENDED;
        }
        boolean live = !states.isEmpty() && states.stream().noneMatch(JobState::isFinal);
        return live ? FROM_LIVE : FROM_JOB;
    }

    /** State names are ours, so they can stand in the text, where the partial indexes see them. */
    private static String states(Set<JobState> states) {
        if (states.isEmpty()) {
            return "1 = 1";
        }
        String names = EnumSet.copyOf(states).stream().map(state -> "'" + state + "'")
                .collect(Collectors.joining(", "));
        return switch (from(states)) {
            case FROM_ENDED -> "e.state = 'FAILED'";
            case FROM_LIVE -> "l.state IN (" + names + ")";
            default -> "coalesce(l.state, e.state) IN (" + names + ")";
        };
    }

    static Optional<Story> story(Session session, JobId id) throws SQLException {
        Optional<Job> job = find(session, id);
        if (job.isEmpty()) {
            return Optional.empty();
        }
        long seq = job.get().seq();
        List<Attempt> attempts = new ArrayList<>();
        try (ResultSet rows = session.query("""
                SELECT number, node, worker, assigned_at, started_at, ended_at, outcome, failure
                FROM heddle.every_attempt WHERE seq = ? ORDER BY number""", seq)) {
            while (rows.next()) {
                attempts.add(Rows.attempt(rows));
            }
        }
        List<HistoryEntry> history = new ArrayList<>();
        try (ResultSet rows = session
                .query("SELECT from_state, to_state, reason, actor, at FROM heddle.history WHERE seq = ? ORDER BY id",
                        seq)) {
            while (rows.next()) {
                history.add(Rows.history(rows));
            }
        }
        return Optional.of(new Story(job.get(), attempts, history, Saves.load(session, seq),
                children(session, id)));
    }

    private static Map<JobState, Long> children(Session session, JobId parent) throws SQLException {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        try (ResultSet rows = session.query("SELECT coalesce(l.state, e.state), count(*)" + FROM_JOB
                + "j.parent = ? GROUP BY 1", parent)) {
            while (rows.next()) {
                counts.put(JobState.valueOf(rows.getString(1)), rows.getLong(2));
            }
        }
        return counts;
    }

    static Tally tally(Session session) throws SQLException {
        List<Tally.Line> lines = new ArrayList<>();
        // What is parked for a worker counts with its type.
        Map<Tally.Line, Long> counts = new LinkedHashMap<>();
        try (ResultSet rows = session
                .query("""
                        SELECT lane.queue, lane.type, counted.state, sum(counted.jobs)
                        FROM (SELECT lane, state, count(*) AS jobs FROM heddle.live WHERE state <> 'CANCELLED' GROUP BY lane, state) counted
                        JOIN heddle.lane ON lane.id = counted.lane GROUP BY lane.queue, lane.type, counted.state ORDER BY 1, 2, 3""")) {
            while (rows.next()) {
                Tally.Line line = new Tally.Line(rows.getString(1), SessionStore.plainType(rows.getString(2)),
                        JobState.valueOf(rows.getString(3)), 0);
                counts.merge(line, rows.getLong(4), Long::sum);
            }
        }
        counts.forEach(
                (line, count) -> lines.add(new Tally.Line(line.queue(), line.type(), line.state(), count)));
        long dead;
        try (ResultSet rows = session.query("SELECT count(*) FROM heddle.ended WHERE state = 'FAILED'")) {
            dead = rows.next() ? rows.getLong(1) : 0;
        }
        Set<String> paused = new HashSet<>();
        try (ResultSet rows = session.query("SELECT name FROM heddle.paused_queue")) {
            while (rows.next()) {
                paused.add(rows.getString(1));
            }
        }
        return new Tally(lines, dead, paused);
    }

    static List<NodeRecord> nodes(Session session) throws SQLException {
        List<NodeRecord> nodes = new ArrayList<>();
        try (ResultSet rows = session
                .query("SELECT id, joined_at, renewed_at, lease_ms, workers FROM heddle.node ORDER BY joined_at, id")) {
            while (rows.next()) {
                nodes.add(new NodeRecord(rows.getString(1), Rows.instant(rows, 2), Rows.instant(rows, 3),
                        Duration.ofMillis(rows.getLong(4)), rows.getString(5)));
            }
        }
        return nodes;
    }
}

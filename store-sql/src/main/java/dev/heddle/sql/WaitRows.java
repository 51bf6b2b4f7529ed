package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitRules;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Suspicion;
import dev.heddle.waiting.WaitStore;
import dev.heddle.waiting.WaitStore.Facts;
import dev.heddle.waiting.WaitStore.KeyUse;
import org.jspecify.annotations.Nullable;

/** Reads why a job may wait. Every query uses an index and has a bound. */
final class WaitRows {

    private static final String LANE = """
            SELECT l.priority, l.suspicion, n.queue, n.type, n.suspect,
                   (SELECT j.id FROM heddle.job j WHERE j.seq = l.behind)
            FROM heddle.live l
            JOIN heddle.lane n ON n.id = l.lane WHERE l.seq = ?""";

    private static final String SOME_AHEAD = """
            SELECT * FROM (SELECT l.seq FROM heddle.lane n JOIN heddle.live l ON l.lane = n.id AND l.state = 'QUEUED'
                WHERE n.queue = ? AND n.type IN (?, ?, ?) AND\s""";

    /** Two ranges of the index instead of one condition, which would read the whole lane. */
    static final String AHEAD = "SELECT count(*) FROM (" + SOME_AHEAD + "l.priority > ? LIMIT ?) higher\nUNION ALL\n"
            + SOME_AHEAD + "l.priority = ? AND l.seq < ? LIMIT ?) older) jobs";

    private static final String LAST_ATTEMPT = """
            SELECT number, node, worker, assigned_at, started_at, ended_at, outcome, failure
            FROM heddle.attempt WHERE seq = ? ORDER BY number DESC LIMIT 1""";

    /** The sum keeps PostgreSQL from reading the whole table backwards by its primary key. */
    private static final String LAST_CHANGE = """
            SELECT from_state, to_state, reason, actor, at FROM heddle.history WHERE seq = ? ORDER BY id + 0 DESC LIMIT 1""";

    private WaitRows() {}

    static Optional<Facts> facts(Tx tx, JobId id, Instant now) throws SQLException {
        Optional<Job> found = Queries.find(tx, id);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Job job = found.get();
        Lane lane = job.state().isFinal() ? null : lane(tx, job.seq());
        return Optional.of(new Facts(job, now, lane == null ? Suspicion.NONE : lane.suspicion,
                exists(tx, "SELECT 1 FROM heddle.paused_queue WHERE name = ?", job.queue()), lastAttempt(tx, job.seq()),
                lastChange(tx, job.seq()), lane == null ? List.of() : limits(tx, job), binding(tx, job),
                lane == null ? 0 : ahead(tx, job, lane), lane == null ? 0 : children(tx, job.seq()),
                lane == null ? null : lane.behind));
    }

    /** The lane of a live job. */
    private record Lane(int priority, String queue, String type, Suspicion suspicion, @Nullable JobId behind) {}

    private static @Nullable Lane lane(Tx tx, long seq) throws SQLException {
        try (ResultSet row = tx.query(LANE, seq)) {
            return row.next() ? new Lane(row.getInt(1), row.getString(3), row.getString(4),
                    Suspicions.read(row.getString(2), row.getBoolean(5)),
                    row.getString(6) == null ? null : JobId.of(row.getString(6))) : null;
        }
    }

    private static boolean exists(Tx tx, String sql, Object parameter) throws SQLException {
        try (ResultSet rows = tx.query(sql, parameter)) {
            return rows.next();
        }
    }

    private static @Nullable Attempt lastAttempt(Tx tx, long seq) throws SQLException {
        try (ResultSet row = tx.query(LAST_ATTEMPT, seq)) {
            return row.next() ? Rows.attempt(row) : null;
        }
    }

    private static @Nullable HistoryEntry lastChange(Tx tx, long seq) throws SQLException {
        try (ResultSet row = tx.query(LAST_CHANGE, seq)) {
            return row.next() ? Rows.history(row) : null;
        }
    }

    private static @Nullable Binding binding(Tx tx, Job job) throws SQLException {
        String session = job.spec().extras().session();
        return session == null ? null : SessionRows.find(tx, job.type(), session).orElse(null);
    }

    private static int ahead(Tx tx, Job job, Lane lane) throws SQLException {
        int most = WaitStore.MOST_COUNTED + 1;
        List<Object> lanes = new ArrayList<>(List.of(lane.queue));
        lanes.addAll(Lanes.types(Lanes.unlimited(lane.type)));
        return Math.min(most, count(tx, AHEAD, Stream.of(lanes, List.of(lane.priority, most), lanes,
                List.of(lane.priority, job.seq(), most)).flatMap(List::stream).toArray()));
    }

    private static int children(Tx tx, long seq) throws SQLException {
        return count(tx, "SELECT count(*) FROM (SELECT 1 FROM heddle.live WHERE parent = ? LIMIT ?) children", seq,
                WaitStore.MOST_COUNTED + 1);
    }

    private static int count(Tx tx, String sql, Object... parameters) throws SQLException {
        try (ResultSet row = tx.query(sql, parameters)) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private static List<KeyUse> limits(Tx tx, Job job) throws SQLException {
        List<LimitKey> keys = job.spec().limits();
        if (keys.isEmpty()) {
            return List.of();
        }
        LimitRules rules = LimitRows.rules(tx);
        Map<Long, Long> states = LimitRows.rateStates(tx, new SeqList(LimitRows.ids(keys)));
        List<KeyUse> uses = new ArrayList<>();
        for (LimitKey key : keys) {
            Limit limit = rules.find(key.limit());
            if (limit != null) {
                long id = LimitIds.key(key);
                uses.add(new KeyUse(key, limit,
                        count(tx, "SELECT count(*) FROM heddle.limit_held WHERE limit_key = ?", id),
                        holders(tx, id), states.getOrDefault(id, 0L)));
            }
        }
        return uses;
    }

    private static List<JobId> holders(Tx tx, long key) throws SQLException {
        List<JobId> holders = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT j.id FROM heddle.limit_held h JOIN heddle.job j ON j.seq = h.seq
                WHERE h.limit_key = ? ORDER BY h.seq LIMIT ?""", key, WaitStore.MOST_HOLDERS)) {
            while (rows.next()) {
                holders.add(JobId.of(rows.getString(1)));
            }
        }
        return holders;
    }
}

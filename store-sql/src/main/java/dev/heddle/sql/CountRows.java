package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.job.JobState;
import dev.heddle.stats.CountStore.Difference;
import dev.heddle.stats.CountStore.Head;
import dev.heddle.store.Fence;
import dev.heddle.store.JobCounts;
import dev.heddle.store.SessionStore;
import org.jspecify.annotations.Nullable;

/**
 * The kept counts of jobs. Everything that changes the state, queue or type of a job, stores one or deletes one, adds
 * rows to {@code job_count_delta} in its transaction: jobs moved from one state to another. {@link #fold} sums them
 * into {@code job_count}.
 *
 * <p>A job counts under the state in {@code live} or, if it has ended, in {@code ended}. So moving the row of a
 * cancelled job to {@code ended} changes no count.
 */
public final class CountRows {

    private static final String ADD = "INSERT INTO heddle.job_count_delta (queue, type, from_state, to_state, jobs) ";
    private static final String LIVE_LANES = "FROM heddle.live l JOIN heddle.lane lane ON lane.id = l.lane WHERE l.seq";
    private static final String FENCED = " = ? AND l.attempt = ? AND l.node = ? AND l.state IN ('ASSIGNED', 'RUNNING')";
    private static final String BY_TYPE_AND_STATE = " GROUP BY lane.queue, lane.type, l.state";

    private static final String MOVE = ADD + "SELECT lane.queue, lane.type, l.state, ?, count(*) " + LIVE_LANES;
    private static final String MOVE_HELD = ADD + "SELECT lane.queue, lane.type, l.state, ?, 1 " + LIVE_LANES + FENCED;
    private static final String ENTER = ADD + "SELECT lane.queue, lane.type, ?, l.state, count(*) " + LIVE_LANES;
    private static final String MOVE_JOBS = ADD
            + "SELECT j.queue, j.type, ?, ?, count(*) FROM heddle.job j WHERE j.seq";
    private static final String REMOVE_ENDED = ADD + """
            SELECT j.queue, j.type, e.state, NULL, count(*)
            FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq WHERE e.seq""";

    private static final String KEPT = """
            SELECT queue, type, state, jobs, 0 AS counted FROM heddle.job_count
            UNION ALL SELECT queue, type, from_state, -jobs, 0 FROM heddle.job_count_delta WHERE from_state IS NOT NULL
            UNION ALL SELECT queue, type, to_state, jobs, 0 FROM heddle.job_count_delta WHERE to_state IS NOT NULL
            """;
    private static final String COUNTED = """
            UNION ALL SELECT j.queue, j.type, coalesce(l.state, e.state), 0, count(*)
            FROM heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq
            WHERE coalesce(l.state, e.state) IS NOT NULL
            GROUP BY j.queue, j.type, coalesce(l.state, e.state)
            """;

    private CountRows() {}

    /** Jobs of one queue and type in one state. */
    private record Key(String queue, String type, JobState state) {

        static Key read(ResultSet row) throws SQLException {
            return new Key(row.getString(1), plain(row.getString(2)), Rows.liveState(row.getString(3)));
        }

        JobCounts.Line line(long count) {
            return new JobCounts.Line(queue, type, state, count);
        }
    }

    private static final Comparator<Key> ORDER = Comparator.comparing(Key::queue).thenComparing(Key::type)
            .thenComparing(Key::state);

    /** Jobs that a statement has moved from one state to another; null for none. */
    public record Moved(String queue, String type, @Nullable JobState from, @Nullable JobState to) {}

    /**
     * Returns a part of a statement that counts rows of another part.
     *
     * @param rows the other part, which has a column {@code lane}
     * @param from the state of its rows before, as SQL
     * @param to their state afterwards, as SQL
     */
    public static String counting(String rows, String from, String to) {
        return ", counted AS (\n" + ADD + """
                SELECT lane.queue, lane.type, %s, %s, count(*) FROM %s JOIN heddle.lane ON lane.id = %s.lane
                GROUP BY 1, 2, 3, 4)
                """.formatted(from, to, rows, rows);
    }

    /** Returns a part of a statement that counts new jobs. Its parameters are their queue, type and number. */
    public static String countingNew() {
        return ", counted AS (\n" + ADD + "VALUES (?, ?, NULL, 'QUEUED', ?))\n";
    }

    /** Adds what the caller has counted. */
    public static void add(Tx tx, Map<Moved, Long> moved) throws SQLException {
        tx.batch(ADD + "VALUES (?, ?, ?, ?, ?)", List.copyOf(moved.entrySet()), entry -> new @Nullable Object[]{
            entry.getKey().queue, entry.getKey().type, entry.getKey().from, entry.getKey().to, entry.getValue()});
    }

    /** Counts that live jobs go to another state, or are deleted. Call this before the change. Locks the jobs. */
    public static void move(Tx tx, Collection<Long> live, @Nullable JobState to) throws SQLException {
        if (!live.isEmpty()) {
            SeqList seqs = new SeqList(live);
            String lock = tx.dialect().forUpdate();
            if (!lock.isEmpty()) {
                tx.query("SELECT 1 FROM heddle.live WHERE seq" + tx.dialect().anyOf() + " ORDER BY seq" + lock, seqs)
                        .close();
            }
            tx.update(MOVE + tx.dialect().anyOf() + BY_TYPE_AND_STATE, to, seqs);
        }
    }

    /** Counts that all jobs are queued that are due, in a database that one process uses. Call this before the change. */
    public static void promote(Tx tx, Instant now) throws SQLException {
        tx.update(ADD + """
                SELECT lane.queue, lane.type, 'SCHEDULED', 'QUEUED', count(*)
                FROM heddle.live l JOIN heddle.lane lane ON lane.id = l.lane
                WHERE l.state = 'SCHEDULED' AND l.due_at <= ? GROUP BY lane.queue, lane.type""", now);
    }

    /** Counts that a live job goes to another state, if its attempt still has it. Call this before the change. */
    public static void moveHeld(Tx tx, Fence fence, JobState to) throws SQLException {
        String lock = tx.dialect().forUpdate();
        if (!lock.isEmpty()) {
            tx.query("SELECT 1 FROM heddle.live l WHERE l.seq" + FENCED + lock, fence.seq(), fence.attempt(),
                    fence.node()).close();
        }
        tx.update(MOVE_HELD, to, fence.seq(), fence.attempt(), fence.node());
    }

    /** Counts live jobs whose state was changed, or that are new. Call this after the change. */
    public static void enter(Tx tx, Collection<Long> live, @Nullable JobState from) throws SQLException {
        tx.update(ENTER + tx.dialect().anyOf() + BY_TYPE_AND_STATE, from, new SeqList(live));
    }

    /** Counts jobs that went from one state to another. */
    static void moveJobs(Tx tx, Collection<Long> seqs, JobState from, JobState to) throws SQLException {
        if (!seqs.isEmpty()) {
            tx.update(MOVE_JOBS + tx.dialect().anyOf() + " GROUP BY j.queue, j.type", from, to, new SeqList(seqs));
        }
    }

    /** Counts that those of the jobs are deleted that have ended. Call this before. Locks them. */
    static void removeEnded(Tx tx, SeqList seqs) throws SQLException {
        String lock = tx.dialect().forUpdate();
        if (!lock.isEmpty()) {
            tx.query("SELECT 1 FROM heddle.ended WHERE seq" + tx.dialect().anyOf() + " ORDER BY seq" + lock, seqs)
                    .close();
        }
        tx.update(REMOVE_ENDED + tx.dialect().anyOf() + " GROUP BY j.queue, j.type, e.state", seqs);
    }

    static List<JobCounts.Line> kept(Tx tx) throws SQLException {
        Map<Key, long[]> counts = read(tx, KEPT);
        List<JobCounts.Line> lines = new ArrayList<>();
        counts.forEach((key, count) -> {
            if (count[0] > 0) {
                lines.add(key.line(count[0]));
            }
        });
        return lines;
    }

    /** Looks up one job in each lane. */
    static List<Head> heads(Tx tx) throws SQLException {
        Map<List<String>, Instant> heads = new HashMap<>();
        try (ResultSet rows = tx
                .query("""
                        SELECT lane.queue, lane.type, j.created_at FROM heddle.lane
                        JOIN heddle.job j ON j.seq = (SELECT l.seq FROM heddle.live l WHERE l.state = 'QUEUED' AND l.lane = lane.id
                                                      ORDER BY l.priority DESC, l.seq LIMIT 1)""")) {
            while (rows.next()) {
                heads.merge(List.of(rows.getString(1), plain(rows.getString(2))), Rows.instant(rows, 3),
                        (one, other) -> one.isBefore(other) ? one : other);
            }
        }
        return heads.entrySet().stream()
                .map(head -> new Head(head.getKey().getFirst(), head.getKey().getLast(), head.getValue())).toList();
    }

    /** Compares the kept counts with those of all jobs, as of one moment. */
    static List<Difference> differences(Tx tx) throws SQLException {
        List<Difference> differences = new ArrayList<>();
        read(tx, KEPT + COUNTED).forEach((key, counts) -> {
            if (counts[0] != counts[1]) {
                differences.add(new Difference(key.queue, key.type, key.state, counts[0], counts[1]));
            }
        });
        return differences;
    }

    /** Corrects the kept counts, whatever others have added since the differences were read. */
    static void correct(Tx tx, List<Difference> differences) throws SQLException {
        tx.batch(ADD + "VALUES (?, ?, NULL, ?, ?)", differences,
                wrong -> new Object[]{wrong.queue(), wrong.type(), wrong.state(), wrong.counted() - wrong.kept()});
    }

    private static Map<Key, long[]> read(Tx tx, String sql) throws SQLException {
        Map<Key, long[]> counts = new TreeMap<>(ORDER);
        try (ResultSet rows = tx
                .query("SELECT queue, type, state, sum(jobs), sum(counted) FROM (" + sql + ") c GROUP BY 1, 2, 3")) {
            while (rows.next()) {
                long[] both = counts.computeIfAbsent(Key.read(rows), _ -> new long[2]);
                both[0] += rows.getLong(4);
                both[1] += rows.getLong(5);
            }
        }
        return counts;
    }

    /** Returns whether there is anything to fold. */
    static boolean pending(Tx tx) throws SQLException {
        try (ResultSet rows = tx.query("SELECT 1 FROM heddle.job_count_delta LIMIT 1")) {
            return rows.next();
        }
    }

    /** Sums the deltas into the counts, unless another node is doing so; returns how many deltas there were. */
    static int fold(Tx tx) throws SQLException {
        if (!tx.dialect().mayFoldCounts(tx)) {
            return 0;
        }
        Map<Key, Long> sums = new TreeMap<>(ORDER);
        int folded = 0;
        try (ResultSet rows = tx.query(
                "DELETE FROM heddle.job_count_delta RETURNING queue, type, from_state, to_state, jobs")) {
            while (rows.next()) {
                String queue = rows.getString(1);
                String type = plain(rows.getString(2));
                String from = rows.getString(3);
                String to = rows.getString(4);
                if (from != null) {
                    sums.merge(new Key(queue, type, Rows.liveState(from)), -rows.getLong(5), Long::sum);
                }
                if (to != null) {
                    sums.merge(new Key(queue, type, Rows.liveState(to)), rows.getLong(5), Long::sum);
                }
                folded++;
            }
        }
        sums.values().removeIf(sum -> sum == 0);
        tx.batch("""
                INSERT INTO heddle.job_count (queue, type, state, jobs) VALUES (?, ?, ?, ?)
                ON CONFLICT (queue, type, state) DO UPDATE SET jobs = job_count.jobs + excluded.jobs""",
                List.copyOf(sums.entrySet()), entry -> new Object[]{entry.getKey().queue, entry.getKey().type,
                    entry.getKey().state, entry.getValue()});
        if (!sums.isEmpty()) {
            tx.update("DELETE FROM heddle.job_count WHERE jobs = 0");
        }
        return folded;
    }

    /** Returns the type of the jobs of a lane, also if they wait for one worker. */
    private static String plain(String type) {
        return SessionStore.plainType(Lanes.jobType(type));
    }
}

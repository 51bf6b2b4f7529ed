package dev.heddle.sql;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.dedupe.KeyState;
import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.KeyState.Stage;
import dev.heddle.dedupe.SubmissionPlan;
import dev.heddle.dedupe.SubmissionPlan.KeyName;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code dedupe_key}, and the jobs that have keys. A job that waits for the end of another with its key is in
 * {@code live} with {@code behind}; only the other has the key in {@code live.dedupe}.
 */
public final class KeyRows {

    private static final String MEMBERS = """
            SELECT l.seq, j.id, l.state, l.node IS NOT NULL, l.phase IS NOT NULL, j.queue, j.limit_group, l.dedupe,
                   l.behind
            FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq WHERE\s""";

    /** Moves what is remembered by the jump of a clock. */
    public static final String MOVE = "UPDATE heddle.dedupe_key SET since = since + ?, until = until + ?";

    private static final int SWEPT = 1_000;

    private final Map<JobId, Long> seqs = new HashMap<>();
    private final Map<String, KeyState> states = new HashMap<>();

    private KeyRows() {}

    private record Row(long seq, Member member, @Nullable String dedupe, @Nullable Long behind) {}

    /** Locks the keys of submissions that have modes, so that nobody else submits under them meanwhile. */
    public static void lock(Tx tx, List<Submission> submissions) throws SQLException {
        List<Long> locks = submissions.stream().filter(SubmissionPlan::isNeeded)
                .flatMap(submission -> submission.jobs().stream()).map(job -> AdmissionControl.key(job.spec()))
                .filter(Objects::nonNull).map(KeyRows::lock).distinct().toList();
        if (!locks.isEmpty()) {
            tx.dialect().lockKeys(tx, new SeqList(locks));
        }
    }

    private static long lock(String key) {
        return UUID.nameUUIDFromBytes(("heddle dedupe " + key).getBytes(StandardCharsets.UTF_8))
                .getMostSignificantBits();
    }

    /**
     * Loads what is known of keys, and locks their jobs.
     *
     * @param locksHeld whether to lock also jobs that nodes hold: the nodes then wait to write their ends
     */
    static KeyRows load(Tx tx, Collection<String> keys, boolean locksHeld) throws SQLException {
        if (keys.isEmpty()) {
            return new KeyRows();
        }
        TextList wanted = new TextList(keys);
        while (true) {
            // Lock first, then read: the query then sees what the last change left. The older job comes first, as at
            // its end. If that end has given the key to another job meanwhile, that one is not locked yet.
            String holders = "dedupe" + tx.dialect().anyOf();
            Set<Long> locked = locked(tx, holders + (locksHeld ? "" : " AND node IS NULL"), wanted);
            locked.addAll(locked(tx, "behind IN (SELECT h.seq FROM heddle.live h WHERE h." + holders + ")", wanted));
            KeyRows loaded = new KeyRows();
            if (loaded.read(tx, wanted, row -> locked.contains(row.seq)
                    || (!locksHeld && (row.member.stage() == Stage.HELD || row.member.stage() == Stage.STOPPING)))) {
                return loaded;
            }
        }
    }

    private static Set<Long> locked(Tx tx, String which, TextList wanted) throws SQLException {
        Set<Long> locked = new HashSet<>();
        try (ResultSet rows = tx.query(
                "SELECT seq FROM heddle.live WHERE " + which + " ORDER BY seq" + tx.dialect().forUpdate(), wanted)) {
            while (rows.next()) {
                locked.add(rows.getLong(1));
            }
        }
        return locked;
    }

    /** Reads the keys; returns false if a job is not as it should be. */
    private boolean read(Tx tx, TextList wanted, Predicate<Row> isLocked) throws SQLException {
        Map<Long, Row> holders = new HashMap<>();
        for (Row row : members(tx, "l.dedupe" + tx.dialect().anyOf(), wanted)) {
            holders.put(row.seq, row);
        }
        Map<Long, Row> successors = new HashMap<>();
        if (!holders.isEmpty()) {
            for (Row row : members(tx, "l.behind" + tx.dialect().anyOf(), new SeqList(holders.keySet()))) {
                successors.put(Objects.requireNonNull(row.behind), row);
            }
        }
        if (!Stream.concat(holders.values().stream(), successors.values().stream()).allMatch(isLocked)) {
            return false;
        }
        Map<String, KeyMemory> memories = memories(tx, wanted);
        holders.values().forEach(row -> {
            Row successor = successors.get(row.seq);
            states.put(Objects.requireNonNull(row.dedupe),
                    new KeyState(row.member, successor == null ? null : successor.member, memories.get(row.dedupe)));
        });
        memories.forEach((key, memory) -> states.putIfAbsent(key, new KeyState(null, null, memory)));
        return true;
    }

    private List<Row> members(Tx tx, String which, Object parameter) throws SQLException {
        List<Row> members = new ArrayList<>();
        try (ResultSet rows = tx.query(MEMBERS + which, parameter)) {
            while (rows.next()) {
                JobState state = Rows.liveState(rows.getString(3));
                Member member = new Member(JobId.of(rows.getString(2)),
                        stage(state, rows.getBoolean(4), rows.getBoolean(5)),
                        state == JobState.QUEUED ? rows.getString(6) : null, Rows.number(rows, 7));
                seqs.put(member.id(), rows.getLong(1));
                members.add(new Row(rows.getLong(1), member, rows.getString(8), Rows.number(rows, 9)));
            }
        }
        return members;
    }

    private static Stage stage(JobState state, boolean held, boolean secondPhase) {
        if (held) {
            return state.isHeld() ? Stage.HELD : Stage.STOPPING;
        }
        return secondPhase || state == JobState.WAITING ? Stage.BEGUN : Stage.UNCLAIMED;
    }

    private static Map<String, KeyMemory> memories(Tx tx, TextList keys) throws SQLException {
        Map<String, KeyMemory> memories = new HashMap<>();
        try (ResultSet rows = tx
                .query("SELECT dedupe, submission, job, since, until FROM heddle.dedupe_key WHERE dedupe"
                        + tx.dialect().anyOf(), keys)) {
            while (rows.next()) {
                memories.put(rows.getString(1), new KeyMemory(JobId.of(rows.getString(2)), JobId.of(rows.getString(3)),
                        Rows.instant(rows, 4), Rows.time(rows, 5)));
            }
        }
        return memories;
    }

    KeyState state(KeyName key) {
        return states.getOrDefault(key.type() + AdmissionControl.SEPARATOR + key.key(), KeyState.UNUSED);
    }

    /** Returns the number of a job that was loaded; null for one that is new. */
    @Nullable Long seqOf(JobId job) {
        return seqs.get(job);
    }

    static void remember(Tx tx, String key, KeyMemory memory) throws SQLException {
        tx.update("""
                INSERT INTO heddle.dedupe_key (dedupe, submission, job, since, until) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (dedupe) DO UPDATE SET submission = excluded.submission, job = excluded.job,
                    since = excluded.since, until = excluded.until""", key, memory.submission(), memory.job(),
                memory.since(), memory.until());
    }

    private static final String OF_JOBS = """
            DELETE FROM heddle.dedupe_key
            WHERE job IN (SELECT j.id FROM heddle.job j WHERE j.dedupe_key IS NOT NULL AND j.seq""";

    /** Frees the keys of jobs that a person deletes. */
    static void forget(Tx tx, SeqList jobs) throws SQLException {
        tx.update(OF_JOBS + tx.dialect().anyOf() + ")", jobs);
    }

    /** Forgets the keys of jobs that retention deletes, unless they are to be remembered for longer. */
    static void prune(Tx tx, SeqList jobs) throws SQLException {
        tx.update(OF_JOBS + tx.dialect().anyOf() + ") AND (until IS NULL OR until <= ?)", jobs, tx.now());
    }

    /** Forgets keys whose time is over. Those whose job is stored go with it. */
    static void sweep(Tx tx) throws SQLException {
        String over = " WHERE dedupe IN (SELECT dedupe FROM heddle.dedupe_key WHERE until <= ? LIMIT " + SWEPT + ")";
        Instant now = tx.now();
        tx.update("DELETE FROM heddle.dedupe_key" + over
                + " AND NOT EXISTS (SELECT 1 FROM heddle.job j WHERE j.id = dedupe_key.job)", now);
        tx.update("UPDATE heddle.dedupe_key SET until = NULL" + over + " AND until <= ?", now, now);
    }

    /** Returns the parameters of {@link #MOVE}. */
    public static Object[] moved(Duration by) {
        return new Object[]{by.toMillis(), by.toMillis()};
    }
}

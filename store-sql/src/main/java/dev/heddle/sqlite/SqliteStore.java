package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.env.Environment;
import dev.heddle.env.TimeOfDay;
import dev.heddle.job.JobState;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.KeyRows;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.OrphanRecovery;
import dev.heddle.sql.ReservationRows;
import dev.heddle.sql.Rows;
import dev.heddle.sql.SqlStore;
import dev.heddle.sql.Tx;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores jobs in one SQLite file, for one node at a time. Every commit is on disk before it is acknowledged. */
public final class SqliteStore extends SqlStore implements ClockedStore {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
    /** Moves the due times of jobs that wait for some time to pass. */
    static final String MOVE_DUE_TIMES = """
            UPDATE live SET due_at = due_at + ? WHERE due_after_span AND due_at IS NOT NULL""";
    private static final String MOVE_RESERVATIONS = "UPDATE reservation SET until = until + ?";
    private static final String MOVE_SESSIONS = "UPDATE session_binding SET used_at = used_at + ?";
    private static final String MOVE_SUBMISSIONS = """
            UPDATE live SET submitted_at = submitted_at + ? WHERE submitted_at IS NOT NULL""";

    private final Database database;
    private final Lanes lanes = new Lanes();
    private final Inserts inserts = new Inserts(lanes);
    private final Changes changes = new Changes(inserts);
    private volatile StoreListener listener = StoreListener.none();
    /** Used only while writing, or before. */
    private volatile TimeOfDay clock = new TimeOfDay(Environment.system());
    /** The nodes that joined through this store. All others are gone, because one process at a time uses the file. */
    private final Set<String> members = ConcurrentHashMap.newKeySet();

    private SqliteStore(Path file) {
        this.database = Database.open(file, this::rolledBack);
    }

    /**
     * Opens the file, creates it if it does not exist, and migrates its schema.
     *
     * @throws StoreException if another process uses the file, or if it cannot be opened, read or written
     */
    public static SqliteStore at(Path file) {
        return new SqliteStore(Objects.requireNonNull(file, "file"));
    }

    private void rolledBack() {
        lanes.clear();
        clock.unread();
    }

    @Override
    protected <T> T write(Work<T> work) {
        record Written<T>(T result, Duration jump, int moved) {}
        Written<T> written = database.write(tx -> {
            TimeOfDay.Reading time = clock.read();
            tx.setTime(time.now());
            int moved = time.hasJumped() ? moveTimes(tx, time.jump()) : 0;
            return new Written<>(work.run(tx), time.jump(), moved);
        });
        if (!written.jump.isZero()) {
            listener.clockJumped(written.jump, written.moved);
        }
        return written.result;
    }

    private static int moveTimes(Tx tx, Duration by) throws SQLException {
        tx.update(MOVE_RESERVATIONS, by.toMillis());
        tx.update(MOVE_SESSIONS, by.toMillis());
        tx.update(MOVE_SUBMISSIONS, by.toMillis());
        tx.update(KeyRows.MOVE, KeyRows.moved(by));
        return tx.update(MOVE_DUE_TIMES, by.toMillis());
    }

    @Override
    public void useClock(Environment env) {
        clock = new TimeOfDay(env);
    }

    @Override
    protected <T> T read(Work<T> work) {
        return database.read(work);
    }

    @Override
    protected Instant now(Tx tx) {
        return clock.now();
    }

    /** Returns false: the node is alone. The listener gets only changes that the node cannot know of by itself. */
    @Override
    public boolean join(NodeRecord node, StoreListener storeListener) {
        listener = storeListener;
        members.add(node.id());
        database.expectManyCommits();
        write(tx -> tx.update(
                "INSERT INTO node (id, joined_at, renewed_at, lease_ms, workers, status) VALUES (?, ?, ?, ?, ?, ?)",
                node.id(), node.joinedAt(), node.joinedAt(), node.lease().toMillis(), node.workers(),
                node.status()));
        return false;
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        return writeForFamilies((tx, families) -> inserts.insert(tx, submissions, families));
    }

    @Override
    protected void insertJobs(Tx tx, List<NewJob> jobs) throws SQLException {
        inserts.insert(tx, List.of(new Submission(jobs)), new FamilyChanges());
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return write(tx -> Claims.claim(tx, request));
    }

    @Override
    public List<Verdict> apply(List<Change> batch) {
        return writeForFamilies((tx, families) -> changes.apply(tx, batch, families));
    }

    @Override
    public Renewal renew(NodeRecord node) {
        Optional<Set<String>> expired = write(
                tx -> tx.update("UPDATE node SET renewed_at = ?, workers = ?, status = ? WHERE id = ?",
                        node.renewedAt(),
                        node.workers(), node.status(), node.id()) == 1
                                ? Optional.of(ReservationRows.nodesWithExpired(tx))
                                : Optional.empty());
        wakeOverlookedParents(node.id(), node.renewedAt());
        freeOverlookedJobs();
        return expired.<Renewal>map(nodes -> new Renewal.SingleNode(read(SqliteStore::cancelled), nodes))
                .orElseGet(Renewal.Dead::new);
    }

    private static List<Renewal.HeldAttempt> cancelled(Tx tx) throws SQLException {
        List<Renewal.HeldAttempt> cancelled = new ArrayList<>();
        try (ResultSet rows = tx
                .query("SELECT seq, attempt, node, assigned_at, reason FROM live WHERE state = 'CANCELLED'")) {
            while (rows.next()) {
                cancelled.add(new Renewal.HeldAttempt(new Fence(rows.getLong(1), rows.getInt(2), rows.getString(3)),
                        JobState.CANCELLED, Rows.instant(rows, 4), rows.getString(5)));
            }
        }
        return cancelled;
    }

    @Override
    protected void notifyNodes(boolean woken, FamilyChanges families) {
        if (woken) {
            listener.workAvailable();
        }
        if (families.cancelledAny()) {
            listener.jobsChanged();
        }
    }

    /**
     * Recovers the jobs of all other nodes, which must be dead. Reads the whole table {@code live}, once when a node
     * opens: an index on the node would make every claim more expensive.
     */
    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        return writeForFamilies((tx, families) -> {
            List<Recovery> recoveries = OrphanRecovery.recover(tx, new OrphanRecovery.Dead("node <> ?", survivor),
                    survivor, plan, now, families);
            tx.update("DELETE FROM node WHERE id <> ?", survivor);
            return recoveries;
        });
    }

    @Override
    public List<NodeRecord> nodes() {
        return super.nodes().stream().map(node -> members.contains(node.id()) ? node : gone(node)).toList();
    }

    /** Returns the record of a node that was killed, or whose work outlives it: without a lease and without workers. */
    private static NodeRecord gone(NodeRecord node) {
        return new NodeRecord(node.id(), node.joinedAt(), node.renewedAt(), Duration.ZERO, "[]");
    }

    @Override
    public void close() {
        try {
            leave();
        } finally {
            database.close();
        }
    }

    /** Deletes the rows of the nodes. Jobs that a node still holds can be found without its row. */
    private void leave() {
        try {
            for (String node : Set.copyOf(members)) {
                write(tx -> tx.update("DELETE FROM node WHERE id = ?", node));
                members.remove(node);
            }
        } catch (StoreException e) {
            LOG.debug("Cannot delete a leaving node; the next node to open the file will: {}", e.getMessage());
        }
    }
}

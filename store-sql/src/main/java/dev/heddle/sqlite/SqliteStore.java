package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JobState;
import dev.heddle.sql.Adoptions;
import dev.heddle.sql.Kinship;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.Recoveries;
import dev.heddle.sql.Rows;
import dev.heddle.sql.Session;
import dev.heddle.sql.SqlStore;
import dev.heddle.store.Bell;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Claimed;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.StoreException;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps jobs in one SQLite file, for one node at a time. Every commit is fsynced before it is acknowledged.
 */
public final class SqliteStore extends SqlStore {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);

    private final Database database;
    private final Lanes lanes = new Lanes();
    private final Inserts inserts = new Inserts(lanes);
    private final Changes changes = new Changes(inserts);
    private volatile Bell bell = Bell.silent();
    /** The nodes that came by this store. Any other is gone: the file has one user at a time. */
    private final Set<String> members = ConcurrentHashMap.newKeySet();

    private SqliteStore(Path file) {
        this.database = Database.open(file, lanes::forget);
    }

    /**
     * Opens the file, makes it where it does not exist, and brings its schema up to date.
     *
     * @throws dev.heddle.store.StoreException where another node has it, or it can't be opened, read or written
     */
    public static SqliteStore at(Path file) {
        return new SqliteStore(file);
    }

    @Override
    protected <T> T write(Work<T> work) {
        return database.write(work);
    }

    @Override
    protected <T> T read(Work<T> work) {
        return database.read(work);
    }

    /** Whoever holds the file's lock is the only node, and hears only of what it could not know itself. */
    @Override
    public boolean join(NodeRecord node, Bell ears) {
        bell = ears;
        members.add(node.id());
        database.expectManyCommits();
        write(session -> session.update(
                "INSERT INTO node (id, joined_at, renewed_at, lease_ms, workers) VALUES (?, ?, ?, ?, ?)",
                node.id(),
                node.joinedAt(), node.joinedAt(), node.lease().toMillis(), node.workers()));
        return false;
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        return write(session -> inserts.insert(session, submissions));
    }

    @Override
    public Claimed claim(ClaimRequest request) {
        return write(session -> Claims.claim(session, request));
    }

    @Override
    public List<Verdict> apply(List<Change> batch) {
        return writeForFamilies((session, kin) -> changes.apply(session, batch, kin));
    }

    @Override
    public Renewal renew(NodeRecord node) {
        int known = write(
                session -> session.update("UPDATE node SET renewed_at = ?, workers = ? WHERE id = ?",
                        node.renewedAt(), node.workers(), node.id()));
        wakeForgotten(node.id(), node.renewedAt());
        return known == 1
                ? read(session -> new Renewal.Alone(cancelled(session),
                        Adoptions.expired(session, node.renewedAt())))
                : new Renewal.Dead();
    }

    private static List<Renewal.Held> cancelled(Session session) throws SQLException {
        List<Renewal.Held> cancelled = new ArrayList<>();
        try (ResultSet rows = session.query(
                "SELECT seq, attempt, node, assigned_at, reason FROM live WHERE state = 'CANCELLED'")) {
            while (rows.next()) {
                cancelled.add(new Renewal.Held(new Fence(rows.getLong(1), rows.getInt(2), rows.getString(3)),
                        JobState.CANCELLED, Rows.instant(rows, 4), rows.getString(5)));
            }
        }
        return cancelled;
    }

    @Override
    protected void tell(boolean woken, Kinship kin) {
        if (woken) {
            bell.work();
        }
        if (kin.hasCancelled()) {
            bell.changed();
        }
    }

    /**
     * Every other node is dead. The whole table of live jobs is read, once at opening, to spare every claim an index
     * on its node.
     */
    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        return writeForFamilies((session, kin) -> {
            List<Recovery> recoveries = Recoveries.recover(session,
                    new Recoveries.Dead("node <> ?", survivor),
                    survivor, plan, now, kin);
            session.update("DELETE FROM node WHERE id <> ?", survivor);
            return recoveries;
        });
    }

    @Override
    public List<NodeRecord> nodes() {
        return super.nodes().stream().map(node -> members.contains(node.id()) ? node : gone(node)).toList();
    }

    /** It was killed, or left something that goes on without it: it has no lease any more, and no workers. */
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

    /** What a node still holds is found by its jobs, and needs no row of it. */
    private void leave() {
        try {
            for (String node : Set.copyOf(members)) {
                write(session -> session.update("DELETE FROM node WHERE id = ?", node));
                members.remove(node);
            }
        } catch (StoreException e) {
            LOG.debug("A node could not say that it leaves; whoever comes next knows it: {}", e.getMessage());
        }
    }
}

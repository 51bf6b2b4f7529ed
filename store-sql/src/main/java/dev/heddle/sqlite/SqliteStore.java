package dev.heddle.sqlite;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Claimed;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Retention;
import dev.heddle.store.Ruling;
import dev.heddle.store.Saved;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Submission;
import dev.heddle.store.Tally;
import dev.heddle.store.Verdict;

/**
 * Keeps jobs in one SQLite file, for one node at a time. Every commit is fsynced before it is acknowledged.
 */
public final class SqliteStore implements Store {

    private final Database database;
    private final Lanes lanes = new Lanes();
    private final Inserts inserts = new Inserts(lanes);
    private final Claims claims = new Claims(lanes);
    private final Changes changes = new Changes();
    private final Commands commands = new Commands(lanes);
    private final Recoveries recoveries = new Recoveries(lanes);

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
    public void join(String node, Instant now) {
        database.write(session -> session.update(
                "INSERT INTO node (id, joined_at, renewed_at, workers) VALUES (?, ?, ?, '[]')", node,
                now.toEpochMilli(), now.toEpochMilli()));
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        return database.write(session -> {
            lanes.load(session);
            return inserts.insert(session, submissions);
        });
    }

    @Override
    public Claimed claim(ClaimRequest request) {
        return database.write(session -> claims.claim(session, request));
    }

    @Override
    public List<Verdict> apply(List<Change> batch) {
        return database.write(session -> changes.apply(session, batch));
    }

    @Override
    public Ruling execute(Command command) {
        return database.write(session -> commands.execute(session, command));
    }

    @Override
    public void renew(NodeRecord node) {
        database.write(session -> session.update("UPDATE node SET renewed_at = ?, workers = ? WHERE id = ?",
                node.renewedAt().toEpochMilli(), node.workers(), node.id()));
    }

    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        return database.write(session -> recoveries.recover(session, survivor, plan, now));
    }

    @Override
    public Saved saved(long seq) {
        return database.read(session -> Saves.load(session, seq));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return database.read(session -> Reads.find(session, id));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return database.read(session -> Reads.list(session, query));
    }

    @Override
    public Optional<Story> story(JobId id) {
        return database.read(session -> Reads.story(session, id));
    }

    @Override
    public Tally tally() {
        return database.read(Reads::tally);
    }

    @Override
    public List<NodeRecord> nodes() {
        return database.read(Reads::nodes);
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return database.write(session -> Pruning.prune(session, retention, now));
    }

    @Override
    public void close() {
        database.close();
    }
}

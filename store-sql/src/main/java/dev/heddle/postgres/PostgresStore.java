package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import dev.heddle.job.JobId;
import dev.heddle.sql.Kinship;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.SqlStore;
import dev.heddle.store.Bell;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Claimed;
import dev.heddle.store.Command;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.Ruling;
import dev.heddle.store.StoreException;
import dev.heddle.store.Submission;
import dev.heddle.store.Transactional;
import dev.heddle.store.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps jobs in a schema of a PostgreSQL database, version 14 or newer, for any number of nodes. */
public final class PostgresStore extends SqlStore implements Transactional {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    /** The time that a renewal has at least. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final Connections connections;
    private final String channel;
    private final String sender = UUID.randomUUID().toString();
    private final Inserts inserts;
    private final Changes changes;
    private final Announcer announcer;
    private final Map<String, Listener> members = new ConcurrentHashMap<>();

    PostgresStore(Connections connections) {
        this.connections = connections;
        this.channel = "heddle_" + connections.server().schema();
        this.inserts = new Inserts(connections, new Lanes());
        this.changes = new Changes(connections, inserts);
        this.announcer = new Announcer(connections, channel, sender, members::keySet);
    }

    /** Connects with a pool of its own; {@link PostgresStoreBuilder} has more to set. */
    public static PostgresStore at(String url) {
        return new PostgresStoreBuilder().url(url).open();
    }

    /** Uses connections of the application's own pool, which stays open when the store closes. */
    public static PostgresStore on(DataSource source) {
        return new PostgresStoreBuilder().dataSource(source).open();
    }

    public static PostgresStoreBuilder builder() {
        return new PostgresStoreBuilder();
    }

    @Override
    protected <T> T write(Work<T> work) {
        return connections.write(work);
    }

    @Override
    protected <T> T read(Work<T> work) {
        return connections.once(work);
    }

    @Override
    public boolean join(NodeRecord node, Bell bell) {
        // Who comes back under a new name listens under that one, even where the answer to the join is lost.
        members.values().forEach(Listener::close);
        members.clear();
        members.put(node.id(), new Listener(connections, channel, sender, node.id(), bell));
        connections.once(session -> Nodes.join(session, node));
        return true;
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        List<Receipt> receipts = inserts.insert(submissions);
        announcer.work();
        return receipts;
    }

    @Override
    public List<Receipt> insert(Connection transaction, List<Submission> submissions) throws SQLException {
        inserts.makeLanes(submissions);
        Set<JobId> marked = inserts.markParents(submissions);
        return connections.within(transaction, session -> {
            List<Receipt> receipts = inserts.insertWithSavepoints(session, submissions, marked);
            Announcer.announce(session, channel, new Message(Message.Kind.WORK, "a-transaction", ""));
            return receipts;
        });
    }

    @Override
    public Claimed claim(ClaimRequest request) {
        return connections.once(session -> Claims.claim(session, request));
    }

    @Override
    public List<Verdict> apply(List<Change> batch) {
        Changes.Applied applied = changes.apply(batch);
        if (batch.stream().anyMatch(PostgresStore::bringsWork)) {
            announcer.work();
        }
        settle(applied.kin());
        return applied.verdicts();
    }

    private static boolean bringsWork(Change change) {
        return change instanceof Change.HandedBack || change instanceof Change.Ingested
                || (change instanceof Change.Ended ended
                        && !(ended.transition().target().isFinal() && ended.sequel().isEmpty()));
    }

    /** Nobody hears his own announcements. */
    @Override
    protected void tell(boolean woken, Kinship kin) {
        if (woken) {
            announcer.work();
            members.values().forEach(listener -> listener.bell().work());
        }
        if (kin.hasCancelled()) {
            kin.nodes().forEach(announcer::changed);
            members.values().forEach(listener -> listener.bell().changed());
        }
    }

    @Override
    public Ruling execute(Command command) {
        Ruling ruling = super.execute(command);
        if (ruling instanceof Ruling.StillRunning(var attempt)) {
            announcer.changed(attempt.node());
        } else {
            announcer.work();
        }
        return ruling;
    }

    /** What was parked for lost workers may be claimed by all nodes; whose session was dropped has to know. */
    @Override
    public List<Binding> release(Release which, Instant now) {
        List<Binding> released = super.release(which, now);
        if (!released.isEmpty()) {
            announcer.work();
        }
        if (which instanceof Release.One) {
            released.stream().map(Binding::node).distinct().forEach(announcer::changed);
        }
        return released;
    }

    /** Tried again with another connection well before the lease ends, where this one should be dead. */
    @Override
    public Renewal renew(NodeRecord node) {
        Duration third = node.lease().dividedBy(3);
        Renewal renewal = connections.once(third.compareTo(SHORTEST) > 0 ? third : SHORTEST,
                session -> Nodes.renew(session, node));
        try {
            wakeForgotten(node.id(), node.renewedAt());
        } catch (StoreException e) {
            LOG.debug("Parents that wait for nobody are looked for again at the next renewal: {}",
                    e.getMessage());
        }
        return renewal;
    }

    @Override
    protected <T> T writeSoon(Work<T> work) {
        return connections.write(session -> {
            session.update(Nodes.LOCKS_SOON);
            return work.run(session);
        });
    }

    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        List<Recovery> recoveries = writeForFamilies(
                (session, kin) -> Nodes.recover(session, survivor, plan, now, kin));
        if (!recoveries.isEmpty()) {
            announcer.work();
        }
        return recoveries;
    }

    @Override
    public void close() {
        members.values().forEach(Listener::close);
        members.keySet().forEach(this::leave);
        members.clear();
        announcer.close();
        connections.close();
    }

    private void leave(String node) {
        try {
            connections.write(session -> {
                Nodes.leave(session, node);
                return node;
            });
            announcer.work();
        } catch (StoreException e) {
            LOG.debug("Node {} could not say that it leaves; its lease will end: {}", node, e.getMessage());
        }
    }
}

package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import dev.heddle.event.EventBatch;
import dev.heddle.event.EventStore;
import dev.heddle.job.JobId;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.LimitClaims;
import dev.heddle.sql.LimitEvents;
import dev.heddle.sql.SqlStore;
import dev.heddle.sql.Tx;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.CommandResult;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.TransactionalStore;
import dev.heddle.store.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores jobs in a schema of a PostgreSQL database, version 14 or newer, for any number of nodes. */
public final class PostgresStore extends SqlStore implements TransactionalStore, EventStore {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    private static final Duration MIN_RENEWAL_TIMEOUT = Duration.ofSeconds(1);

    private final LimitedJobs limited = new LimitedJobs();
    private final Connections connections;
    private final String channel;
    private final String sender = UUID.randomUUID().toString();
    private final Inserts inserts;
    private final Changes changes;
    private final Announcer announcer;
    private final SchemaWatch schema;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    PostgresStore(Connections connections) {
        this.connections = connections;
        this.schema = new SchemaWatch(connections.address());
        this.channel = "heddle_" + connections.address().schema();
        this.inserts = new Inserts(connections, new Lanes());
        this.changes = new Changes(connections, inserts);
        this.announcer = new Announcer(connections, channel, sender, listeners::keySet);
    }

    /**
     * Opens a store with its own connection pool. {@link #builder} has more settings.
     *
     * @throws StoreException if the server does not come up in time, or refuses the connection
     */
    public static PostgresStore at(String url) {
        return new PostgresStoreBuilder().url(url).open();
    }

    /**
     * Opens a store on the connection pool of the application, which stays open when the store closes.
     *
     * @throws StoreException if the server does not come up in time, or refuses the connection
     */
    public static PostgresStore on(DataSource source) {
        return new PostgresStoreBuilder().dataSource(source).open();
    }

    /** Returns a builder with the default settings. */
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
    public boolean join(NodeRecord node, StoreListener storeListener) {
        // A node that joins again has a new id, and listens for that one even if the answer to the join is lost.
        listeners.values().forEach(Listener::close);
        listeners.clear();
        listeners.put(node.id(), new Listener(connections, channel, sender, node.id(), storeListener));
        connections.once(tx -> NodeLeases.join(tx, node));
        return true;
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        Inserts.Inserted inserted = inserts.insert(submissions);
        announcer.work();
        wakeParents(inserted.families());
        return inserted.receipts();
    }

    @Override
    public List<Receipt> insert(Connection transaction, List<Submission> submissions) throws SQLException {
        inserts.createLanes(submissions);
        Set<JobId> marked = inserts.markParents(submissions);
        inserts.markSuccession(submissions);
        return connections.within(transaction, tx -> {
            Inserts.Inserted inserted = inserts.insertWithSavepoints(tx, submissions, marked);
            for (String node : inserted.families().nodes()) {
                Announcer.announce(tx, channel, new Announcement(Announcement.Kind.CHANGED, "a-transaction", node));
            }
            Announcer.announce(tx, channel, new Announcement(Announcement.Kind.WORK, "a-transaction", ""));
            return inserted.receipts();
        });
    }

    @Override
    protected void insertJobs(Tx tx, List<NewJob> jobs) throws SQLException {
        inserts.insertPlanned(tx, List.of(new Submission(jobs)));
    }

    @Override
    public void update(String name, Edit edit) {
        super.update(name, edit);
        announcer.schedules();
    }

    @Override
    public Fired fire(Selection which, FirePlan plan) {
        while (true) {
            try {
                Fired fired = super.fire(which, plan);
                if (!fired.jobs().isEmpty()) {
                    announcer.work();
                }
                return fired;
            } catch (Inserts.MissingLanes e) {
                inserts.createLanes(e.submissions());
            }
        }
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        Claims.Tried tried = connections.once(tx -> Claims.claim(tx, request));
        ClaimResult result = tried.result();
        return result != null ? result : limited.add(claimLimited(request, tried));
    }

    private ClaimResult claimLimited(ClaimRequest request, Claims.Tried tried) {
        List<ClaimResult.Claim> claims = new ArrayList<>();
        Claims.Outlook seen = tried.outlook();
        Claims.ClaimedPage page;
        int pages = 0;
        do {
            while (connections.once(LimitEvents::pending) && connections.write(LimitEvents::process)) {
                // There are more.
            }
            ClaimRequest rest = LimitClaims.rest(request, claims);
            Claims.Outlook outlook = seen;
            page = connections.write(tx -> Claims.claimLimited(tx, rest, outlook));
            claims.addAll(page.claims());
            seen = null;
        } while (page.goesOn() && ++pages < LimitClaims.MAX_PAGES);
        return new ClaimResult(claims, tried.promoted(), page.untilDue());
    }

    @Override
    public List<Verdict> apply(List<Change> batch) {
        Changes.Applied applied = changes.apply(batch);
        if (limited.remove(batch) || batch.stream().anyMatch(Change::bringsWork)) {
            announcer.work();
        }
        wakeParents(applied.families());
        return applied.verdicts();
    }

    /** Also notifies this store's own nodes, because it ignores its own announcements. */
    @Override
    protected void notifyNodes(boolean woken, FamilyChanges families) {
        if (woken) {
            announcer.work();
            listeners.values().forEach(listener -> listener.storeListener().workAvailable());
        }
        if (families.cancelledAny()) {
            families.nodes().forEach(announcer::changed);
            listeners.values().forEach(listener -> listener.storeListener().jobsChanged());
        }
    }

    @Override
    public List<CommandResult> executeAll(List<? extends AdminCommand> commands) {
        List<CommandResult> results = super.executeAll(commands);
        Set<String> nodes = new HashSet<>();
        boolean mayBringWork = false;
        for (CommandResult result : results) {
            if (result instanceof CommandResult.StillRunning(var attempt)) {
                nodes.add(attempt.node());
            } else {
                mayBringWork = true;
            }
        }
        nodes.forEach(announcer::changed);
        if (mayBringWork) {
            announcer.work();
        }
        return results;
    }

    /** Announces that all nodes may claim the jobs of lost workers, and tells a node that a session was dropped. */
    @Override
    public List<Binding> release(Release which) {
        List<Binding> released = super.release(which);
        if (!released.isEmpty()) {
            announcer.work();
        }
        if (which instanceof Release.OfSession) {
            released.stream().map(Binding::node).distinct().forEach(announcer::changed);
        }
        return released;
    }

    @Override
    public void subscribe(String subscriber, Duration length) {
        if (write(tx -> EventRows.subscribe(tx, subscriber, length))) {
            announcer.events();
        }
    }

    @Override
    public Duration subscribed() {
        return read(EventRows::subscribed);
    }

    @Override
    public void publish(EventBatch batch, int kept) {
        write(tx -> EventRows.publish(tx, batch, kept));
        announcer.events();
    }

    @Override
    public Map<String, Long> positions() {
        return read(EventRows::positions);
    }

    @Override
    public List<EventBatch> eventsAfter(Map<String, Long> positions, int most) {
        return read(tx -> EventRows.after(tx, positions, most));
    }

    /** Gives up after a third of the lease: if the connection is dead, there is time to renew with another one. */
    @Override
    public Renewal renew(NodeRecord node) {
        Duration third = node.lease().dividedBy(3);
        Renewal renewal = connections.once(third.compareTo(MIN_RENEWAL_TIMEOUT) > 0 ? third : MIN_RENEWAL_TIMEOUT,
                tx -> NodeLeases.renew(tx, node, schema));
        try {
            wakeOverlookedParents(node.id(), node.renewedAt());
            freeOverlookedJobs();
        } catch (StoreException e) {
            LOG.debug("Cannot free overlooked jobs before the next renewal: {}", e.getMessage());
        }
        return renewal;
    }

    @Override
    protected <T> T writeOrFailSoon(Work<T> work) {
        return connections.write(tx -> {
            tx.update(NodeLeases.LIMIT_LOCK_WAIT);
            return work.run(tx);
        });
    }

    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        List<Recovery> recoveries = writeForFamilies(
                (tx, families) -> NodeLeases.recover(tx, survivor, plan, now, families));
        if (!recoveries.isEmpty()) {
            announcer.work();
        }
        return recoveries;
    }

    @Override
    public void close() {
        listeners.values().forEach(Listener::close);
        listeners.keySet().forEach(this::leave);
        listeners.clear();
        announcer.close();
        connections.close();
    }

    private void leave(String node) {
        try {
            connections.write(tx -> {
                NodeLeases.leave(tx, node);
                return node;
            });
            announcer.work();
        } catch (StoreException e) {
            LOG.debug("Node {} cannot leave now; its lease will expire: {}", node, e.getMessage());
        }
    }
}

package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.execute.LeaseTimer;
import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.env.SteerableClock;
import dev.heddle.job.DurationText;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Renewal;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node alive in the eyes of other nodes.
 *
 * <p>A node holds a lease in the store and renews it several times before it expires. Each renewal answers one of
 * three things:
 * <ol>
 * <li><em>SingleNode</em>: the store has no other nodes. The answer lists jobs that were cancelled elsewhere.
 * <li><em>Renewed</em>: the lease runs on. The answer lists the attempts that the store has for this node, which are
 * then reconciled with those that the node knows, and the nodes whose lease has expired, whose jobs this node
 * recovers.
 * <li><em>Dead</em>: this node was too late, and its jobs went to others. It stops its attempts and rejoins under a
 * new id.
 * </ol>
 *
 * <p>Two clocks are involved. The store expires a lease by its own clock; this node stops its attempts earlier, by
 * {@link LeaseTimer}, which counts from before the renewal was <em>sent</em>. So even if the answer takes long, no
 * attempt runs here after another node may have started its job.
 *
 * <p>A failed renewal is retried every second. Nothing here ends because the store is unreachable.
 */
public final class NodeLease implements BackgroundService, StoreListener {

    private static final Logger LOG = LoggerFactory.getLogger(NodeLease.class);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final Store store;
    private final InstantSource clock;
    private final Duration renewEvery;
    private final LeaseTimer lease;
    private final ClaimsInFlight inFlight;
    private final Demand demand;
    private final Holder holder;
    private final LeaseListener listener;
    private final Environment env;
    /**
     * Held during renewals and adoptions: an attempt that is adopted while a renewal is under way would look like a
     * lost claim.
     */
    private final ReentrantLock renewing = new ReentrantLock();
    private final UnknownAttempts unknown;
    private final Wakeup wakeup;
    private final AtomicBoolean renewRequested = new AtomicBoolean(true);
    private int failures;
    private volatile @Nullable StoreException failure;
    private volatile boolean stopped;

    /** The node that holds the lease. */
    interface Holder {
        /** Returns the row of this node, as of now. */
        NodeRecord record(Instant now);

        /** Corrects differences between the store and this node. */
        void reconcile(Reconciliation differences);

        /** Recovers the jobs of nodes whose lease has expired. */
        void takeOver(Set<String> expired);

        /** Adopts attempts whose work outlived their node. */
        void adopt();

        /** Joins the store; returns whether there is a lease to renew. */
        boolean join(StoreListener storeListener);

        /**
         * Joins again under a new id, because the store has declared this node dead; returns whether there is a lease
         * to renew.
         */
        boolean rejoin(StoreListener storeListener);
    }

    /** Hears of renewals, and of changes that other nodes made. */
    public interface LeaseListener {
        /** Called after each renewal of a lease that other nodes can see. */
        void leaseRenewed();

        /** Called when the store accepts writes again that it had refused. */
        void storeRecovered();

        /** Called when others may have changed jobs that this node runs or waits for. */
        void jobsChanged();

        /** Called when another node has changed a schedule. */
        void schedulesChanged();

        /** Called when another node has published events, or subscribes to them. */
        void eventsAnnounced();

        /** Called when the clock of the store was set. */
        void clockJumped();
    }

    /** Creates the lease of a node that has not joined yet. */
    public NodeLease(Store store, Environment env, Duration renewEvery, LeaseTimer lease, ClaimsInFlight inFlight,
            Demand demand, Holder holder, LeaseListener listener) {
        this.store = store;
        this.env = env;
        this.clock = env.clock();
        this.wakeup = new Wakeup(env);
        this.renewEvery = renewEvery;
        this.unknown = new UnknownAttempts(renewEvery);
        this.lease = lease;
        this.inFlight = inFlight;
        this.demand = demand;
        this.holder = holder;
        this.listener = listener;
        if (clock instanceof SteerableClock steered) {
            steered.onJump(this::jobsChanged);
        }
    }

    /**
     * Joins the store. The lease runs from here, so what is claimed before the first renewal can be taken over, too.
     */
    public void join() {
        long askedAt = env.nanoTime();
        if (holder.join(this)) {
            renewed(askedAt);
        }
    }

    private void renewed(long askedAt) {
        lease.renewed(askedAt);
        listener.leaseRenewed();
    }

    @Override
    public void workAvailable() {
        demand.workAvailable();
    }

    @Override
    public void schedulesChanged() {
        listener.schedulesChanged();
    }

    @Override
    public void eventsAnnounced() {
        listener.eventsAnnounced();
    }

    @Override
    public void notificationsReliable(boolean heard) {
        demand.setListening(heard);
    }

    /** Jobs that wait for a time of day may be due now. */
    @Override
    public void clockJumped(Duration jump, int moved) {
        LOG.atWarn().addKeyValue("jump", jump).addKeyValue("jobs", moved).log(
                "The clock of this machine was set {} by {}; delays and retries take as long as before (jobs that wait: {})",
                jump.isNegative() ? "back" : "forward", DurationText.of(jump.abs()), moved);
        listener.clockJumped();
        demand.workAvailable();
    }

    /** Renews the lease now, because the answer tells what has changed. */
    @Override
    public void jobsChanged() {
        listener.jobsChanged();
        renewSoon();
    }

    /** Renews the lease now, because other nodes should learn what has changed here. */
    public void renewSoon() {
        renewRequested.set(true);
        wakeup.raise();
    }

    @Override
    public String name() {
        return "lease";
    }

    @Override
    public void run() {
        // Uses no time of day, which may be set.
        long renewAt = env.nanoTime();
        while (!stopped) {
            long now = env.nanoTime();
            if (renewRequested.getAndSet(false) || now - renewAt >= 0) {
                renewAt = now
                        + (renew() || renewEvery.compareTo(RETRY_INTERVAL) < 0 ? renewEvery : RETRY_INTERVAL).toNanos();
            }
            wakeup.await(Duration.ofNanos(renewAt - env.nanoTime()));
        }
    }

    /** Renews the lease now, which writes to the store; returns why that failed, or empty if it did not. */
    public Optional<StoreException> checkStore() {
        return renew() ? Optional.empty() : Optional.ofNullable(failure);
    }

    private boolean renew() {
        renewing.lock();
        try {
            return renewNow();
        } finally {
            renewing.unlock();
        }
    }

    private boolean renewNow() {
        long askedAt = env.nanoTime();
        Duration asked = env.elapsed();
        Instant now = clock.instant();
        Set<Fence> before = inFlight.fences();
        try {
            switch (store.renew(holder.record(now))) {
                case Renewal.SingleNode(var cancelled, var expired) -> {
                    adopt();
                    holder.reconcile(Reconciliation.ofCancelled(cancelled));
                    takeOver(expired);
                }
                case Renewal.Renewed(var held, var expired) -> {
                    renewed(askedAt);
                    boolean adopted = adopt();
                    Set<Fence> after = inFlight.fences();
                    Set<Fence> overdue = unknown.overdue(held, after, asked);
                    // An adoption whose answer was lost looks like a lost claim until the next one succeeds.
                    holder.reconcile(Reconciliation.of(held, before, after, adopted ? overdue : Set.of()));
                    takeOver(expired);
                }
                case Renewal.Dead() -> {
                    if (holder.rejoin(this)) {
                        renewed(askedAt);
                    }
                    jobsChanged();
                }
            }
            if (failures > 0) {
                LOG.info("Renewed the lease after {} failures", failures);
                listener.storeRecovered();
            }
            failures = 0;
            failure = null;
            return true;
        } catch (StoreException e) {
            failures++;
            failure = e;
            if (failures == 1 || failures % 20 == 0) {
                LOG.warn("Could not renew the lease; trying again every second: {}", e.getMessage());
            }
            return false;
        }
    }

    /**
     * Recovers the jobs of expired nodes. If that fails, the lease is renewed all the same, and the next renewal
     * lists these nodes again.
     */
    private void takeOver(Set<String> expired) {
        if (expired.isEmpty()) {
            return;
        }
        try {
            holder.takeOver(expired);
        } catch (StoreException e) {
            LOG.warn("Could not recover the jobs of {}; trying again with the next renewal: {}",
                    String.join(", ", expired), e.getMessage());
        }
    }

    /**
     * Adopts attempts that outlived their node, of types that this node runs. If that fails, the next renewal tries
     * again.
     *
     * @return whether it succeeded
     */
    public boolean adopt() {
        renewing.lock();
        try {
            holder.adopt();
            return true;
        } catch (StoreException e) {
            LOG.warn("Could not look for attempts to adopt; trying again with the next renewal: {}", e.getMessage());
            return false;
        } finally {
            renewing.unlock();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}

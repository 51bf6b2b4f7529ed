package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.heddle.store.Bell;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Renewal;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node alive in the eyes of others: renews its lease, sets right what differs between the store and the
 * node, takes over from nodes that are dead, and comes back under a new name where this one was declared dead. A
 * renewal that fails is tried again every second; nothing here ends because the store is away.
 */
final class Membership implements Runnable, Bell {

    /** Whatever clock the pool was given: leases are a matter between machines. */
    private static final InstantSource REAL_TIME = InstantSource.system();
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Store store;
    private final InstantSource clock;
    private final Duration renewEvery;
    private final Lease lease;
    private final InFlight inFlight;
    private final Demand demand;
    private final Member member;
    private final Ears ears;
    private final Signal signal = new Signal(REAL_TIME);
    private final AtomicBoolean asked = new AtomicBoolean(true);
    private int failures;
    private volatile boolean closed;

    /** The node, as far as its membership goes. */
    interface Member {
        NodeRecord record(Instant now);

        void set(Reconciliation differences);

        void takeOver(Set<String> expired);

        /** Takes up attempts whose work goes on though their node has ended. */
        void adopt();

        /** Says whether there is a lease to renew. */
        boolean join(Bell bell);

        /** The store has forgotten this node. */
        boolean rejoin(Bell bell);
    }

    /** Who else of the node wants to know. */
    interface Ears {
        /** The lease runs on. */
        void renewed();

        /** Something may have happened to jobs that this node runs or waits for. */
        void changed();
    }

    Membership(Store store, InstantSource clock, Duration renewEvery, Lease lease, InFlight inFlight,
            Demand demand,
            Member member, Ears ears) {
        this.store = store;
        this.clock = clock;
        this.renewEvery = renewEvery;
        this.lease = lease;
        this.inFlight = inFlight;
        this.demand = demand;
        this.member = member;
        this.ears = ears;
        if (clock instanceof SteerableClock steered) {
            steered.onJump(this::changed);
        }
    }

    /** The lease runs from here: what is claimed before its first renewal may be taken over like the rest. */
    void join() {
        long askedAt = System.nanoTime();
        if (member.join(this)) {
            renewed(askedAt);
        }
    }

    private void renewed(long askedAt) {
        lease.renewed(askedAt);
        ears.renewed();
    }

    @Override
    public void work() {
        demand.work();
    }

    @Override
    public void hearing(boolean heard) {
        demand.hearing(heard);
    }

    /** Renews now, to see what. */
    @Override
    public void changed() {
        ears.changed();
        asked.set(true);
        signal.raise();
    }

    @Override
    public void run() {
        // Not by the time of day, which may be set.
        long renewAt = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (asked.getAndSet(false) || now - renewAt >= 0) {
                renewAt = now + (renew() || renewEvery.compareTo(RETRY) < 0 ? renewEvery : RETRY).toNanos();
            }
            signal.await(REAL_TIME.instant().plusNanos(renewAt - System.nanoTime()));
        }
    }

    /** One at a time with adoptions: what was adopted between its question and its answer would look like a lost claim. */
    private synchronized boolean renew() {
        long askedAt = System.nanoTime();
        Instant now = clock.instant();
        Set<Fence> before = inFlight.fences();
        try {
            switch (store.renew(member.record(now))) {
                case Renewal.Alone(var cancelled, var expired) -> {
                    adopt();
                    member.set(Reconciliation.ofCancelled(cancelled));
                    takeOver(expired);
                }
                case Renewal.Kept(var held, var expired) -> {
                    renewed(askedAt);
                    adopt();
                    member.set(Reconciliation.of(held, before, inFlight.fences(), now.minus(renewEvery)));
                    takeOver(expired);
                }
                case Renewal.Dead() -> {
                    if (member.rejoin(this)) {
                        renewed(askedAt);
                    }
                    changed();
                }
            }
            if (failures > 0) {
                LOG.info("The lease is renewed again after {} failures", failures);
            }
            failures = 0;
            return true;
        } catch (StoreException e) {
            failures++;
            if (failures == 1 || failures % 20 == 0) {
                LOG.warn("Could not renew the lease, trying again until it works: {}", e.getMessage());
            }
            return false;
        }
    }

    /** The lease is renewed whether this works or not; the next renewal tells again who is dead. */
    private void takeOver(Set<String> expired) {
        if (expired.isEmpty()) {
            return;
        }
        try {
            member.takeOver(expired);
        } catch (StoreException e) {
            LOG.warn("Could not take over from {} yet: {}", String.join(", ", expired), e.getMessage());
        }
    }

    /** Takes up what goes on without a node, for types that this node has; the next renewal tries again. */
    synchronized void adopt() {
        try {
            member.adopt();
        } catch (StoreException e) {
            LOG.warn("Could not look for what goes on without a node yet: {}", e.getMessage());
        }
    }

    void close() {
        closed = true;
        signal.raise();
    }
}

package dev.heddle.engine.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import dev.heddle.engine.execute.AttemptStopper;
import dev.heddle.engine.execute.LeaseTimer;
import dev.heddle.engine.execute.StopCause;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Transition;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.pool.RecoveryReport;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node does as a member of a cluster: it joins, adopts attempts that outlived their node, recovers the jobs
 * of dead nodes, and rejoins under a new id if it was declared dead itself.
 */
public final class NodeRecovery implements NodeLease.Holder {

    private static final Logger LOG = LoggerFactory.getLogger(NodeRecovery.class);

    private final NodeIdentity identity;
    private final Store store;
    private final Recovering rules;
    private final Reconciler reconciler;
    private final Adoption adoption;
    private final Consumer<Job> onDeadLetter;
    private volatile RecoveryReport openingReport = RecoveryReport.NONE;

    /**
     * Creates the recovery of a node that has not joined yet.
     *
     * @param onDeadLetter accepts each job that recovery dead-letters
     */
    public NodeRecovery(NodeIdentity identity, Store store, Recovering rules, Reconciler reconciler, Adoption adoption,
            Consumer<Job> onDeadLetter) {
        this.identity = identity;
        this.store = store;
        this.rules = rules;
        this.reconciler = reconciler;
        this.adoption = adoption;
        this.onDeadLetter = onDeadLetter;
    }

    /** Returns the id of this node in the store. */
    public String id() {
        return identity.id();
    }

    /** Returns what was recovered when this node joined. */
    public RecoveryReport openingReport() {
        return openingReport;
    }

    @Override
    public boolean join(StoreListener listener) {
        boolean shared = store.join(record(identity.joinedAt()), listener);
        // Attempts that still run get a worker first, then jobs that must run again, then new work.
        adopt();
        openingReport = recover();
        return shared;
    }

    @Override
    public void adopt() {
        adoption.adoptAll(id(), now());
    }

    @Override
    public NodeRecord record(Instant now) {
        return identity.record(now);
    }

    @Override
    public void reconcile(Reconciliation differences) {
        reconciler.reconcile(differences);
    }

    @Override
    public void takeOver(Set<String> expired) {
        LOG.atWarn().addKeyValue("nodes", expired).log("Leases have expired; recovering the jobs of {}",
                String.join(", ", expired));
        recover();
        reconciler.demand().workAvailable();
    }

    private RecoveryReport recover() {
        Instant now = now();
        List<Recovery> recoveries = store.recover(id(),
                new PhaseRecovery(new RecoveryRules(rules.maxCrashes(), rules.staging())), now);
        store.capability(SessionStore.class)
                .ifPresent(sessions -> sessions.release(new SessionStore.Release.OfDeadNodes()));
        RecoveryReport report = RecoveryReport.of(recoveries, rules.staging());
        if (report.found() > 0) {
            LOG.atInfo().addKeyValue("jobs", report.found()).addKeyValue("report", report).log("Recovered {}",
                    report.summary());
        }
        recoveries.stream().filter(PhaseRecovery::isPhased).map(PhaseRecovery::logLine).forEach(LOG::info);
        for (Recovery recovery : recoveries) {
            if (recovery.transition() instanceof Transition.Fail(String reason)) {
                JobId dead = recovery.orphan().job().id();
                LOG.atError().addKeyValue("job", dead).log("{} | job:{}", reason, dead);
                store.find(dead).ifPresent(onDeadLetter);
            }
        }
        return report;
    }

    @Override
    public boolean rejoin(StoreListener listener) {
        NodeRecord next = identity.nextIncarnation();
        LOG.atWarn().addKeyValue("node", id()).log(
                "Node {} was declared dead and its jobs were given to others; stopping them and rejoining as {}", id(),
                next.id());
        reconciler.stopper().stopAll(StopCause.LOST, "this node was declared dead");
        boolean shared = store.join(next, listener);
        identity.become(next);
        reconciler.demand().workAvailable();
        return shared;
    }

    /** Stops all attempts, because other nodes may soon start their jobs. */
    public void leaseLapsed() {
        AttemptStopper stopper = reconciler.stopper();
        LOG.atWarn().addKeyValue("node", id()).log("Node {} stops its {} attempts: {}", id(),
                stopper.watchdog().running().size(), LeaseTimer.LAPSED);
        stopper.stopAll(StopCause.LAPSED, LeaseTimer.LAPSED);
    }

    private Instant now() {
        return reconciler.clock().instant();
    }
}

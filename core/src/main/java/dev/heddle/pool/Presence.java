package dev.heddle.pool;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.store.Bell;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node as the store and other nodes know it, and what it does when they know better. */
final class Presence implements Membership.Member {

    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

    /** What it is called in the store has a number behind it once it had to come back. */
    private final String name;
    private volatile String id;
    private int lives = 1;
    private final Store store;
    private final InstantSource clock;
    private final PoolSettings settings;
    private final Codec codec;
    private final Recall recall;
    private final InFlight inFlight;
    private final Ledger ledger;
    private final Demand demand;
    private final Consumer<Job> buried;
    private final Adoption adoption;
    private final Instant joinedAt;
    private volatile RecoveryReport opening = RecoveryReport.NOTHING;

    Presence(String name, Store store, InstantSource clock, PoolSettings settings, Codec codec, Recall recall,
            InFlight inFlight, Ledger ledger, Demand demand, Consumer<Job> buried, Adoption adoption) {
        this.name = name;
        this.id = name;
        this.store = store;
        this.clock = clock;
        this.settings = settings;
        this.codec = codec;
        this.recall = recall;
        this.inFlight = inFlight;
        this.ledger = ledger;
        this.demand = demand;
        this.buried = buried;
        this.adoption = adoption;
        this.joinedAt = clock.instant();
    }

    String id() {
        return id;
    }

    /** What was found when this node came. */
    RecoveryReport opening() {
        return opening;
    }

    /** What still runs comes before what has to run again, and that before new work. */
    @Override
    public boolean join(Bell bell) {
        boolean shared = store.join(record(joinedAt), bell);
        adopt();
        opening = recover();
        return shared;
    }

    @Override
    public void adopt() {
        adoption.run(id, clock.instant());
    }

    @Override
    public NodeRecord record(Instant now) {
        var workers = recall.groups().stream().flatMap(group -> group.snapshots().stream()).toList();
        return new NodeRecord(id, joinedAt, now, settings.liveness().lease(),
                codec.write(workers, "workers of node " + id));
    }

    @Override
    public void set(Reconciliation differences) {
        for (Renewal.Held attempt : differences.unknown()) {
            if (!endsLeft(attempt) && inFlight.disown(attempt.fence())) {
                giveBack(attempt.fence());
            }
        }
        for (Renewal.Held attempt : differences.cancelled()) {
            if (!endsLeft(attempt)) {
                recall.one(attempt.fence(), Stop.CANCEL,
                        Objects.requireNonNullElse(attempt.reason(), "cancelled"));
            }
        }
        for (Fence fence : differences.lost()) {
            recall.one(fence, Stop.LOST, "the job is no longer this attempt's");
        }
    }

    private void giveBack(Fence claim) {
        LOG.atWarn().addKeyValue("seq", claim.seq()).log(
                "A claim never got here and goes back: job number {}, attempt {}", claim.seq(),
                claim.attempt());
        ledger.post(new Change.HandedBack(claim, "its claim never reached the node", clock.instant()),
                _ -> demand.work());
    }

    /** Whether it went on without anybody here, and its job was cancelled: then nobody else will end it. */
    private boolean endsLeft(Renewal.Held attempt) {
        boolean ends = attempt.state() == JobState.CANCELLED && inFlight.isOver(attempt.fence());
        if (ends) {
            ledger.post(new Change.HandedBack(attempt.fence(), "cancelled", clock.instant()),
                    _ -> demand.work());
        }
        return ends;
    }

    @Override
    public void takeOver(Set<String> expired) {
        LOG.atWarn().addKeyValue("nodes", expired).log("Nodes whose lease has ended: {}",
                String.join(", ", expired));
        recover();
        demand.work();
    }

    private RecoveryReport recover() {
        Recovering rules = settings.recovering();
        Instant now = clock.instant();
        List<Recovery> recoveries = store.recover(id,
                new PhaseRecovery(new RecoveryRules(rules.maxCrashes(), rules.staging(), now)), now);
        if (store instanceof SessionStore sessions) {
            sessions.release(new SessionStore.Release.OfDeadNodes(), now);
        }
        RecoveryReport report = RecoveryReport.of(recoveries, rules.staging());
        if (report.found() > 0) {
            LOG.atInfo().addKeyValue("jobs", report.found()).addKeyValue("report", report)
                    .log("Recovered {}", report.summary());
        }
        recoveries.stream().filter(PhaseRecovery::isPhased).map(PhaseRecovery::line).forEach(LOG::info);
        for (Recovery recovery : recoveries) {
            if (recovery.transition() instanceof Transition.Die(String reason)) {
                JobId dead = recovery.orphan().job().id();
                LOG.atError().addKeyValue("job", dead).log("{} | job:{}", reason, dead);
                store.find(dead).ifPresent(buried);
            }
        }
        return report;
    }

    @Override
    public boolean rejoin(Bell bell) {
        // A name that no earlier try can have left in the store.
        String next = name + "." + ++lives;
        LOG.atWarn().addKeyValue("node", id).log(
                "Node {} was declared dead and its jobs were given to others; it stops them and comes back as {}",
                id,
                next);
        recall.all(Stop.LOST, "this node was declared dead");
        boolean shared = store.join(
                new NodeRecord(next, joinedAt, clock.instant(), settings.liveness().lease(), "[]"), bell);
        id = next;
        demand.work();
        return shared;
    }

    void lapsed() {
        LOG.atWarn().addKeyValue("node", id).log("Node {} stops its {} attempts: {}", id,
                recall.watchdog().running().size(), Lease.LAPSED);
        recall.all(Stop.LAPSED, Lease.LAPSED);
    }
}

package dev.heddle.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.pool.Custodian.Trace;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.Reserved;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up attempts whose work goes on though nobody sees to it: their node has ended, or is this one and had lost touch
 * with the store. They are put in hand like claims, before any are made, and each takes a worker's place; where there are
 * more of them than workers, they wait there, and nothing new is claimed until all have had theirs.
 */
final class Adoption {

    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

    private final Store store;
    private final @Nullable Custodian custodian;
    private final Registry registry;
    private final InFlight inFlight;
    private final List<WorkerGroup> groups;
    private volatile boolean closed;

    Adoption(Store store, @Nullable Custodian custodian, Registry registry, InFlight inFlight,
            List<WorkerGroup> groups) {
        this.store = store;
        this.custodian = custodian;
        this.registry = registry;
        this.inFlight = inFlight;
        this.groups = groups;
    }

    /** Keeps the attempt for this machine; false where it has lost its job. */
    boolean reserve(AttemptRun run) {
        if (custodian == null || !(store instanceof AdoptionStore keeper)) {
            throw new IllegalStateException("nothing outlives this node: its pool has no custodian, or "
                    + store.getClass().getSimpleName() + " keeps no attempts for their machine");
        }
        return keeper.reserve(run.fence(), new Reservation(custodian.machine(), custodian.boot(),
                run.deadline().plus(AttemptRun.AFTER_DEADLINE)));
    }

    /** Takes up all that is here, of types that this node has. One call at a time, and no renewal beside it. */
    void run(String node, Instant now) {
        if (closed || custodian == null || !(store instanceof AdoptionStore keeper)) {
            return;
        }
        List<Fence> alive = new ArrayList<>();
        List<Fence> over = new ArrayList<>();
        for (Reserved found : keeper.reserved(custodian.machine())) {
            if (registry.find(found.type()) != null && !inFlight.has(found.fence().seq())) {
                switch (judge(found, custodian)) {
                    case NONE -> LOG.debug("Job {} goes on elsewhere", found.job());
                    case WORK -> alive.add(found.fence());
                    case REMAINS -> over.add(found.fence());
                }
            }
        }
        if (!over.isEmpty()) {
            keeper.free(over);
        }
        if (!alive.isEmpty()) {
            takeUp(keeper.adopt(alive, node, now));
        }
    }

    /** No work outlives the run of its machine. What cannot be looked at is left, and an orphan when its time is over. */
    private static Trace judge(Reserved found, Custodian custodian) {
        try {
            Trace trace = custodian.trace(found.job(), found.fence().attempt());
            boolean rebooted = !found.reservation().boot().equals(custodian.boot());
            return trace == Trace.WORK && rebooted ? Trace.REMAINS : trace;
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("job", found.job()).log(
                    "Cannot see what is left of attempt {} of job {}", found.fence().attempt(), found.job());
            return Trace.NONE;
        }
    }

    private void takeUp(List<Claim> claims) {
        inFlight.adopted(claims);
        claims.forEach(claim -> LOG.atInfo().addKeyValue("job", claim.job().id())
                .addKeyValue("type", claim.job().type()).log("Adopted attempt {} of job {}, which goes on",
                        claim.job().counts().attempt(), claim.job().id()));
        for (WorkerGroup group : groups) {
            List<Claim> its = claims.stream().filter(claim -> isOf(claim, group)).toList();
            if (!its.isEmpty()) {
                group.offer(its);
            }
        }
    }

    /** What this node leaves from here on is for the next. */
    void close() {
        closed = true;
    }

    private boolean isOf(Claim claim, WorkerGroup group) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        return registration != null && registration.group().equals(group.name());
    }
}

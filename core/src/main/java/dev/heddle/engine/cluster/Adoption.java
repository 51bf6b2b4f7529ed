package dev.heddle.engine.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.execute.RunningAttempt;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.support.UserCode;
import dev.heddle.job.JobException;
import dev.heddle.pool.DetachedWork;
import dev.heddle.pool.DetachedWork.Status;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.ReservedAttempt;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adopts attempts whose work goes on without a node: their node has ended, or this node had lost touch with the
 * store. Adopted attempts are offered to workers like claims, before new ones are made. If there are more of them
 * than workers, they wait, and nothing new is claimed until each has had a worker.
 */
public final class Adoption {

    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

    private final @Nullable AdoptionStore adoptions;
    private final String storeName;
    private final @Nullable DetachedWork detachedWork;
    private final HandlerRegistry registry;
    private final ClaimsInFlight inFlight;
    private final List<WorkerGroup> groups;
    private volatile boolean closed;

    /**
     * Creates the adoption of a node.
     *
     * @param detachedWork finds the work on this machine; null if nothing outlives this node
     */
    public Adoption(Store store, @Nullable DetachedWork detachedWork, HandlerRegistry registry, ClaimsInFlight inFlight,
            List<WorkerGroup> groups) {
        this.adoptions = store.capability(AdoptionStore.class).orElse(null);
        this.storeName = store.getClass().getSimpleName();
        this.detachedWork = detachedWork;
        this.registry = registry;
        this.inFlight = inFlight;
        this.groups = groups;
    }

    /**
     * Reserves the attempt for this machine; returns false if it has lost its job.
     *
     * @throws IllegalStateException if the pool has no {@link DetachedWork}, or the store keeps no reservations
     */
    public boolean reserve(RunningAttempt run) {
        if (detachedWork == null || adoptions == null) {
            throw new IllegalStateException("this pool cannot detach work: it has no detachedWork, or " + storeName
                    + " cannot reserve attempts for a machine");
        }
        return adoptions.reserve(run.fence(), new Reservation(detachedWork.machine(), detachedWork.boot(),
                run.timeLeft().plus(RunningAttempt.ADOPTION_GRACE)));
    }

    /**
     * Adopts all attempts on this machine whose types this node runs. Must not run during a lease renewal, or twice
     * at once.
     */
    void adoptAll(String node, Instant now) {
        if (closed || detachedWork == null || adoptions == null) {
            return;
        }
        List<Fence> alive = new ArrayList<>();
        List<Fence> over = new ArrayList<>();
        List<Fence> ended = new ArrayList<>();
        for (ReservedAttempt found : adoptions.reservedFor(detachedWork.machine())) {
            if (registry.find(found.type()) != null && !inFlight.has(found.fence().seq())) {
                switch (inspect(found, detachedWork)) {
                    case UNKNOWN -> LOG.debug("Job {} continues elsewhere", found.job());
                    case ADOPTABLE -> alive.add(found.fence());
                    case GONE -> (inFlight.endDetached(found.fence()) ? ended : over).add(found.fence());
                }
            }
        }
        if (!over.isEmpty()) {
            adoptions.unreserve(over);
        }
        if (!ended.isEmpty()) {
            fail(adoptions.adopt(ended, node, now));
        }
        if (!alive.isEmpty()) {
            adopt(adoptions.adopt(alive, node, now));
        }
    }

    /**
     * Finds out what is left of an attempt. No work survives a reboot. If its status cannot be read, the attempt is
     * left alone until its reservation ends.
     */
    private static Status inspect(ReservedAttempt found, DetachedWork detachedWork) {
        return UserCode.call(() -> {
            Status status = detachedWork.status(found.job(), found.fence().attempt());
            boolean rebooted = !found.boot().equals(detachedWork.boot());
            return status == Status.ADOPTABLE && rebooted ? Status.GONE : status;
        }, Status.UNKNOWN, e -> LOG.atWarn().setCause(e).addKeyValue("job", found.job()).log(
                "Cannot find out what is left of attempt {} of job {}", found.fence().attempt(), found.job()));
    }

    /** Ends attempts that this node had detached and whose work is gone. Nobody else would: their node is alive. */
    private void fail(List<Claim> claims) {
        inFlight.adopt(claims);
        for (WorkerGroup group : groups) {
            claims.stream().filter(claim -> isOf(claim, group)).forEach(
                    claim -> group.fail(claim, JobException.transientFailure("its work is gone and left no result")));
        }
    }

    private void adopt(List<Claim> claims) {
        inFlight.adopt(claims);
        claims.forEach(claim -> LOG.atInfo().addKeyValue("job", claim.job().id())
                .addKeyValue("type", claim.job().type()).log("Adopted attempt {} of job {}, which is still running",
                        claim.job().counts().attempt(), claim.job().id()));
        for (WorkerGroup group : groups) {
            List<Claim> ofGroup = claims.stream().filter(claim -> isOf(claim, group)).toList();
            if (!ofGroup.isEmpty()) {
                group.offer(ofGroup);
            }
        }
    }

    /** Stops adopting. Attempts that this node detaches from here on are for the next node. */
    public void close() {
        closed = true;
    }

    private boolean isOf(Claim claim, WorkerGroup group) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        return registration != null && registration.group().equals(group.name());
    }
}

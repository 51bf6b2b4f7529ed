package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;

/**
 * An optional capability of a {@link Store}: reserves attempts whose work outlives their node for the machine that the
 * work runs on.
 *
 * <p>While a {@link Reservation} lasts, {@link Store#recover} skips the attempt, because another machine that ran the
 * job would repeat work that still goes on. After that, the attempt is recovered like any other.
 */
public interface AdoptionStore {

    /**
     * The machine that an attempt is reserved for.
     *
     * @param machine the permanent name of the machine
     * @param boot an id that changes when the machine reboots, because no work survives that
     * @param lasts how long it takes from now, by the clock of the store, until the work has certainly ended
     */
    record Reservation(String machine, String boot, Duration lasts) {}

    /**
     * An attempt that is reserved.
     *
     * @param fence the attempt, with the node that held it last
     * @param job the id of the job
     * @param type the name of its type
     * @param boot the id that the machine had when the attempt was reserved
     */
    record ReservedAttempt(Fence fence, JobId job, String type, String boot) {}

    /** Reserves an attempt; returns false if its fence does not hold. */
    boolean reserve(Fence attempt, Reservation reservation);

    /**
     * Returns the attempts that are reserved for a machine and neither ended nor cancelled, whether their node is alive
     * or not.
     */
    List<ReservedAttempt> reservedFor(String machine);

    /**
     * Gives attempts to a node as they are, under their own numbers. From then on their fences contain the new node.
     * The claims tell how much longer they are reserved.
     *
     * @return the attempts whose fences held
     */
    List<ClaimResult.Claim> adopt(List<Fence> attempts, String node, Instant now);

    /** Cancels the reservations of attempts whose work is gone, so that they are recovered like any other. */
    void unreserve(List<Fence> attempts);
}

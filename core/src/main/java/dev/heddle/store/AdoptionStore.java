package dev.heddle.store;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;

/**
 * Keeps attempts whose work goes on when their node ends for the machine that it goes on. A store that can do so
 * implements this too.
 *
 * <p>While its {@link Reservation} lasts, {@link Store#recover} passes such an attempt by: whoever gave its job to another
 * machine would have the same work done twice. Afterwards it is an orphan like all others.
 */
public interface AdoptionStore {

    /**
     * For whom an attempt is kept.
     *
     * @param machine its name for good
     * @param boot the run of the machine; no work outlives that
     * @param until when the work has ended for certain
     */
    record Reservation(String machine, String boot, Instant until) {}

    /** An attempt that is kept, with the node that had it last. */
    record Reserved(Fence fence, JobId job, String type, Reservation reservation) {}

    /** Keeps the attempt; false where its fence does not hold. */
    boolean reserve(Fence attempt, Reservation reservation);

    /** What is kept for the machine and neither ended nor cancelled, whether its node lives or not. */
    List<Reserved> reserved(String machine);

    /**
     * Gives attempts to a node as they are, under their own numbers: from then on their fences have the new node. Those
     * whose fences do not hold are left out.
     */
    List<Claimed.Claim> adopt(List<Fence> attempts, String node, Instant now);

    /** Nothing of these goes on: they are orphans like all others. */
    void free(List<Fence> attempts);
}

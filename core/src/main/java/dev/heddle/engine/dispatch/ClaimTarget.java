package dev.heddle.engine.dispatch;

import java.util.List;
import java.util.Optional;

import dev.heddle.store.ClaimResult.Claim;

/** A group of workers that the dispatcher claims jobs for. */
public interface ClaimTarget {

    /** Returns the name of the group, which job types refer to. */
    String name();

    /** Returns the number of free workers less the claims that wait for one; negative if claims wait. */
    int freeLessWaiting();

    /**
     * Returns how many jobs may wait for a worker of this group.
     *
     * @param nodeLimit how many may wait on the whole node
     */
    int maxAhead(int nodeLimit);

    /** Takes claims and starts idle workers on them. */
    void offer(List<Claim> claims);

    /** Takes claims that were parked for workers of this group. */
    void offerParked(List<Claim> claims);

    /** Starts idle workers on claims that were refused a start before. */
    void startRefused();

    /** Returns the jobs parked for workers of this group; empty if its jobs have no sessions. */
    Optional<? extends ParkedJobs> parked();
}

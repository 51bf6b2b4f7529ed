package dev.heddle.engine.session;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;

/** The claims that wait for a worker of a group, and the workers that they wait for. */
public interface WaitingClaims {

    /** Adds claims that any worker may run. */
    void add(List<Claim> claims);

    /**
     * Adds a claim that only one worker may run, if that worker is idle or fewer than {@code max} claims wait for it.
     *
     * @return whether the claim was added
     */
    boolean addFor(String workerId, Claim claim, int max);

    /** Removes the claim with this fence if no worker has taken it yet. */
    Optional<Claim> remove(Fence fence);

    /** Removes all matching claims that no worker has taken yet. */
    List<Claim> remove(Predicate<Claim> which);

    /** Returns how many claims wait for each worker alone. */
    Map<String, Integer> waitingCounts();

    /** Returns the worker with this id, or null if the group has none. */
    @Nullable Worker find(String workerId);

    /** Returns whether the worker could start a job now, or in a moment. */
    boolean isAvailable(String workerId);

    /** Returns the workers that sessions can be assigned to. */
    SessionCandidates candidates();
}

package dev.heddle.limit;

import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;

/**
 * An optional capability of a store: keeps limits, and applies them in its claims. Safe for use by many threads.
 *
 * <p>A slot of a key is a job that a node holds: there is no counter that could get out of step, and the slots of a
 * dead node come back with its jobs.
 */
public interface LimitStore {

    /** Returns all limits, by name. */
    List<Limit> limits();

    /**
     * Sets a limit, replacing the one with its name. The new bounds hold for the next claim. A job keeps the keys that
     * it got when it was submitted.
     */
    void setLimit(Limit limit);

    /** Removes a limit, so that jobs no longer wait for it; returns whether there was one. */
    boolean removeLimit(String name);

    /**
     * Returns how much of each key is in use, the fullest first: keys with jobs that run or wait.
     *
     * @param limit the name of the limit
     * @param most how many keys to return at most
     */
    List<LimitUsage> limitUsage(String limit, int most);

    /** Returns the live jobs of a key that are more than its limit lets run at once, the oldest first. */
    List<JobId> excessJobs(LimitKey key);
}

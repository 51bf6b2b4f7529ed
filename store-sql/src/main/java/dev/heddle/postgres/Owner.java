package dev.heddle.postgres;

import java.util.Set;

import dev.heddle.job.JobId;

/**
 * Whose the transaction is in which jobs are stored. One of the application's may stay open for long, so it locks nothing
 * that nodes write: capacities are not kept exactly, and parents are marked before it.
 *
 * @param marked the parents that were
 */
record Owner(boolean isStore, Set<JobId> marked) {

    static final Owner STORE = new Owner(true, Set.of());

    static Owner application(Set<JobId> marked) {
        return new Owner(false, marked);
    }
}

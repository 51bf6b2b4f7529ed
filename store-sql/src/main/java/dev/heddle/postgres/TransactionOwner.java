package dev.heddle.postgres;

import java.util.Set;

import dev.heddle.job.JobId;

/**
 * The owner of the transaction in which jobs are stored: the store or the application. A transaction of the
 * application may stay open for long, so it must not lock rows that nodes write: it does not enforce capacities
 * exactly, and parents are marked in a transaction before it.
 *
 * @param marked the parents that are already marked
 */
record TransactionOwner(boolean isStore, Set<JobId> marked) {

    static final TransactionOwner STORE = new TransactionOwner(true, Set.of());

    static TransactionOwner application(Set<JobId> marked) {
        return new TransactionOwner(false, marked);
    }
}

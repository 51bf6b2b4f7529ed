package dev.heddle.examples.exports;

import dev.heddle.job.JobType;
import dev.heddle.limit.Limit;
import dev.heddle.pool.Pool;

/**
 * Exports of customers. A customer who asks for a thousand exports gets two at a time, on all nodes together, and takes
 * turns with the others.
 */
final class Exports {

    static final JobType<Export, Integer> EXPORT = JobType.of("export", Export.class, Integer.class);

    /** The key is in the payload, so submitters do not have to name it. */
    static final Limit PER_CUSTOMER = Limit.named("per-customer").ofType("export").key("$.customer").maxConcurrent(2);

    private Exports() {}

    /**
     * The payload.
     *
     * @param customer whose data is exported
     * @param month which part of it
     */
    record Export(String customer, int month) {}

    /** Limits the exports of a pool. The store keeps the limit, so doing this again changes nothing. */
    static void limit(Pool pool) {
        pool.admin().setLimit(PER_CUSTOMER);
    }
}

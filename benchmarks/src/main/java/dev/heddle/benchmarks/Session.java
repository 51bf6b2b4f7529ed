package dev.heddle.benchmarks;

/**
 * A product that stands open on one place. Jobs are no-ops that carry their number; a submission has
 * returned once the product calls the job stored.
 */
interface Session extends AutoCloseable {

    /** Submits one job; called from several threads at once. */
    void submit(int number);

    /** Submits the jobs first to first + count - 1 the fastest way the product has. */
    void submitAll(int first, int count);

    /** Switches processing on; closing switches it off. */
    void startProcessing();

    /** How many jobs the store holds that have not completed, read from the store and not from memory. */
    long unfinished();

    @Override
    void close();
}

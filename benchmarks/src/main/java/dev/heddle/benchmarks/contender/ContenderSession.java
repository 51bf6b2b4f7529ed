package dev.heddle.benchmarks.contender;

/**
 * A product that is open on one location. Jobs are no-ops that carry their number. A submit returns when the product
 * considers the job stored.
 */
public interface ContenderSession extends AutoCloseable {

    /** Submits one job. Several threads may call this at once. */
    void submit(int number);

    /** Submits the jobs {@code first} to {@code first + count - 1} with the fastest call of the product. */
    void submitAll(int first, int count);

    /** Starts to process jobs, until the session is closed. */
    void startProcessing();

    /** Returns the number of jobs in the store that have not completed, as read from the store itself. */
    long unfinished();

    @Override
    void close();
}

package dev.heddle.benchmarks.contender;

/** A product with its store and settings: one row of the result table. */
public interface Contender {

    /** Describes the contender for its row. */
    ContenderInfo card();

    Database database();

    /** Returns the share of the jobs of a round that it drains, which keeps a drain in the range of seconds. */
    default double share() {
        return 1;
    }

    /** Creates the tables in an empty location, and whatever else the first process needs. */
    void prepare(StoreLocation place) throws Exception;

    /**
     * Opens the product with processing switched off. Every job reports to the probe when its handler starts and ends.
     * Other processes may have the same location open.
     */
    ContenderSession open(StoreLocation place, Aim aim, Probe probe) throws Exception;

    /** The purpose of a session, for products that need different settings for each. */
    enum Aim {
        /** Optimized for jobs per second. */
        THROUGHPUT,
        /** Optimized for a low latency between submit and start. */
        LATENCY,
        /** Submits only; this process runs no jobs. */
        SUBMITTING;

        /** Returns the size of the connection pool for this purpose, given the size for running jobs. */
        int connections(int running) {
            return this == SUBMITTING ? Math.min(running, 8) : running;
        }
    }
}

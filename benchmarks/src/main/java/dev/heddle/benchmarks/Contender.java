package dev.heddle.benchmarks;

/** A product on a store with settings: what a row of the table stands for. */
interface Contender {

    /** What the row says of it. */
    Card card();

    Database database();

    /** How many of the jobs of a round it drains, so that a drain takes seconds for the slow and for the fast. */
    default double share() {
        return 1;
    }

    /** Makes its tables in an empty place, and whatever else must be there before the first process opens it. */
    void prepare(Place place) throws Exception;

    /**
     * Opens the product, processing off. Every job it runs tells the probe when its handler is entered and
     * left. Other processes may have the same place open.
     */
    Session open(Place place, Aim aim, Probe probe) throws Exception;

    /** What the product is set up for, where one setting cannot serve all. */
    enum Aim {
        /** Many jobs a second. */
        THROUGHPUT,
        /** A job that starts soon. */
        LATENCY,
        /** Only to submit: this process runs no jobs. */
        SUBMITTING;

        /** How many connections that takes, where running jobs takes so many. */
        int connections(int running) {
            return this == SUBMITTING ? Math.min(running, 8) : running;
        }
    }
}

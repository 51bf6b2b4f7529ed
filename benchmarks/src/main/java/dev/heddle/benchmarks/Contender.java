package dev.heddle.benchmarks;

import java.nio.file.Path;

/** A product on a store with settings: what a row of the table stands for. */
interface Contender {

    /** What the row says of it. */
    Card card();

    /**
     * Opens the product on an empty directory, processing off. Every job it runs tells the probe when its
     * handler is entered and left.
     */
    Session open(Path directory, Aim aim, Probe probe) throws Exception;

    /** What the product is set up for, where one setting cannot serve both. */
    enum Aim {
        THROUGHPUT, LATENCY
    }
}

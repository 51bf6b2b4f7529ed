package dev.heddle.benchmarks.contender;

import java.nio.file.Path;

/**
 * The location of the jobs of one measurement, which is empty at first and not shared.
 *
 * @param address the directory of a database file, or the JDBC URL of a database on a server
 */
public record StoreLocation(String address) {

    Path directory() {
        return Path.of(address);
    }

    /** Returns the same database with a driver setting that sends a batch of inserts as one statement. */
    StoreLocation rewritingBatches() {
        return new StoreLocation(address + "&reWriteBatchedInserts=true");
    }
}

package dev.heddle.benchmarks;

import java.nio.file.Path;

/**
 * Where the jobs of one measurement lie: nobody else's, and empty at first.
 *
 * @param address the directory of a database file, or the JDBC URL of a database on a server
 */
record Place(String address) {

    Path directory() {
        return Path.of(address);
    }

    /** The same database, for a driver that may send a batch of inserts as one statement. */
    Place rewritingBatches() {
        return new Place(address + "&reWriteBatchedInserts=true");
    }
}

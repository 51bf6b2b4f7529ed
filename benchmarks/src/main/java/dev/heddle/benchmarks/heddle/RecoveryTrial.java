package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.ServerInfo;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.pool.Pool;
import dev.heddle.pool.RecoveryReport;
import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.PostgresServer;

/**
 * Measures how long a node takes to plan the recovery of ten thousand jobs of a dead node. On SQLite this is the time
 * to open the pool. On PostgreSQL it is the recovery alone, which starts after the new node has been up for a whole
 * lease.
 */
final class RecoveryTrial {

    private static final int ORPHANS = 10_000;
    private static final int ROUNDS = 5;

    private RecoveryTrial() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("heddle-opening");
        try {
            System.err.println(MachineInfo.here(directory).line());
            List<Long> sqlite = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                Path file = directory.resolve("round-" + round + ".db");
                sqlite.add(onSqlite(file));
            }
            print("SQLite, Pool.open()", sqlite);
            try (PostgresServer server = PostgresServer.start(PostgresServer.Version.V18)) {
                System.err.println(ServerInfo.at(server.url()).line());
                List<Long> postgres = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    postgres.add(onPostgres(server.createDatabase()));
                }
                print("PostgreSQL, the recovery", postgres);
            }
        } finally {
            Directories.delete(directory);
        }
    }

    private static void print(String what, List<Long> millis) {
        System.out.printf("%-26s %,d orphans: first %d ms, median of %d %d ms%n", what, ORPHANS, millis.getFirst(),
                ROUNDS, millis.stream().sorted().toList().get(ROUNDS / 2));
    }

    private static long onSqlite(Path file) {
        try (Store store = SqliteStore.at(file)) {
            new CrashedNode(store, "note", Instant.now()).running(ORPHANS);
        }
        Store store = SqliteStore.at(file);
        long from = System.nanoTime();
        try (Pool pool = Pool.on(store).open()) {
            long took = System.nanoTime() - from;
            check(pool.recoveryReport());
            return TimeUnit.NANOSECONDS.toMillis(took);
        }
    }

    private static void check(RecoveryReport report) {
        if (report.found() != ORPHANS) {
            throw new IllegalStateException("found " + report.summary());
        }
    }

    /** Measures the call of {@code recover}, which the new node makes after a lease. */
    private static long onPostgres(String url) throws Exception {
        try (Store store = PostgresStore.at(url)) {
            new CrashedNode(store, "note", Instant.now()).running(ORPHANS);
        }
        RecoveryTimingStore timed = new RecoveryTimingStore(PostgresStore.at(url));
        try (Pool _ = Pool.on(timed.store()).lease(Duration.ofMillis(600)).renewEvery(Duration.ofMillis(200)).open()) {
            return timed.recovery();
        }
    }
}

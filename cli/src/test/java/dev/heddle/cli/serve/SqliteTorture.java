package dev.heddle.cli.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.sqlite.SqliteStore;

/** Runs on a small disk, which it fills up now and then. */
final class SqliteTorture {

    private static final int FULL_FOR_MILLIS = 1_000;

    private SqliteTorture() {}

    /** Arguments: directory, seed, number of kills, log; the log is on another disk, because it must be complete. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Path log = Path.of(args[3]);
        TortureRun run = new TortureRun(new Random(Long.parseLong(args[1])), Integer.parseInt(args[2]),
                List.of(TortureSite.create(directory, log, "sqlite: jobs.db")), () -> fill(directory));
        run.kill();
        try (SqliteStore store = SqliteStore.at(directory.resolve("jobs.db"))) {
            run.check(store, log);
        }
        System.exit(0);
    }

    /** Leaves no space for a while. */
    private static boolean fill(Path directory) throws InterruptedException {
        Path filler = directory.resolve("filler");
        try {
            try (var out = Files.newOutputStream(filler)) {
                byte[] block = new byte[1 << 16];
                while (true) {
                    out.write(block);
                }
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(FULL_FOR_MILLIS);
            } finally {
                Files.delete(filler);
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

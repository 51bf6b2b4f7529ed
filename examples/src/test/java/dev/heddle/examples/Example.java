package dev.heddle.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.sqlite.SqliteStore;

/** What the tests of the examples share. */
public final class Example {

    public static final Duration LONG = Duration.ofSeconds(30);

    private Example() {}

    /** A program's main method. */
    @FunctionalInterface
    public interface Program {
        void main(String[] args) throws Exception;
    }

    /** A pool on SQLite that retries twice, at once. */
    public static PoolBuilder pool(Path directory) {
        return Pool.on(SqliteStore.at(directory.resolve("jobs.db")))
                .retry(RetryPolicy.linear(2, Duration.ZERO));
    }

    /** The lines that a program prints. */
    public static List<String> printed(Program program, String... args) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            program.main(args);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}

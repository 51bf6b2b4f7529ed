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

/** Helpers of the example tests. */
public final class ExampleRunner {

    public static final Duration LONG = Duration.ofSeconds(30);

    private ExampleRunner() {}

    /** The main method of an example. */
    @FunctionalInterface
    public interface Program {
        void main(String[] args) throws Exception;
    }

    /** Returns a builder for a pool on SQLite that retries twice without delay. */
    public static PoolBuilder pool(Path directory) {
        return Pool.on(SqliteStore.at(directory.resolve("jobs.db")))
                .retry(RetryPolicy.linear(2, Duration.ZERO));
    }

    /** Runs a program and returns the lines that it prints. */
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

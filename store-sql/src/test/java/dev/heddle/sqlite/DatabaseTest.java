package dev.heddle.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.sql.JobColumn;
import dev.heddle.sql.JobColumns;
import dev.heddle.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DatabaseTest {

    @TempDir
    private Path directory;

    private Database open() {
        return Database.open(directory.resolve("jobs.db"), () -> {});
    }

    private static String pragma(Database database, String name) {
        return database.write(tx -> {
            try (ResultSet rows = tx.query("PRAGMA " + name)) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    @Test
    void hasExactlyTheDeclaredColumnsInTheTableJob() {
        try (Database database = open()) {
            List<String> columns = database.read(tx -> {
                List<String> names = new ArrayList<>();
                try (ResultSet rows = tx.query("SELECT name FROM pragma_table_info('job') WHERE name <> 'seq'")) {
                    while (rows.next()) {
                        names.add(rows.getString(1));
                    }
                }
                return names;
            });

            assertThat(columns)
                    .containsExactlyInAnyOrderElementsOf(JobColumns.ALL.stream().map(JobColumn::name).toList());
        }
    }

    @Test
    void syncsEveryCommit() {
        try (Database database = open()) {
            assertThat(pragma(database, "synchronous")).as("2 is FULL").isEqualTo("2");
            assertThat(pragma(database, "journal_mode")).isEqualTo("wal");
        }
    }

    @Test
    void rollsBackAfterAnError() {
        AtomicInteger rollbacks = new AtomicInteger();
        try (Database database = Database.open(directory.resolve("jobs.db"), rollbacks::incrementAndGet)) {
            assertThatThrownBy(() -> database.write(tx -> {
                tx.update("INSERT INTO paused_queue VALUES ('mail', 'a', 1)");
                throw new StackOverflowError("deep");
            })).isInstanceOf(StackOverflowError.class);

            assertThat(rollbacks).hasValue(1);
            assertThat(database.<Integer>write(tx -> tx.update("DELETE FROM paused_queue"))).isZero();
        }
    }

    @Test
    void extendsTheLogBeforeANodeCommitsAndDeletesItWithTheLastConnection() throws Exception {
        Path log = directory.resolve("jobs.db-wal");
        long before;
        try (Database database = open()) {
            assertThat(Files.size(log)).as("not extended for a single command").isLessThan(1_000_000);
            database.expectManyCommits();
            before = Files.size(log);
            assertThat(before).isGreaterThan(8_000_000);
            for (int i = 0; i < 100; i++) {
                database.write(tx -> tx.update("INSERT INTO paused_queue VALUES (hex(randomblob(8)), 'a', 1)"));
            }
            assertThat(Files.size(log)).as("commits are written in place").isEqualTo(before);
        }
        assertThat(log).doesNotExist();
        try (Database database = open()) {
            assertThat(pragma(database, "user_version")).isEqualTo(Integer.toString(Migrations.latest()));
        }
    }

    @Test
    void rollsBackAFailedTransactionAndGoesOn() {
        try (Database database = open()) {
            assertThatThrownBy(() -> database.write(tx -> {
                tx.update("INSERT INTO paused_queue VALUES ('q', 'a', 1)");
                return tx.update("INSERT INTO paused_queue VALUES ('q', 'a', 1)");
            })).isInstanceOfSatisfying(StoreException.class,
                    e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED));

            int rows = database.write(tx -> tx.update("DELETE FROM paused_queue"));
            assertThat(rows).isZero();
        }
    }
}

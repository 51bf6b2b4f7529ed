package dev.heddle.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;

import dev.heddle.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DatabaseTest {

    @TempDir private Path directory;

    private Database open() {
        return Database.open(directory.resolve("jobs.db"), () -> {});
    }

    private static String pragma(Database database, String name) {
        return database.write(session -> {
            try (ResultSet rows = session.query("PRAGMA " + name)) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    @Test
    void syncsEveryCommit() {
        try (Database database = open()) {
            assertThat(pragma(database, "synchronous")).as("2 is FULL").isEqualTo("2");
            assertThat(pragma(database, "journal_mode")).isEqualTo("wal");
        }
    }

    @Test
    void givesTheLogItsLengthBeforeANodeCommitsAndTakesItAwayWithTheLastConnection() throws Exception {
        Path log = directory.resolve("jobs.db-wal");
        long before;
        try (Database database = open()) {
            assertThat(Files.size(log)).as("one command needs no room").isLessThan(1_000_000);
            database.expectManyCommits();
            before = Files.size(log);
            assertThat(before).isGreaterThan(8_000_000);
            for (int i = 0; i < 100; i++) {
                database.write(session -> session
                        .update("INSERT INTO paused_queue VALUES (hex(randomblob(8)), 'a', 1)"));
            }
            assertThat(Files.size(log)).as("commits are written in place").isEqualTo(before);
        }
        assertThat(log).doesNotExist();
        try (Database database = open()) {
            assertThat(pragma(database, "user_version")).isEqualTo("1");
        }
    }

    @Test
    void undoesAllOfATransactionThatFailsAndGoesOn() {
        try (Database database = open()) {
            assertThatThrownBy(() -> database.write(session -> {
                session.update("INSERT INTO paused_queue VALUES ('q', 'a', 1)");
                return session.update("INSERT INTO paused_queue VALUES ('q', 'a', 1)");
            })).isInstanceOfSatisfying(StoreException.class,
                    e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED));

            int rows = database.write(session -> session.update("DELETE FROM paused_queue"));
            assertThat(rows).isZero();
        }
    }
}

package dev.heddle.cli.command;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;

import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.sqlite.SqliteFile;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The contract without a node, directly on the store. */
class WithoutNodeTest extends SteerCommandContract {

    @Test
    void refusesQueriesWithoutAHomeAndCreatesNothing() throws Exception {
        Files.delete(home());
        for (String line : new String[]{"job list", "stats", "dead list", "queue list", "node list", "worker list",
            "db status"}) {
            Answer answer = call(line.split(" "));
            if (line.startsWith("db")) {
                assertThat(answer.exit()).isZero();
            } else {
                assertThat(answer.exit()).as(line).isEqualTo(ExitCode.NOT_FOUND.code());
                assertThat(answer.err()).contains("there is no Heddle home at " + home(), "--home").hasLineCount(1);
            }
        }
        assertThat(call("db", "backup", directory.resolve("copy.db").toString()).exit())
                .isEqualTo(ExitCode.NOT_FOUND.code());
        assertThat(home()).doesNotExist();
    }

    @Test
    void saysThatNoNodeRuns() {
        Answer answer = call("submit", "echo");
        assertThat(answer.err())
                .isEqualToIgnoringNewLines("heddle: submitted; no node is running, start one with 'heddle serve'");
        assertThat(call("stats").err()).contains("no node is running; start one");
    }

    @Test
    void reportsAStoreInUse() throws Exception {
        Files.createDirectories(home());
        try (SqliteStore _ = SqliteStore.at(home().resolve("heddle.db"))) {
            Answer answer = call("job", "list");
            assertThat(answer.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
            assertThat(answer.err()).startsWith("heddle job list: " + home().resolve("heddle.db") + " is in use")
                    .hasLineCount(1);
        }
    }

    @Test
    void migratesTheSchema() {
        assertThat(ok("db status")).contains("none yet");
        assertThat(ok("db migrate"))
                .isEqualTo("migrated schema from version 0 to " + SqliteFile.latestSchemaVersion());
        assertThat(ok("db migrate")).matches("schema is up to date \\(version \\d+\\)");
    }

    @Test
    void refusesTheStoreOfANewerHeddleAndChangesNothing() throws Exception {
        ok("submit echo");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + home().resolve("heddle.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 999");
        }
        byte[] before = Files.readAllBytes(home().resolve("heddle.db"));
        for (String line : List.of("job list", "submit echo", "stats", "dead retry --all", "db status", "db migrate",
                "db backup " + directory.resolve("copy.db"), "serve --port 0")) {
            Answer answer = call(line.split(" ", -1));
            assertThat(answer.exit()).as(line).isEqualTo(ExitCode.USAGE.code());
            assertThat(answer.err()).as(line).contains("has schema version 999", "use a newer Heddle").hasLineCount(1);
        }
        assertThat(home().resolve("heddle.db")).hasBinaryContent(before);
        assertThat(directory.resolve("copy.db")).doesNotExist();
    }

    @Test
    void rejectsAFileThatIsNotADatabase() throws Exception {
        Files.createDirectories(home());
        Files.writeString(home().resolve("heddle.db"), "not a database, but long enough to be looked at".repeat(50));
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
        assertThat(answer.err()).hasLineCount(1).contains("SQLite database");
    }

    @Test
    void rejectsAnInvalidConfigurationWithTheLine() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "workers: 4\nservr:\n  port: 1\n");
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).isEqualToIgnoringNewLines("heddle job list: " + directory.resolve("heddle.yaml")
                + ":2: unknown key 'servr'; did you mean 'server'?");
    }

    @Test
    void suggestsPgDumpToBackUpPostgresql() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"),
                "store: {postgresql: {url: 'jdbc:postgresql://127.0.0.1:1/none?password=x'}}");
        Answer answer = call("db", "backup", "x");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).hasLineCount(1).contains("pg_dump").doesNotContain("password");
    }

    @Test
    void masksSecretsByTheRulesOfTheConfiguration() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"),
                "redaction: {keys: [iban], patterns: ['\\d{4}'], standard: false}\n");
        String id = ok("submit parked --payload {\"iban\":\"x\",\"text\":\"1234\",\"password\":\"hunter\"}");
        assertThat(json("job show " + id).at("/payload").toString())
                .isEqualTo("{\"iban\":\"•••\",\"text\":\"•••\",\"password\":\"hunter\"}");
        assertThat(ok("job show " + id + " --reveal")).contains("1234");
    }

    @Test
    void hasNoEventsToFollow() {
        Answer answer = call("events");
        assertThat(answer.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
        assertThat(answer.err()).contains("start one with 'heddle serve'");
    }
}

package dev.heddle.cli.verb;

import java.nio.file.Files;

import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.Exit;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Without a node, on the store itself. */
class AloneTest extends VerbContract {

    @Test
    void makesNothingWhereItOnlyLooks() {
        for (String line : new String[]{"job list", "stats", "dead list", "queue list", "node list",
            "worker list",
            "db status"}) {
            ok(line);
        }
        assertThat(call("db", "backup", directory.resolve("copy.db").toString()).exit())
                .isEqualTo(Exit.NOT_FOUND.code());
        assertThat(home()).doesNotExist();
    }

    @Test
    void saysThatNobodyRunsWhatIsSubmitted() {
        Answer answer = call("submit", "echo");
        assertThat(answer.err()).isEqualToIgnoringNewLines(
                "heddle: no node is running here; the job waits for one, start it with 'heddle serve'");
        assertThat(call("stats").err()).contains("no node is running here");
    }

    @Test
    void saysThatAnotherProgramHasTheStore() throws Exception {
        Files.createDirectories(home());
        try (SqliteStore _ = SqliteStore.at(home().resolve("heddle.db"))) {
            Answer answer = call("job", "list");
            assertThat(answer.exit()).isEqualTo(Exit.UNREACHABLE.code());
            assertThat(answer.err())
                    .startsWith("heddle job list: " + home().resolve("heddle.db") + " is in use")
                    .hasLineCount(1);
        }
    }

    @Test
    void bringsTheSchemaUpToDate() {
        assertThat(ok("db status")).contains("none yet");
        assertThat(ok("db migrate")).isEqualTo("brought from version 0 to 1");
        assertThat(ok("db migrate")).isEqualTo("version 1 already, nothing to do");
    }

    @Test
    void refusesWhatIsNoDatabase() throws Exception {
        Files.createDirectories(home());
        Files.writeString(home().resolve("heddle.db"),
                "not a database, but long enough to be looked at".repeat(50));
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(Exit.UNREACHABLE.code());
        assertThat(answer.err()).hasLineCount(1).contains("not a sound SQLite database");
    }

    @Test
    void refusesABadConfigurationWithItsLine() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "workers: 4\nservr:\n  port: 1\n");
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(answer.err())
                .isEqualToIgnoringNewLines("heddle job list: " + directory.resolve("heddle.yaml")
                        + ":2: unknown key 'servr'; did you mean 'server'?");
    }

    @Test
    void pointsToPgDumpForABackupOfPostgresql() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"),
                "store: {postgresql: {url: 'jdbc:postgresql://127.0.0.1:1/none?password=x'}}");
        Answer answer = call("db", "backup", "x");
        assertThat(answer.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(answer.err()).hasLineCount(1).contains("pg_dump").doesNotContain("password");
    }
}

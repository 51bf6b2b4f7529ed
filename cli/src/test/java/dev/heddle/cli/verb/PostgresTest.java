package dev.heddle.cli.verb;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.serve.Daemon;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** With a store that many nodes share. */
class PostgresTest {

    @TempDir private Path directory;

    private Map<String, String> environment() {
        return Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString(), "DATABASE",
                PostgresServer.shared(PostgresServer.Version.V18).url());
    }

    @BeforeEach
    void configure() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), """
                store:
                  postgresql:
                    url: ${DATABASE}
                    schema: cli
                server: {port: 0}
                log: {level: error}
                """);
    }

    private Answer call(String... args) {
        return new Cli(environment()).call(args);
    }

    @Test
    void submitsWithoutANodeAndRunsWithOne() {
        assertThat(call("db", "status").out()).contains("kind    postgresql");
        Answer migrated = call("db", "migrate");
        assertThat(migrated.exit()).as(migrated.err()).isZero();
        assertThat(call("db", "status").out()).contains("the latest");
        String id = call("submit", "echo", "--payload", "[1]").out().strip();
        assertThat(call("job", "list").out()).contains(id).contains("QUEUED");

        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Desk desk = new Desk(new Screen(nowhere, nowhere, Terminal.NONE), environment(),
                InputStream.nullInputStream());
        try (Daemon _ = Daemon.start(desk, desk.place().config())) {
            Answer answer = call("job", "wait", id);
            assertThat(answer.exit()).as(answer.err()).isZero();
            assertThat(answer.out().strip()).isEqualTo("[1]");
        }
        assertThat(call("job", "list").out()).contains("COMPLETED");
    }

    @Test
    void saysThatTheServerCannotBeReached() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"),
                "store: {postgresql: {url: 'jdbc:postgresql://127.0.0.1:1/none?password=secret'}}");
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(Exit.UNREACHABLE.code());
        assertThat(answer.err()).startsWith("heddle job list: ").contains("127.0.0.1:1")
                .doesNotContain("secret");
    }
}

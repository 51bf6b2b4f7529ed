package dev.heddle.cli.command;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.serve.Daemon;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands on a PostgreSQL store. */
class PostgresTest {

    @TempDir
    private Path directory;

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
        assertThat(call("db", "status").out()).contains("(latest)");
        String id = call("submit", "echo", "--payload", "[1]").out().strip();
        assertThat(call("job", "list").out()).contains(id).contains("QUEUED");

        PrintWriter discard = new PrintWriter(Writer.nullWriter());
        CliContext context = new CliContext(new CliOutput(discard, discard, Terminal.NONE), environment(),
                InputStream.nullInputStream());
        try (Daemon _ = Daemon.start(context, context.options().nodeConfig())) {
            Answer answer = call("job", "wait", id);
            assertThat(answer.exit()).as(answer.err()).isZero();
            assertThat(answer.out().strip()).isEqualTo("[1]");
        }
        assertThat(call("job", "list").out()).contains("COMPLETED");
    }

    @Test
    void reportsAnUnreachableServer() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"),
                "store: {postgresql: {url: 'jdbc:postgresql://127.0.0.1:1/none?password=secret'}}");
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
        assertThat(answer.err()).startsWith("heddle job list: ").contains("127.0.0.1:1").doesNotContain("secret");
    }
}

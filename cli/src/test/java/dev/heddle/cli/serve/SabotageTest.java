package dev.heddle.cli.serve;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.process.files.FileTree;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A node whose files are deleted while it runs. */
@Timeout(300)
class SabotageTest {

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString())).call(args);
    }

    private static int status(URI uri) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void isNotReadyAndAcceptsNothingOnceItsDatabaseIsDeleted() throws Exception {
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(call("submit", "echo", "--wait").exit()).isZero();
            assertThat(status(node.uri().resolve("/readyz"))).isEqualTo(200);
            Files.delete(home().resolve("heddle.db"));

            Answer answer = call("submit", "echo");
            assertThat(answer.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
            assertThat(answer.err()).contains("was deleted or replaced").hasLineCount(1);
            await().until(() -> status(node.uri().resolve("/readyz")) == 503);
            assertThat(home().resolve("heddle.db")).doesNotExist();
            try (Stream<Path> logs = Files.list(home().resolve("logs"))) {
                assertThat(logs.filter(Files::isRegularFile)).anySatisfy(log -> assertThat(log).content()
                        .contains("ERROR").contains("was deleted or replaced while this node used it"));
            }

            node.signal("TERM");
            assertThat(node.exitCode()).as(node.lines().toString()).isLessThan(ExitCode.KILLED.code());
        }
        assertThat(home().resolve("heddle.db")).doesNotExist();
    }

    /** Classes that closing needs can no longer be loaded. */
    @Test
    void stopsEvenIfItsJarsAreDeleted() throws Exception {
        Path copies = Files.createDirectory(directory.resolve("jars"));
        try (ServedNode node = ServedNode.startFrom(copyOfClassPath(copies), home()).awaitListening()) {
            FileTree.delete(copies);
            node.signal("TERM");
            assertThat(node.exitCode()).as(node.lines().toString()).isLessThan(ExitCode.KILLED.code());
        }
    }

    private static String copyOfClassPath(Path target) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : ChildJvm.classPath().split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.exists(from)) {
                Path to = target.resolve(copies.size() + "-" + from.getFileName());
                try (Stream<Path> all = Files.walk(from)) {
                    for (Path one : all.toList()) {
                        Files.copy(one, to.resolve(from.relativize(one).toString()));
                    }
                }
                copies.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }
}

package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Arguments and payloads may be secrets, so the log of a node shows none of them. */
class QuietLogTest {

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private void heddle(int exit, String... args) {
        Cli.Answer answer = new Cli(Map.of("HEDDLE_HOME", home().toString())).call(args);
        assertThat(answer.exit()).as(answer.err()).isEqualTo(exit);
    }

    private List<String> logged() throws IOException {
        try (Stream<Path> logs = Files.walk(home().resolve("logs"))) {
            return logs.filter(Files::isRegularFile).flatMap(file -> {
                try {
                    return Files.readAllLines(file).stream();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }).toList();
        }
    }

    @Test
    void containsNoArgumentsAndNoPayloads() throws IOException {
        Files.writeString(directory.resolve("heddle.yaml"), """
                server: {port: 0}
                types:
                  login: {command: [sh, -c, 'exit 3', sh, '{{user}}', hunter2], retries: 0}
                """);
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            heddle(1, "submit", "login", "-p", "{\"user\": \"hunter2\"}", "--wait");
            heddle(0, "submit", "echo", "-p", "{\"password\": \"hunter2\"}", "--wait");
            heddle(1, "submit", "fail", "-p", "{\"category\": \"permanent\", \"password\": \"hunter2\"}", "--wait");
            heddle(3, "run", "--", "sh", "-c", "exit 3", "hunter2");

            assertThat(node.lines()).as("it does log jobs").anyMatch(line -> line.contains("login"));
            assertThat(node.lines()).noneMatch(line -> line.contains("hunter2"));
            assertThat(logged()).isNotEmpty().noneMatch(line -> line.contains("hunter2"));
        }
    }
}

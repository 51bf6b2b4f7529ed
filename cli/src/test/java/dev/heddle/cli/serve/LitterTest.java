package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.ControlJson;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A node that is killed again and again leaves no files that add up. */
@Timeout(900)
class LitterTest {

    private static final int KILLS = 20;

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Path temp() {
        return directory.resolve("tmp");
    }

    private Answer call(String... args) {
        Answer answer = new Cli(Map.of("HEDDLE_HOME", home().toString())).call(args);
        assertThat(answer.exit()).as("%s: %s", String.join(" ", args), answer.err()).isZero();
        return answer;
    }

    private List<String> unfinished() {
        String jobs = call("job", "list", "--state", "queued,scheduled,assigned,running,cancelled", "-o", "json").out();
        return ControlJson.tree(jobs).valueStream().filter(job -> !job.has("endedAt")).map(job -> job.get("id"))
                .map(JsonNode::stringValue).toList();
    }

    private ServedNode start() {
        return ServedNode.startIn(List.of("env", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + temp()), home(), "--port",
                "0");
    }

    @Test
    void leavesNothingHoweverOftenItIsKilled() throws Exception {
        Random random = Torture.random("LitterTest");
        configure();
        List<String> before = filesAfterANodeThatStoppedInOrder();
        for (int kill = 1; kill <= KILLS; kill++) {
            try (ServedNode node = start()) {
                // Every other one dies while it opens, the rest with processes, worktrees and git commands at work.
                if (kill % 2 == 0) {
                    node.awaitListening();
                    call("submit", "hold");
                    call("submit", "quick");
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(kill % 2 == 0 ? 400 : 1_500));
                node.kill();
            }
        }
        assertThat(filesAfterANodeThatStoppedInOrder()).isEqualTo(before);
    }

    private void configure() throws IOException, InterruptedException {
        Files.createDirectories(temp());
        Path repository = Files.createDirectory(directory.resolve("repository"));
        for (String command : List.of("git init -q -b main",
                "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m start")) {
            int exit = new ProcessBuilder(command.split(" ", -1)).directory(repository.toFile()).inheritIO().start()
                    .waitFor();
            assertThat(exit).as(command).isZero();
        }
        Files.writeString(directory.resolve("heddle.yaml"), """
                types:
                  hold: {command: [sleep, '600'], worktree: {repo: REPOSITORY, ref: main}}
                  quick: {command: ['true'], worktree: {repo: REPOSITORY, ref: main}}
                """.replace("REPOSITORY", repository.toString()));
    }

    /** Returns all files but those of jobs, which retention deletes, and the logs, which are rotated. */
    private List<String> filesAfterANodeThatStoppedInOrder() throws Exception {
        try (ServedNode node = start().awaitListening()) {
            await().until(() -> {
                List<String> unfinished = unfinished();
                unfinished.forEach(id -> new Cli(Map.of("HEDDLE_HOME", home().toString())).call("job", "cancel", id));
                return unfinished.isEmpty();
            });
            call("submit", "quick", "--wait");
            node.signal("TERM");
            assertThat(node.exitCode()).as(node.lines().toString()).isZero();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(file -> directory.relativize(file).toString())
                    .filter(file -> !file.matches("\\.heddle/(runs|artifacts|logs)/.*|.*/hsperfdata_.*"))
                    .filter(file -> !file.matches("repository/\\.git/(objects|refs/heddle|logs)/.*")).sorted().toList();
        }
    }
}

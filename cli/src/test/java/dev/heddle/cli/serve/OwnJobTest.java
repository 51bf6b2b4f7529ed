package dev.heddle.cli.serve;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.control.ControlJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The process of a job acts for its job: with {@code heddle job progress} and {@code heddle job spawn}. */
class OwnJobTest {

    private static final String SCRIPT = """
            heddle() { "JAVA" -XX:TieredStopAtLevel=1 -cp "CLASSES" dev.heddle.cli.Main "$@" 2>&1; }
            heddle job progress 1 2 -m half || exit 1
            until [ -e go ]; do sleep 0.05; done
            child=$(heddle job spawn fetch -p '{"page": 7}') || exit 2
            refused=$(heddle job spawn run -p '{"command": ["true"]}'); code=$?
            printf '{"child": "%s", "refused": "%s", "code": %s}' "$child" "$refused" $code >"$HEDDLE_RESULT_PATH"
            """;

    @TempDir
    private Path directory;

    private String heddle(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString())).call(args).out();
    }

    @Test
    void reportsProgressAndSubmitsChildren() throws Exception {
        Files.writeString(directory.resolve("crawl.sh"), SCRIPT
                .replace("JAVA", ProcessHandle.current().info().command().orElseThrow())
                .replace("CLASSES", System.getProperty("java.class.path")));
        Files.writeString(directory.resolve("heddle.yaml"), """
                server: {port: 0}
                types:
                  crawl: {command: [sh, crawl.sh], spawns: [fetch]}
                  fetch: {command: [sh, -c, 'cat >"$HEDDLE_RESULT_PATH"']}
                """);
        Path home = directory.resolve(".heddle");
        try (ServedNode node = ServedNode.start(home, "--config", directory.resolve("heddle.yaml").toString())) {
            node.awaitListening();
            String parent = heddle("submit", "crawl").strip();
            Cli.await().until(() -> heddle("job", "show", parent, "-o", "json").contains("\"half\""));
            Files.createFile(directory.resolve("go"));
            JsonNode result = ControlJson.tree(heddle("job", "wait", parent));
            assertThat(result.get("refused").stringValue()).contains(
                    "this job may not submit jobs of type 'run', because they carry command lines");
            assertThat(result.get("code").intValue()).as("exit code of a refusal").isEqualTo(4);
            String child = result.get("child").stringValue();
            assertThat(heddle("job", "wait", child)).contains("7");
            assertThat(heddle("job", "show", child, "-o", "json")).contains("\"parent\" : \"" + parent);
        }
    }

    @Test
    void worksInProcessesOfJobsOnly() {
        Cli.Answer answer = Cli.run("job", "progress", "1");

        assertThat(answer.err()).contains("this is not the process of a job: HEDDLE_API_URL is not set");
        assertThat(answer.exit()).isEqualTo(2);
    }
}

package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.ControlJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs {@code examples/crawl}, in a copy that git does not track. */
class CrawlExampleTest {

    private static final Path EXAMPLE = Path.of("../examples/crawl");

    @TempDir
    private Path directory;

    private Answer heddle(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString())).call(args);
    }

    private void copyExample() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLE)) {
            for (Path file : files.skip(1).toList()) {
                Files.copy(file, directory.resolve(EXAMPLE.relativize(file).toString()));
            }
        }
    }

    @Test
    void submitsAJobForEachPageAndNoCommandLine() throws IOException {
        copyExample();
        try (ServedNode _ = ServedNode.start(directory.resolve(".heddle")).awaitListening()) {
            Answer answer = heddle("submit", "crawl", "--wait");
            assertThat(answer.exit()).as(answer.err()).isZero();
            JsonNode result = ControlJson.tree(answer.out());
            assertThat(result.get("pages").intValue()).isEqualTo(3);
            assertThat(result.get("run").stringValue()).contains("because they carry command lines");

            List<JsonNode> words = ControlJson.tree(heddle("job", "list", "--type", "words", "-o", "json").out())
                    .valueStream().toList();
            assertThat(words).hasSize(3);
            assertThat(words.stream().map(job -> heddle("job", "wait", job.get("id").stringValue()).out().strip()))
                    .containsExactlyInAnyOrder("5", "8", "12");
        }
    }
}

package dev.heddle.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.ControlJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerCheckCommandTest {

    @TempDir
    private Path directory;

    private Answer check(String... args) {
        List<String> all = new ArrayList<>(List.of("worker", "check"));
        all.addAll(List.of(args));
        Answer answer = new Cli(Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString()))
                .call(all.toArray(String[]::new));
        assertThat(directory.resolve(".heddle")).as("needs no home").doesNotExist();
        return answer;
    }

    @Test
    void acceptsTheExample() {
        Answer answer = check("--payload", "{\"texts\": [\"a\"]}", "--", "python3", "../sdk/python/embed.py");
        assertThat(answer.exit()).as(answer.out()).isZero();
        assertThat(answer.out()).contains("embedder", "embed").doesNotContain("WRONG");
        Answer json = check("-o", "json", "--payload", "{\"texts\": [\"a\"]}", "--", "python3",
                "../sdk/python/embed.py");
        assertThat(ControlJson.tree(json.out()).at("/0/level").asString()).isEqualTo("OK");
    }

    @Test
    void reportsWhatAWorkerDoesWrong() throws Exception {
        Path script = Files.writeString(directory.resolve("worker.sh"), """
                while read -r line; do echo "got: $line"; done
                """);
        Answer answer = check("--patience", "1s", "--", "sh", script.toString());
        assertThat(answer.exit()).isEqualTo(1);
        assertThat(answer.out()).contains("WRONG  initialize: ");
    }

    @Test
    void rejectsInvalidInput() {
        Answer missing = check("--", "no-such-program");
        assertThat(missing.exit()).isEqualTo(3);
        assertThat(missing.err()).contains("no-such-program").hasLineCount(1);
        Answer payload = check("--payload", "{", "--", "true");
        assertThat(payload.exit()).isEqualTo(2);
        assertThat(payload.err()).isEqualToIgnoringNewLines("heddle worker check: --payload: not JSON: "
                + "Unexpected end-of-input: expected close marker for Object (line 1, column 2)");
        assertThat(check().exit()).isEqualTo(2);
        Answer patience = check("--patience", "0s", "--", "true");
        assertThat(patience.exit()).isEqualTo(2);
        assertThat(patience.err()).contains("--patience").hasLineCount(1);
    }
}

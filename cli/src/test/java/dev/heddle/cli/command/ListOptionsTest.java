package dev.heddle.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What all commands that list something have in common. */
class ListOptionsTest {

    @TempDir
    private Path directory;

    private Cli cli() {
        return new Cli(Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString()));
    }

    private Answer call(String line) {
        return cli().call(line.split(" "));
    }

    private String submit(String options) {
        return call("submit parked " + options).out().strip();
    }

    @Test
    void printsOnlyFullIds() {
        String first = submit("");
        String second = submit("");
        assertThat(call("job list -q").out().lines()).containsExactly(second, first);
        assertThat(cli().onTerminal(80).call("job", "list", "-q").out().lines()).containsExactly(second, first);
        call("queue pause night");
        assertThat(call("queue list --quiet").out().lines()).containsExactly("default", "night");
    }

    @Test
    void leavesOutTheTitles() {
        submit("");
        assertThat(call("job list --no-headers").out()).hasLineCount(1).contains("parked").doesNotContain("STATE");
        assertThat(call("node list --no-headers").out()).isEmpty();
    }

    @Test
    void showsIdsInFullUnlessTheOutputIsATerminal() {
        String id = submit("");
        String parent = submit("");
        submit("--parent " + parent);
        assertThat(call("job list").out()).contains(id);
        assertThat(cli().onTerminal(80).call("job", "list").out()).contains(id.substring(0, 13)).doesNotContain(id);
        assertThat(cli().onTerminal(80).call("job", "list", "--full-ids").out()).contains(id);
        assertThat(cli().onTerminal(80).call("job", "tree", parent).out().lines().toList().get(1))
                .startsWith(parent.substring(0, 13) + "  ");
    }

    @Test
    void showsIdsThatOtherCommandsFind() {
        List<String> ids = IntStream.range(0, 50).mapToObj(_ -> submit("")).toList();
        List<String> shown = cli().onTerminal(80).call("job", "list", "--no-headers").out().lines()
                .map(line -> line.split(" ", -1)[0]).toList();
        assertThat(shown).doesNotHaveDuplicates().hasSize(50);
        for (int i = 0; i < shown.size(); i++) {
            assertThat(call("job show " + shown.get(i)).out()).contains(ids.get(ids.size() - 1 - i));
        }
    }

    @Test
    void fitsATerminalOf80Columns() {
        submit("--queue reports-of-the-whole-month --subject x");
        call("schedule create nightly-report-of-all-customers @daily parked --zone America/Argentina/Buenos_Aires");
        for (String line : List.of("job list", "queue list", "dead list", "batch list", "budget list", "limit list",
                "schedule list", "node list", "worker list", "session list")) {
            assertThat(cli().onTerminal(80).call(line.split(" ")).out().lines()).as(line)
                    .allMatch(shown -> shown.length() <= 80);
        }
    }

    @Test
    void repeatsUntilItIsInterrupted() throws InterruptedException {
        submit("");
        Cli cli = cli();
        Thread watching = Thread.ofPlatform().start(() -> cli.call("job", "list", "--watch=1"));
        Cli.await().until(() -> cli.answer(0).out().lines().filter(line -> line.startsWith("ID")).count() > 1);
        watching.interrupt();
        watching.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"job list -q -o json", "queue list --watch -o jsonl", "node list --no-headers -o json",
        "job list --watch=0", "job list --watch=often"})
    void rejectsOptionsThatMakeNoSense(String line) {
        Answer answer = call(line);
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).hasLineCount(1);
    }
}

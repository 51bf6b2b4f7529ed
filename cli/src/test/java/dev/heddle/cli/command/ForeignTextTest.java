package dev.heddle.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.serve.Daemon;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.control.ControlJson;
import dev.heddle.output.SafeText;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Text of jobs, workers and users that would take over a terminal, if one got it unchanged. */
@Timeout(300)
class ForeignTextTest {

    /** How Heddle itself erases its progress line, which a slow machine gets to see. */
    private static final String PROGRESS = "\r\u001b[K";

    /** Names may have no control characters, but these. */
    private static final String NAME = "na\u202eme\u2066";
    /** Sets the clipboard, asks for the cursor's position, clears the screen, rings, and overwrites the line. */
    private static final String EVIL = "begin \u001b]52;c;ZXZpbA==\u0007 \u001b[6n \u009b2J \u009d52;c;x\u009c \b\u007f\r "
            + NAME + " end";

    @TempDir
    private Path directory;
    private Daemon node;

    @BeforeEach
    void startNode() throws IOException {
        String literal = SafeText.json(JsonMapper.shared().writeValueAsString(EVIL));
        Files.writeString(directory.resolve("evil.txt"), EVIL);
        Files.writeString(directory.resolve("worker.py"), """
                from heddle_worker import Permanent, Worker
                worker = Worker(%1$s)
                @worker.handles("evil")
                def evil(payload, job):
                    print(%1$s)
                    job.progress(1, 2, %1$s)
                    raise Permanent(%1$s, hint=%1$s)
                worker.run()
                """.formatted(literal));
        Files.writeString(directory.resolve("heddle.yaml"), """
                server: {port: 0}
                types:
                  print: {command: [sh, -c, 'cat evil.txt; cat evil.txt >&2; exit 3'], directory: %1$s, retries: 0}
                  evil: {external: [python3, worker.py], directory: %1$s, env: {PYTHONPATH: %2$s}}
                  broken: {external: [cat, evil.txt], directory: %1$s}
                """.formatted(directory, Path.of("../sdk/python").toAbsolutePath().normalize()));
        Files.writeString(directory.resolve("units.jsonl"), ControlJson.write(Map.of("title", EVIL)) + "\n");
        Files.writeString(directory.resolve("batch.yaml"), """
                name: evil
                command: [sh, -c, 'cat evil.txt; exit 1']
                directory: %s
                units: units.jsonl
                retries: 0
                """.formatted(directory));
        PrintWriter discard = new PrintWriter(Writer.nullWriter());
        CliContext context = new CliContext(new CliOutput(discard, discard, Terminal.NONE), environment(),
                InputStream.nullInputStream());
        node = Daemon.start(context, context.options().nodeConfig());
    }

    @AfterEach
    void closeNode() {
        node.close();
    }

    private Map<String, String> environment() {
        return Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString(), "PATH", System.getenv("PATH"));
    }

    private Answer atTerminal(String... args) {
        return new Cli(environment()).onTerminal().call(args);
    }

    private Answer inPipe(String... args) {
        return new Cli(environment()).call(args);
    }

    /** Runs a command on a terminal and checks what it prints; returns it. */
    private String safe(String... args) {
        Answer answer = atTerminal(args);
        String printed = (answer.out() + answer.err()).replace(PROGRESS, "");
        assertThat(
                printed.codePoints().filter(c -> c != '\n' && c != SafeText.inLine(c)).mapToObj(Integer::toHexString))
                .as("%s printed: %s", List.of(args), SafeText.json(printed)).isEmpty();
        return printed;
    }

    /** Submits a job and waits for its end; returns its id. */
    private String submit(String type, Object payload, String... more) {
        Stream<String> args = Stream.concat(
                Stream.of("submit", type, "--payload", ControlJson.write(payload), "--wait"),
                Stream.of(more));
        safe(args.toArray(String[]::new));
        return inPipe("job", "list", "--type", type, "-o", "json", "--limit", "1").out().lines()
                .filter(line -> line.contains("\"id\"")).findFirst().orElseThrow()
                .replaceAll(".*: \"([^\"]+)\".*", "$1");
    }

    @Test
    void neverReachesATerminal() throws IOException {
        String failed = submit("fail", Map.of("message", EVIL, "category", "permanent"), "--subject", NAME, "--tag",
                NAME,
                "--header", "h=" + NAME, "--dedupe-key", NAME, "--queue", NAME);
        submit("fail", Map.of("message", EVIL, "category", "partial"), "--max-retries", "0");
        submit("echo", Map.of("text", EVIL));
        String printed = submit("print", Map.of("text", EVIL));
        String reported = submit("evil", Map.of());
        String worker = json("worker", "list").valueStream().filter(one -> one.path("group").asString().equals("evil"))
                .findFirst().orElseThrow().path("id").asString();

        for (String id : List.of(failed, printed, reported)) {
            assertThat(safe("job", "show", id)).contains("?");
            assertThat(safe("job", "logs", id)).contains("?");
            safe("job", "tree", id);
            safe("job", "wait", id);
            safe("job", "retry", id, "x" + EVIL);
            assertThat(safe("job", "show", id, "-o", "json")).contains("\\u202e");
        }
        assertThat(safe("worker", "show", worker)).contains("begin ?]52;c;ZXZpbA==? ?[6n ?2J");
        assertThat(safe("worker", "logs", worker)).contains("begin ?]52");
        await().until(() -> safe("worker", "list").contains("?[6n"));
        for (String line : List.of("job list", "job list -o jsonl", "dead list", "dead list -o json", "queue list",
                "stats", "session list", "node list", "worker list -o json", "budget list", "doctor", "db status")) {
            safe(line.split(" "));
        }
        safe("dead", "show", json("dead", "list").at("/0/job/id").asString());
        safe("run", "--", "cat", directory.resolve("evil.txt").toString());
        safe("run", "--", EVIL);
        safe(EVIL);
        safe("submit", "echo", "--" + EVIL);
        safe("submit", "echo", "--payload", EVIL);
        safe("job", "show", EVIL);
        safe("worker", "check", "--", "cat", directory.resolve("evil.txt").toString());
        try (Stream<Path> logs = Files.walk(directory.resolve(".heddle/logs")).filter(Files::isRegularFile)) {
            assertThat(logs).isNotEmpty()
                    .allSatisfy(log -> assertThat(Files.readString(log).replace("\n", "").replace("\t", ""))
                            .isEqualTo(SafeText.line(Files.readString(log).replace("\n", "").replace("\t", ""))));
        }
    }

    @Test
    void neverReachesATerminalFromABatch() {
        assertThat(safe("batch", "run", directory.resolve("batch.yaml").toString())).contains("1 failed");

        for (String line : List.of("batch list", "batch show evil", "batch results evil", "batch results evil --csv",
                "batch results evil -o json", "batch retry evil")) {
            assertThat(safe(line.split(" "))).isNotEmpty();
        }
        assertThat(inPipe("batch", "results", "evil", "--csv").out()).as("data for a script").contains(EVIL);
    }

    private JsonNode json(String... args) {
        return ControlJson
                .tree(inPipe(Stream.concat(Stream.of(args), Stream.of("-o", "json")).toArray(String[]::new)).out());
    }

    @Test
    void isUnchangedInAPipeAndOnRequest() {
        String id = submit("print", Map.of());

        assertThat(inPipe("job", "logs", id).out()).contains(EVIL);
        assertThat(inPipe("job", "logs", "--raw", id)).satisfies(answer -> {
            assertThat(answer.out()).isEqualTo(EVIL);
            assertThat(answer.err()).isEqualTo(EVIL);
        });
        assertThat(atTerminal("job", "logs", "--raw", id).out()).isEqualTo(EVIL);
        assertThat(json("submit", "echo", "--payload", ControlJson.write(EVIL), "--wait").path("result").asString())
                .isEqualTo(EVIL);
    }
}

package dev.heddle.cli.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.Main;
import dev.heddle.control.ControlJson;
import dev.heddle.testkit.ChildJvm;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code heddle batch} with the scripted agent of the examples, as a shell would start it. */
@Timeout(300)
class BatchRunTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @BeforeEach
    void writeBatch() throws IOException {
        units("title,mode\nalpha,ok\nbeta,ok\ngamma,fail\n");
        batch("Document {{title}}.");
    }

    private void units(String csv) throws IOException {
        Files.writeString(directory.resolve("units.csv"), csv);
    }

    private void batch(String prompt) throws IOException {
        Files.writeString(directory.resolve("batch.yaml"), """
                name: docs
                agent: claude
                program: [python3, %s]
                prompt: "%s\\nmode: {{mode}}\\n"
                units: units.csv
                workers: 2
                retries: 0
                env: {SCRIPT_LEDGER: %s, SCRIPT_PAUSE: "0.02"}
                """.formatted(Path.of("../examples/agents/agent.py").toAbsolutePath().normalize(), prompt,
                directory.resolve("ledger")));
    }

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString(), "PATH", System.getenv("PATH"))).call(args);
    }

    private JsonNode json(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("-o", "json"));
        return ControlJson.tree(call(all.toArray(String[]::new)).out());
    }

    /** Runs a batch in a child process whose output goes to a file. */
    private int run(String... args) {
        List<String> arguments = new ArrayList<>(List.of("--home", home().toString(), "batch", "run"));
        arguments.addAll(List.of(args));
        try (ChildJvm run = ChildJvm.startIn(List.of("sh", "-c", "exec \"$@\" > " + out() + " 2>&1", "sh"), Main.class,
                arguments.toArray(String[]::new))) {
            return run.exitCode(PATIENCE);
        }
    }

    private Path out() {
        return directory.resolve("out");
    }

    private String printed() {
        try {
            return Files.readString(out());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long starts() throws IOException {
        return Files.readAllLines(directory.resolve("ledger")).stream().filter(line -> line.contains(" start "))
                .count();
    }

    private String file() {
        return directory.resolve("batch.yaml").toString();
    }

    @Test
    void runsWithoutANodeAndTheSameCommandRunsTheRest() throws Exception {
        assertThat(run(file())).as(printed()).isEqualTo(1);
        assertThat(printed()).contains("2 of 3 done, 1 failed, $0.30");
        assertThat(starts()).isEqualTo(3);
        String id = json("batch", "list").at("/0/id").asString();
        assertThat(printed()).contains(id);
        assertThat(call("batch", "show", id).out()).contains("docs", "{\"title\":\"gamma\"", "the task cannot be done");
        assertThat(call("batch", "results", id, "--csv").out().lines()).hasSize(4).first().asString()
                .isEqualTo("title,mode,job,state,text,error,usd,tokens,session");
        assertThat(call("batch", "results", id).out().lines()).hasSize(3).first().asString()
                .contains("\"Done: Document alpha.");
        assertThat(json("job", "list", "--text", "document BETA")).hasSize(1);

        assertThat(run(file())).as(printed()).isEqualTo(1);
        assertThat(printed()).contains("2 of 3 units are already done", "2 of 3 done, 1 failed, $0.40");
        assertThat(starts()).isEqualTo(4);

        batch("Describe {{title}}.");
        assertThat(run(file())).as(printed()).isEqualTo(2);
        assertThat(printed()).contains("the template of batch 'docs' has changed", "--new");
        units("title,mode\nalpha,ok\n");
        assertThat(run(file(), "--new")).as(printed()).isZero();
        assertThat(starts()).isEqualTo(5);
        assertThat(run(file())).as("compared with the newest run").isZero();
        assertThat(printed()).contains("nothing to do: the unit is done");
    }

    @Test
    void triesOneUnitAndWaitsForApproval() throws Exception {
        units("title,mode\nalpha,ok\nbeta,ok\ngamma,ok\n");
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(run(file(), "--try", "1")).as(printed()).isZero();
            assertThat(printed()).contains("1 of 3 done", "run the rest with 'heddle batch approve docs'");
            assertThat(starts()).isEqualTo(1);
            String id = json("batch", "list").at("/0/id").asString();
            assertThat(call("batch", "list").out()).contains("APPROVAL");
            assertThat(call("batch", "approve", "docs").exit()).isZero();
            assertThat(call("job", "wait", id).exit()).isZero();
            assertThat(json("batch", "show", id).at("/counts/COMPLETED").asInt()).isEqualTo(3);
            assertThat(json("batch", "show", id).at("/usd").asDouble()).isEqualTo(0.30);
            String unit = json("job", "list", "--parent", id).at("/0/id").asString();
            assertThat(call("job", "show", unit).out()).contains("agent       claude", "cost        $0.10 (reported)",
                    "session");
            assertThat(call("job", "conversation", unit).out()).contains("▸ Bash", "done (success) $0.10");
            assertThat(json("job", "conversation", unit).at("/conversation/totals/cost/usd").asDouble()).isEqualTo(0.1);
            Path page = directory.resolve("page.html");
            assertThat(call("job", "conversation", unit, "--html", page.toString()).exit()).isZero();
            assertThat(page).content().startsWith("<!doctype html>").contains("step 3 is done");
            Answer nowhere = call("job", "conversation", unit, "--html", directory + "/none/page.html");
            assertThat(nowhere.err()).contains("no such directory: " + directory + "/none").hasLineCount(1);
            assertThat(nowhere.exit()).isEqualTo(3);
            Answer seventh = call("job", "conversation", unit, "--attempt", "7");
            assertThat(seventh.err()).contains("attempt 7").hasLineCount(1);
            assertThat(seventh.exit()).isEqualTo(3);
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    @Test
    void runsAgentTypesAndHoldsThemAtTheirBudget() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), """
                types:
                  review:
                    agent: claude
                    program: [python3, %s]
                    prompt: Review {{path}}.
                    retries: 0
                budgets:
                  type:review: {usd/24h: 0.15}
                  tag:docs: {usd/24h: 0}
                """.formatted(Path.of("../examples/agents/agent.py").toAbsolutePath().normalize()));
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            for (String path : List.of("a.java", "b.java")) {
                assertThat(call("submit", "review", "-p", "{\"path\":\"" + path + "\"}", "--wait").out())
                        .contains("Done: Review " + path + ".");
            }
            String held = call("submit", "review", "-p", "{\"path\":\"c.java\"}").out().strip();
            Awaitility.await().atMost(PATIENCE).until(() -> call("job", "show", held).out().contains("PAUSED"));
            assertThat(call("job", "show", held).out()).contains("$0.20 used of $0.15", "type:review");
            assertThat(call("budget", "list").out()).contains("type:review", "$0.20", "$0.15", "CLOSED");
            assertThat(call("budget", "set", "usd/24h", "-1").exit()).isEqualTo(2);
            assertThat(call("budget", "set", "usd/24h", "5", "--type", "review").exit()).isZero();
            assertThat(call("job", "wait", held).exit()).isZero();
            assertThat(call("job", "logs", held).out()).contains("Turn 3 on: Review c.java.");

            assertThat(call("batch", "run", file(), "--detach").exit()).isZero();
            Awaitility.await().atMost(PATIENCE).until(() -> call("batch", "show", "docs").out().contains("PAUSED"));
            assertThat(call("batch", "show", "docs").out()).contains("$0.00 used of $0.00", "tag:docs");
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    /** The example of the documentation, with a command and a webhook as callbacks. */
    @Test
    void callsCommandsAndWebhooksWhenUnitsEnd() throws Exception {
        Path example = Path.of("../examples/agents").toAbsolutePath().normalize();
        Files.copy(example.resolve("units.csv"), directory.resolve("units.csv"), StandardCopyOption.REPLACE_EXISTING);
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger calls = new AtomicInteger();
        hook.createContext("/", exchange -> {
            // Fails the first time.
            int status = calls.getAndIncrement() == 0 ? 503 : 204;
            if (status == 204) {
                bodies.add(exchange.getRequestHeaders().getFirst("webhook-signature") + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        hook.start();
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            Files.writeString(directory.resolve("batch.yaml"),
                    Files.readString(example.resolve("batch.yaml")).replace("agent.py",
                            example.resolve("agent.py").toString())
                            + """
                                    onUnitComplete: {command: [sh, -c, "cat > %s/part.$HEDDLE_JOB_ID; mv %s/part.$HEDDLE_JOB_ID %s/event.$HEDDLE_JOB_ID"]}
                                    onUnitFailed: {webhook: "http://127.0.0.1:%d/hook", secret: [s3cret, old], allowPrivate: true}
                                    """
                                    .formatted(directory, directory, directory, hook.getAddress().getPort()));
            assertThat(run(file())).as(printed()).isEqualTo(1);
            assertThat(printed()).contains("2 of 3 done, 1 failed, $0.30");
            Awaitility.await().atMost(PATIENCE)
                    .until(() -> CallbackEvents.in(directory).size() == 2 && bodies.size() == 1);
            assertThat(CallbackEvents.in(directory)).extracting(one -> one.at("/event").asString())
                    .containsOnly("onUnitComplete");
            assertThat(CallbackEvents.in(directory)).extracting(one -> one.at("/unit/unit/topic").asString())
                    .contains("looms");
            assertThat(bodies.getFirst()).matches("(?s)v1,\\S{44} v1,\\S{44} .*").contains("\"topic\":\"knots\"",
                    "the task cannot be done");
            assertThat(calls).hasValue(2);
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        } finally {
            hook.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            title,mode          | 2 | units.csv
            title,mode;a,ok,x   | 2 | units.csv:2: 3 values
            titel,mode;a,ok     | 2 | {{title}}
            """)
    void rejectsInvalidUnitsBeforeAnythingStarts(String csv, int exit, String message) throws Exception {
        units(csv.replace(';', '\n') + "\n");
        Answer answer = call("batch", "run", file());
        assertThat(answer.exit()).isEqualTo(exit);
        assertThat(answer.err()).contains(message).hasLineCount(1);
        assertThat(home()).doesNotExist();
    }

    @Test
    void rejectsAnInvalidFileBeforeAnythingStarts() throws Exception {
        String right = Files.readString(directory.resolve("batch.yaml"));
        for (var wrong : Map.of(right.replace("workers: 2", "budget: -1"), "budget must not be negative: -1",
                right.replace("workers: 2", "worker: 2"), "unknown key 'worker'; did you mean 'workers'?",
                right.replace("agent: claude", "agent: claud"), "'claud' is not an agent; did you mean 'claude'?",
                right.replace("units: units.csv", "units: units.txt"), "units.txt", right.replace("name: docs", ""),
                "the file has no name").entrySet()) {
            Files.writeString(directory.resolve("batch.yaml"), wrong.getKey());
            Answer answer = call("batch", "run", file());
            assertThat(answer.err()).contains(wrong.getValue()).hasLineCount(1);
            assertThat(answer.exit()).isEqualTo(2);
        }
        Files.writeString(directory.resolve("batch.yaml"), right.replace("python3", "no-such-agent"));
        Answer missing = call("batch", "run", file());
        assertThat(missing.err()).contains("no-such-agent");
        assertThat(missing.exit()).isEqualTo(3);
        Files.writeString(directory.resolve("batch.yaml"), right + "onUnitComplete: {command: [no-such-publisher]}\n");
        Answer callback = call("batch", "run", file());
        assertThat(callback.err()).contains("no-such-publisher");
        assertThat(callback.exit()).isEqualTo(3);
        assertThat(home()).doesNotExist();
    }

    @Test
    void namesAMissingFile() throws Exception {
        Answer batch = call("batch", "run", directory.resolve("none.yaml").toString());
        assertThat(batch.err()).contains("none.yaml does not exist").hasLineCount(1);
        assertThat(batch.exit()).isEqualTo(3);
        Files.delete(directory.resolve("units.csv"));
        Answer units = call("batch", "run", file());
        assertThat(units.err()).contains("units.csv does not exist").hasLineCount(1);
        assertThat(units.exit()).isEqualTo(3);
        assertThat(call("batch", "run", directory.toString()).err())
                .contains("cannot read " + directory + ": Is a directory").hasLineCount(1);
        assertThat(home()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --agent=claud     | --agent 'claud' is not an agent; did you mean 'claude'?
            --budget=abc      | invalid value for --budget: 'abc' is not a number;
            """)
    void namesTheInvalidOption(String option, String message) {
        List<String> line = new ArrayList<>(List.of("batch", "run", "--name=docs", "--units=units.csv"));
        List.of("--prompt=x", "--agent=claude").stream().filter(one -> !option.startsWith(one.split("=", 2)[0]))
                .forEach(line::add);
        line.add(option);
        Answer answer = call(line.toArray(String[]::new));
        assertThat(answer.err()).startsWith("heddle batch run: " + message).hasLineCount(1);
        assertThat(answer.exit()).isEqualTo(2);
    }
}

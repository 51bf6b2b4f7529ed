package dev.heddle.cli.command;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.serve.Daemon;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Terminal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract with a node that serves HTTP and runs the built-in types. */
class WithNodeTest extends SteerCommandContract {

    private @Nullable Daemon node;

    @BeforeEach
    void startNode() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "server: {port: 0}\nlog: {level: error}\n");
        PrintWriter discard = new PrintWriter(Writer.nullWriter());
        CliContext context = new CliContext(new CliOutput(discard, discard, Terminal.NONE),
                Map.of("HEDDLE_HOME", home().toString()), InputStream.nullInputStream());
        node = Daemon.start(context, context.options().nodeConfig());
    }

    @AfterEach
    void closeNode() {
        Objects.requireNonNull(node).close();
    }

    private Cli remote(String url, String token) {
        return new Cli(Map.of("HEDDLE_URL", url, "HEDDLE_TOKEN", token, "XDG_CONFIG_HOME", directory.toString()));
    }

    @Test
    void actsOnANodeElsewhere() throws Exception {
        String url = ((NodeStatus.Running) NodeStatus.of(new Home(home()))).node().address().toString();
        String token = ok("token create ci --role viewer");
        String id = submit("");
        assertThat(remote(url, token).call("job", "show", id).out()).contains("parked");
        assertThat(remote(url, token).call("whoami").out().strip()).isEqualTo("token:ci with the role viewer");
        Answer refused = remote(url, token).call("job", "cancel", id);
        assertThat(refused.exit()).isEqualTo(ExitCode.DENIED.code());
        assertThat(refused.err().strip())
                .isEqualTo("heddle job cancel: your token 'ci' is a viewer; this needs operator");
        Answer unknown = remote(url, "heddle_wrong").call("job", "list");
        assertThat(unknown.exit()).isEqualTo(ExitCode.DENIED.code());
        assertThat(unknown.err()).contains("the token is wrong, or was revoked");
    }

    @Test
    void logsInToANodeElsewhere() throws Exception {
        String url = ((NodeStatus.Running) NodeStatus.of(new Home(home()))).node().address().toString();
        Map<String, String> elsewhere = Map.of("XDG_CONFIG_HOME", directory.toString());
        String token = ok("token create ann --role operator");
        assertThat(new Cli(elsewhere).with("heddle_wrong\n").call("login", url).exit())
                .isEqualTo(ExitCode.DENIED.code());
        assertThat(directory.resolve("heddle/login")).doesNotExist();
        assertThat(new Cli(elsewhere).with(token + "\n").call("login", url).out().strip())
                .isEqualTo("logged in to " + url + " as token:ann with the role operator");
        assertThat(new Cli(elsewhere).call("whoami").out().strip()).isEqualTo("token:ann with the role operator");
        assertThat(new Cli(elsewhere).call("logout").err().strip()).endsWith("logged out");
        assertThat(directory.resolve("heddle/login")).doesNotExist();
        assertThat(new Cli(elsewhere).with("x\n").call("login", "http://192.0.2.1").err()).contains("--insecure");
    }

    @Test
    void waitsForAJobAndPrintsItsResult() {
        Answer answer = call("submit", "echo", "--payload", "{\"a\":[1]}", "--wait");
        assertThat(answer.exit()).isZero();
        assertThat(answer.out().strip()).isEqualTo("{\"a\":[1]}");
        assertThat(answer.err()).containsPattern("job \\S+ COMPLETED in ");
        JsonNode job = json("submit sleep --payload {\"seconds\":0} --wait");
        assertThat(job.at("/job/state").asString()).isEqualTo("COMPLETED");
        assertThat(job.at("/result/seconds").asDouble()).isZero();
    }

    @Test
    void printsEventsAsTheyHappen() throws Exception {
        CompletableFuture<Answer> events = CompletableFuture.supplyAsync(
                () -> call("events", "-n", "2", "--kind", "pause-queue,resume-queue", "-q", "mail", "-o", "jsonl"));
        await().until(() -> {
            ok("queue pause mail");
            ok("queue resume mail");
            return events.isDone();
        });
        assertThat(events.get().exit()).isZero();
        assertThat(events.get().out()).hasLineCount(2).contains("\"kind\":\"pause-queue\"", "\"queue\":\"mail\"");
    }

    @Test
    void masksSecretsUnlessToldToRevealThem() {
        String id = ok("submit parked --payload {\"password\":\"hunter2\"}");
        assertThat(ok("job show " + id)).contains("•••").doesNotContain("hunter2");
        assertThat(ok("job show " + id + " --reveal")).contains("hunter2");
    }

    @Test
    void keepsDeadLettersUntilTheyAreRetriedOrPurged() {
        Answer answer = call("submit", "fail", "--payload", "{\"category\":\"permanent\",\"message\":\"no way\"}",
                "--wait");
        assertThat(answer.exit()).isEqualTo(ExitCode.FAILED.code());
        assertThat(answer.err()).contains("FAILED: no way");
        String id = json("dead list").at("/0/job/id").asString();

        assertThat(ok("dead list")).contains(id).contains("no way");
        assertThat(ok("dead show " + id)).contains("failure     PERMANENT: no way");
        Answer retried = call("dead", "retry", "0000", id);
        assertThat(retried.exit()).isEqualTo(ExitCode.NOT_FOUND.code());
        // A worker may have taken it by the time it is shown.
        assertThat(retried.out().strip()).as("the other job is retried").startsWith(id + " ");
        assertThat(retried.err()).hasLineCount(1).contains("0000");
        await().until(() -> json("job show " + id).at("/job/attempt").asInt() == 2 && json("dead list").size() == 1);
        assertThat(ok("dead retry --type fail")).isEqualTo("1 queued again");
        await().until(() -> json("job show " + id).at("/job/attempt").asInt() == 3 && json("dead list").size() == 1);
        assertThat(ok("dead purge --type other")).isEqualTo("0 deleted");
        assertThat(ok("dead purge --all")).isEqualTo("1 deleted");
        assertThat(call("job", "show", id).exit()).isEqualTo(ExitCode.NOT_FOUND.code());
    }

    /** A retry by hand starts the count of failures again, not that of attempts. */
    @Test
    void countsFailuresAndNotAttemptsAgainstTheLimit() {
        String id = ok("submit fail --attempts 2 --payload {\"category\":\"permanent\"}");
        for (int attempt = 1; attempt <= 3; attempt++) {
            int number = attempt;
            await().until(() -> json("job show " + id).at("/job/attempt").asInt() == number
                    && json("dead list").size() == 1);
            assertThat(ok("job show " + id)).contains("attempt     " + attempt + " (1 of 2 failures, 0 crashes)");
            assertThat(ok("dead show " + id)).contains("attempts    " + attempt);
            ok("dead retry " + id);
        }
    }

    @Test
    @Timeout(180)
    void retriesAndPurgesEachDeadLetterOnceAcrossRequests() {
        String payload = "{\"category\":\"permanent\"}\n";
        assertThat(cli().with(payload.repeat(1_100)).call("submit", "fail", "--lines", "-").exit()).isZero();
        await().until(() -> json("stats").at("/dead").asInt() == 1_100);

        assertThat(ok("dead retry --all")).as("even if they fail again meanwhile").isEqualTo("1100 queued again");
        await().until(() -> json("stats").at("/dead").asInt() == 1_100);
        assertThat(json("dead list --limit 1050")).hasSize(1_050);
        assertThat(ok("dead purge --type fail")).isEqualTo("1100 deleted");
        assertThat(json("stats").at("/dead").asInt()).isZero();
    }

    @Test
    void showsWorkersAndNodes() {
        String id = ok("submit sleep --payload {\"seconds\":600}");
        await().until(() -> json("job show " + id).at("/job/state").asString().equals("RUNNING"));
        JsonNode workers = json("worker list");
        assertThat(workers).hasSize(4);
        String busy = workers.valueStream().filter(worker -> worker.at("/job").asString("").equals(id)).findFirst()
                .orElseThrow().at("/id").asString();
        assertThat(ok("worker list")).contains(id);
        assertThat(ok("worker show " + busy)).contains("BUSY", id);
        assertThat(json("node list").at("/0/self").asBoolean()).isTrue();
        assertThat(ok("stats")).contains("1 of 4 busy");
        ok("job cancel " + id);
    }

    @Test
    void followsTheLogOfAJobUntilItEnds() {
        String id = ok("submit fail --payload {\"category\":\"permanent\",\"message\":\"nope\"}");
        assertThat(ok("job logs -f " + id)).contains("nope");
        JsonNode lines = json("job logs " + id);
        assertThat(lines.valueStream().map(line -> line.at("/level").asString())).contains("WARN");
    }

    @Test
    void suggestsAKnownType() {
        Answer answer = call("submit", "ehco");
        assertThat(answer.exit()).as("another node may know it").isZero();
        assertThat(answer.err()).contains("'ehco'").contains("did you mean 'echo'?");
        assertThat(call("submit", "fail", "--session", "ada").err()).contains("'fail'").doesNotContain("did you mean");
    }

    @Test
    void rejectsAWrongToken() throws Exception {
        Files.writeString(home().resolve("token"), "wrong");
        Answer answer = call("job", "list");
        assertThat(answer.exit()).isEqualTo(ExitCode.DENIED.code());
        assertThat(answer.err()).startsWith("heddle job list: ").hasLineCount(1);
    }

    @Test
    void cannotMigrateWhileANodeRuns() {
        Answer answer = call("db", "migrate");
        assertThat(answer.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
        assertThat(answer.err()).contains("is in use").hasLineCount(1);
    }
}

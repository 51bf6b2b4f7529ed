package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.ControlJson;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What a batch can be made of, and what comes of it, where no node runs. */
@Timeout(300)
class BatchWorkTest {

    private static final int THOUSANDS = 20_000;

    @TempDir private Path directory;
    @SuppressWarnings("NullAway.Init") // before each test
    private BatchBench bench;

    @BeforeEach
    void makeBench() throws IOException {
        bench = new BatchBench(directory.toRealPath());
    }

    @Test
    void runsWithoutAFileAndGivesResultsAsJsonAndCsv() throws Exception {
        bench.file("units.jsonl", """
                {"title": "say \\"hi\\", twice", "mode": "ok", "pages": [1, 2]}
                {"title": "beta", "mode": "fail"}
                {"mode": "fail", "title": "beta"}
                """);
        assertThat(bench.runWithoutFile("--name", "docs", "--agent", "claude", "--units", "units.jsonl",
                "--prompt", "Document {{title}}.\nmode: {{mode}}", "--workers", "1", "--retries", "0",
                "--program", "python3", "--program", BatchBench.agent())).as(bench.said()).isEqualTo(1);
        assertThat(bench.said()).contains("1 of the units is there twice, and runs once",
                "1 of 2 done, 1 failed, $0.20", "'heddle batch show docs' says why");

        List<JsonNode> results = bench.call("batch", "results", "docs").out().lines().map(ControlJson::tree)
                .toList();
        assertThat(results).hasSize(2);
        assertThat(results.getFirst().at("/unit/pages/1").asInt()).isEqualTo(2);
        assertThat(results.getFirst().at("/result/text").asString()).startsWith("Done: Document say \"hi\",");
        assertThat(results.getLast().at("/state").asString()).isEqualTo("FAILED");
        assertThat(results.getLast().at("/error").asString()).contains("the task cannot be done");
        List<String> csv = bench.call("batch", "results", "docs", "--csv").out().lines().toList();
        assertThat(csv).hasSize(3);
        assertThat(csv.getFirst()).isEqualTo("title,mode,pages,job,state,text,error,usd,tokens,session");
        assertThat(csv.get(1)).startsWith("\"say \"\"hi\"\", twice\",ok,\"[1,2]\",")
                .contains(",COMPLETED,\"Done: Document say \"\"hi\"\", twice. mode: ok\",,0.1,");
        assertThat(csv.get(2)).startsWith("beta,fail,,").contains(",FAILED,,claude failed");

        Answer unknown = bench.call("batch", "show", "dosc");
        assertThat(unknown.exit()).isEqualTo(3);
        assertThat(unknown.err()).contains("no batch is called 'dosc'", "there are docs").hasLineCount(1);
    }

    /** Each looks for a file that its unit names. */
    private void commands(String... names) throws IOException {
        bench.file("units.csv", "name\n" + String.join("\n", names) + "\n").file("batch.yaml", """
                name: docs
                command: [test, -e, "{{name}}"]
                units: units.csv
                retries: 0
                """);
    }

    @Test
    void runsCommandsAndTriesWhatFailedAgain() throws Exception {
        commands("a", "b", "c");
        assertThat(bench.run()).as(bench.said()).isEqualTo(1);
        assertThat(bench.said()).contains("heddle: 0 of 3 done, 3 failed\n");

        bench.file("a", "").file("b", "");
        Answer retried = bench.call("batch", "retry", "docs");
        assertThat(retried.out()).isEqualTo("3 units are queued again\n");
        assertThat(retried.err()).contains("the same 'heddle batch run' goes on with them");
        assertThat(bench.json("batch", "show", "docs").at("/state").asString()).isEqualTo("WAITING");
        assertThat(bench.run()).as(bench.said()).isEqualTo(1);
        assertThat(bench.said()).contains("goes on: ", "2 of 3 done, 1 failed");
        assertThat(bench.json("batch", "list")).as("it is the same batch").hasSize(1);

        bench.file("c", "");
        String failed = bench.json("job", "list", "--state", "FAILED").at("/0/id").asString();
        try (ServedNode node = ServedNode.start(bench.home()).awaitListening()) {
            assertThat(bench.call("job", "retry", failed).exit()).isZero();
            assertThat(bench.call("job", "wait", failed).exit()).isZero();
            assertThat(bench.json("batch", "show", "docs").at("/counts/COMPLETED").asInt()).isEqualTo(3);
            assertThat(bench.run()).as(bench.said()).isZero();
            assertThat(bench.said()).contains("all 3 units are done already; --new runs them again");
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    @Test
    void triesOneUnitAndRunsTheRestOnceApproved() throws Exception {
        bench.agents("alpha,ok\nbeta,ok\ngamma,ok\n");
        assertThat(bench.run("--try", "1")).as(bench.said()).isZero();
        assertThat(bench.said()).contains("1 of 3 done, $0.10, the rest waits for approval",
                "'heddle batch approve docs' lets the rest run");
        assertThat(bench.run()).as("not approved yet").isZero();
        assertThat(bench.count("start")).isEqualTo(1);
        assertThat(bench.call("batch", "approve", "docs").err()).contains("no node is running here");
        assertThat(bench.run()).as(bench.said()).isZero();
        assertThat(bench.said()).contains("goes on: ", "3 of 3 done, $0.30");
        assertThat(bench.count("start")).isEqualTo(3);
        assertThat(bench.call("batch", "approve", "docs").err())
                .contains("none of its units waited for that");
    }

    /** The job of a batch stays small; its units come from a file, all of them or none, however often it is killed. */
    @Test
    void hasThousandsOfUnitsEachOnceWhenItIsKilledWhileItBegins() throws Exception {
        Random random = Torture.random("BatchWorkTest");
        bench.file("units.csv", IntStream.range(0, THOUSANDS)
                .mapToObj(i -> i + ",a row that is long enough for all of them to be over a megabyte")
                .collect(Collectors.joining("\n", "name,text\n", "\n")))
                .file("batch.yaml", """
                        name: docs
                        command: [test, "{{name}}", = , "0"]
                        units: units.csv
                        retries: 0
                        """);
        assertThat(Files.size(directory.resolve("units.csv"))).isGreaterThan(1_000_000);
        for (int kill = 0; kill < 2; kill++) {
            try (ChildJvm run = bench.start("--try", "1")) {
                Awaitility.await().atMost(BatchBench.PATIENCE)
                        .until(() -> Files.exists(bench.home().resolve("batches")));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
                run.kill();
            }
        }
        assertThat(bench.run("--try", "1")).as(bench.said()).isZero();
        assertThat(bench.said()).contains("1 of " + THOUSANDS + " done, the rest waits for approval");
        assertThat(bench.call("batch", "results", "docs").out().lines()
                .map(line -> ControlJson.tree(line).at("/unit/name").asInt())).hasSize(THOUSANDS)
                .doesNotHaveDuplicates();
        JsonNode batch = bench.json("batch", "list");
        assertThat(batch).hasSize(1);
        assertThat(bench.json("job", "show", "%s".formatted(batch.at("/0/id").asString())).at("/payload")
                .toString()).hasSizeLessThan(1_000);
    }
}

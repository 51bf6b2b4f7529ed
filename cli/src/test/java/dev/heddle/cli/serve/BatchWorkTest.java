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

/** Batches without a running node: definitions, results, retries and approval. */
@Timeout(300)
class BatchWorkTest {

    private static final int THOUSANDS = 20_000;

    @TempDir
    private Path directory;
    @SuppressWarnings("NullAway.Init") // before each test
    private BatchFixture fixture;

    @BeforeEach
    void createFixture() throws IOException {
        fixture = new BatchFixture(directory.toRealPath());
    }

    @Test
    void runsWithoutAFileAndPrintsResultsAsJsonAndCsv() throws Exception {
        fixture.file("units.jsonl", """
                {"title": "say \\"hi\\", twice", "mode": "ok", "pages": [1, 2]}
                {"title": "beta", "mode": "fail"}
                {"mode": "fail", "title": "beta"}
                """);
        assertThat(fixture.runWithoutFile("--name", "docs", "--agent", "claude", "--units", "units.jsonl", "--prompt",
                "Document {{title}}.\nmode: {{mode}}", "--workers", "1", "--retries", "0", "--program", "python3",
                "--program", BatchFixture.agent())).as(fixture.printed()).isEqualTo(1);
        assertThat(fixture.printed()).contains("ignoring 1 duplicate unit\n", "1 of 2 done, 1 failed, $0.20",
                "see why with 'heddle batch show docs'");

        assertThat(fixture.printed()).contains("heddle: FAILED: 1 of 2 done, 1 failed");
        assertThat(fixture.call("batch", "show", "docs")).satisfies(shown -> {
            assertThat(shown.exit()).isEqualTo(1);
            assertThat(shown.out().lines().toList().get(1)).contains(" FAILED ");
            assertThat(shown.err()).contains("FAILED: 1 of 2 done, 1 failed");
        });
        assertThat(fixture.json("batch", "list").at("/0/state").asString()).isEqualTo("FAILED");

        List<JsonNode> results = fixture.call("batch", "results", "docs").out().lines().map(ControlJson::tree).toList();
        assertThat(results).hasSize(2);
        assertThat(results.getFirst().at("/unit/pages/1").asInt()).isEqualTo(2);
        assertThat(results.getFirst().at("/result/text").asString()).startsWith("Done: Document say \"hi\",");
        assertThat(results.getLast().at("/state").asString()).isEqualTo("FAILED");
        assertThat(results.getLast().at("/error").asString()).contains("the task cannot be done");
        List<String> csv = fixture.call("batch", "results", "docs", "--csv").out().lines().toList();
        assertThat(csv).hasSize(3);
        assertThat(csv.getFirst()).isEqualTo("title,mode,pages,job,state,text,error,usd,tokens,session");
        assertThat(csv.get(1)).startsWith("\"say \"\"hi\"\", twice\",ok,\"[1,2]\",")
                .contains(",COMPLETED,\"Done: Document say \"\"hi\"\", twice. mode: ok\",,0.1,");
        assertThat(csv.get(2)).startsWith("beta,fail,,").contains(",FAILED,,claude failed");

        Answer unknown = fixture.call("batch", "show", "dosc");
        assertThat(unknown.exit()).isEqualTo(3);
        assertThat(unknown.err()).contains("'dosc'", "docs").hasLineCount(1);
    }

    /** Writes a batch whose units succeed if the file they name exists. */
    private void commands(String... names) throws IOException {
        fixture.file("units.csv", "name\n" + String.join("\n", names) + "\n").file("batch.yaml", """
                name: docs
                command: [test, -e, "{{name}}"]
                units: units.csv
                retries: 0
                """);
    }

    @Test
    void runsCommandsAndRetriesFailedUnits() throws Exception {
        commands("a", "b", "c");
        assertThat(fixture.run()).as(fixture.printed()).isEqualTo(1);
        assertThat(fixture.printed()).contains("heddle: FAILED: 0 of 3 done, 3 failed\n");

        fixture.file("a", "").file("b", "");
        Answer retried = fixture.call("batch", "retry", "docs");
        assertThat(retried.out()).isEqualTo("3 units queued again\n");
        assertThat(retried.err()).contains("repeat 'heddle batch run' to continue the batch");
        assertThat(fixture.json("batch", "show", "docs").at("/state").asString()).isEqualTo("WAITING");
        assertThat(fixture.run()).as(fixture.printed()).isEqualTo(1);
        assertThat(fixture.printed()).contains("resuming: ", "2 of 3 done, 1 failed");
        assertThat(fixture.json("batch", "list")).as("same batch").hasSize(1);

        fixture.file("c", "");
        String failed = fixture.json("job", "list", "--state", "FAILED").at("/0/id").asString();
        try (ServedNode node = ServedNode.start(fixture.home()).awaitListening()) {
            assertThat(fixture.call("job", "retry", failed).exit()).isZero();
            assertThat(fixture.call("job", "wait", failed).exit()).isZero();
            assertThat(fixture.json("batch", "show", "docs").at("/counts/COMPLETED").asInt()).isEqualTo(3);
            assertThat(fixture.run()).as(fixture.printed()).isZero();
            assertThat(fixture.printed()).contains("nothing to do: all 3 units are done; use --new to run again");
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    @Test
    void runsTheRestAfterApproval() throws Exception {
        fixture.agents("alpha,ok\nbeta,ok\ngamma,ok\n");
        assertThat(fixture.run("--try", "1")).as(fixture.printed()).isZero();
        assertThat(fixture.printed()).contains("1 of 3 done, $0.10, waiting for approval",
                "run the rest with 'heddle batch approve docs'");
        assertThat(fixture.run()).as("not approved yet").isZero();
        assertThat(fixture.count("start")).isEqualTo(1);
        assertThat(fixture.call("batch", "approve", "docs").err()).contains("no node is running; repeat");
        assertThat(fixture.run()).as(fixture.printed()).isZero();
        assertThat(fixture.printed()).contains("resuming: ", "3 of 3 done, $0.30");
        assertThat(fixture.count("start")).isEqualTo(3);
        assertThat(fixture.call("batch", "approve", "docs").err()).contains("nothing was waiting for approval");
    }

    /** Units are stored in a file, not in the payload of the job, so a kill never leaves a part of them. */
    @Test
    void storesThousandsOfUnitsOnceIfKilledAtTheStart() throws Exception {
        Random random = Torture.random("BatchWorkTest");
        fixture.file("units.csv",
                IntStream.range(0, THOUSANDS)
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
            try (ChildJvm run = fixture.start("--try", "1")) {
                Awaitility.await().atMost(BatchFixture.PATIENCE)
                        .until(() -> Files.exists(fixture.home().resolve("batches")));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
                run.kill();
            }
        }
        assertThat(fixture.run("--try", "1")).as(fixture.printed()).isZero();
        assertThat(fixture.printed()).contains("1 of " + THOUSANDS + " done, waiting for approval");
        assertThat(fixture.call("batch", "results", "docs").out().lines()
                .map(line -> ControlJson.tree(line).at("/unit/name").asInt())).hasSize(THOUSANDS)
                .doesNotHaveDuplicates();
        JsonNode batch = fixture.json("batch", "list");
        assertThat(batch).hasSize(1);
        assertThat(fixture.json("job", "show", "%s".formatted(batch.at("/0/id").asString())).at("/payload").toString())
                .hasSizeLessThan(1_000);
    }
}

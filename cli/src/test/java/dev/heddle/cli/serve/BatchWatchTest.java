package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import dev.heddle.cli.Cli.Answer;
import dev.heddle.testkit.ChildJvm;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Somebody watches a batch, stops watching, and comes back. */
@Timeout(300)
class BatchWatchTest {

    private static final String WIPE = "\r\u001b[K";

    @TempDir private Path directory;
    @SuppressWarnings("NullAway.Init") // before each test
    private BatchBench bench;

    @BeforeEach
    void makeBench() throws IOException {
        bench = new BatchBench(directory.toRealPath());
    }

    private void awaitSaid(Pattern wanted) {
        Awaitility.await("for " + wanted).atMost(BatchBench.PATIENCE)
                .until(() -> wanted.matcher(bench.said()).find());
    }

    @Test
    void drawsABarAtATerminalAndWipesItInTheEnd() throws Exception {
        bench.agents("alpha,ok\nbeta,wait\n", "workers: 2");
        try (ChildJvm run = bench.startAtTerminal(100)) {
            awaitSaid(Pattern
                    .compile(Pattern.quote(WIPE)
                            + "█{12}░{12} 50% 1 of 2 done, 1 running, (\\S+ left, )?\\$0\\.10"));
            bench.openGate();
            assertThat(run.exitCode(BatchBench.PATIENCE)).as(bench.said()).isZero();
        }
        assertThat(bench.said()).contains(WIPE + "heddle: 2 of 2 done, $0.20\n");
        for (String drawn : bench.said().split(Pattern.quote(WIPE), -1)) {
            assertThat(drawn.lines().findFirst().orElse("")).hasSizeLessThan(100);
        }
    }

    @Test
    void followsAConversationToItsEnd() throws Exception {
        bench.agents("alpha,wait\n");
        try (ChildJvm run = bench.start()) {
            bench.await("start", 1);
            // An agent may start before the start of its job is written.
            String unit = Awaitility.await().atMost(BatchBench.PATIENCE).until(
                    () -> bench.json("job", "list", "--state", "RUNNING").at("/0/id").asString(),
                    id -> !id.isEmpty());
            CompletableFuture<Answer> following = CompletableFuture
                    .supplyAsync(() -> bench.call("job", "conversation", unit, "-f"));
            Awaitility.await().atMost(BatchBench.PATIENCE)
                    .until(() -> bench.call("job", "conversation", unit).out().contains("step 1 is done"));
            assertThat(following).as("the agent has not ended").isNotDone();
            assertThat(bench.call("job", "conversation", unit).out()).doesNotContain("Turn 2");
            bench.openGate();
            assertThat(following.join().exit()).isZero();
            assertThat(following.join().out()).contains("Turn 1 on: Document alpha.", "▸ Bash",
                    "Turn 3 on: Document alpha.", "done (success) $0.10");
            assertThat(run.exitCode(BatchBench.PATIENCE)).as(bench.said()).isZero();
        }
        // One that takes long says every now and then how far it is.
        assertThat(bench.said().lines().filter(line -> !line.startsWith("heddle: 0 of 1 done")))
                .as("no bar where nobody watches").hasSize(2)
                .last().asString().isEqualTo("heddle: 1 of 1 done, $0.10");
    }

    @Test
    void closesAtCtrlCAndTheSameCommandGoesOn() throws Exception {
        bench.agents("alpha,wait\nbeta,wait\ngamma,ok\n", "workers: 2");
        try (ChildJvm run = bench.start()) {
            bench.await("start", 2);
            new ProcessBuilder("kill", "-INT", String.valueOf(run.pid())).start().waitFor();
            assertThat(run.exitCode(BatchBench.PATIENCE)).as(bench.said()).isEqualTo(130);
        }
        assertThat(bench.said())
                .contains("agents that run go on by themselves; the same command goes on with the batch");
        assertThat(bench.count("end")).isZero();
        assertThat(bench.json("batch", "list").at("/0/state").asString()).isEqualTo("WAITING");
        bench.openGate();
        bench.await("end", 2);

        assertThat(bench.run()).as(bench.said()).isZero();
        assertThat(bench.said()).contains("goes on: ", "heddle: 3 of 3 done, $0.30");
        assertThat(bench.count("start")).as("nothing was paid for twice").isEqualTo(3);
        assertThat(bench.json("batch", "list")).hasSize(1);
        Awaitility.await("nothing is left running").atMost(BatchBench.PATIENCE)
                .untilAsserted(() -> assertThat(bench.processes()).isEmpty());
    }
}

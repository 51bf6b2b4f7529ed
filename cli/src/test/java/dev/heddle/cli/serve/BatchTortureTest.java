package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code heddle batch run}, killed with SIGKILL again and again while its agents work, eight at a time. */
@Timeout(600)
class BatchTortureTest {

    @TempDir private Path directory;

    @Test
    void everyAgentRunsToItsEndOnceAndCostsWhatItSaid() throws Exception {
        Random random = Torture.random("BatchTortureTest");
        int units = Torture.rounds(24, 200);
        int kills = Torture.rounds(2, 10);
        BatchBench bench = new BatchBench(directory.toRealPath());
        bench.agents(IntStream.rangeClosed(1, units).mapToObj(i -> "unit " + i + ",ok\n")
                .collect(Collectors.joining()), "workers: 8", "arguments: [--script-pause=0.4]");
        long before = 0;
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm run = bench.start()) {
                bench.await("start", Math.min(before + 1, units));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_200));
                run.kill();
            }
            before = bench.count("start");
        }
        assertThat(bench.run()).as(bench.said()).isZero();

        assertThat(bench.count("start")).as("starts").isEqualTo(units);
        assertThat(bench.count("end")).as("ends").isEqualTo(units);
        JsonNode batch = bench.json("batch", "show", "docs");
        assertThat(batch.at("/counts/COMPLETED").asInt()).isEqualTo(units);
        assertThat(batch.at("/usd").decimalValue()).isEqualByComparingTo(units + "e-1");
        Awaitility.await("nothing is left running").atMost(BatchBench.PATIENCE)
                .untilAsserted(() -> assertThat(bench.processes()).isEmpty());
        System.out.println("BatchTortureTest: " + kills + " kills, " + units + " units, " + before
                + " of them started before the last run");
    }
}

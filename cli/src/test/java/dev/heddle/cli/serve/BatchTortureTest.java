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

/** Kills {@code heddle batch run} repeatedly with SIGKILL while eight agents run at a time. */
@Timeout(600)
class BatchTortureTest {

    @TempDir
    private Path directory;

    @Test
    void runsEveryAgentOnceDespiteKills() throws Exception {
        Random random = Torture.random("BatchTortureTest");
        int units = Torture.rounds(24, 200);
        int kills = Torture.rounds(2, 10);
        BatchFixture fixture = new BatchFixture(directory.toRealPath());
        fixture.agents(
                IntStream.rangeClosed(1, units).mapToObj(i -> "unit " + i + ",ok\n").collect(Collectors.joining()),
                "workers: 8", "arguments: [--script-pause=0.4]");
        long before = 0;
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm run = fixture.start()) {
                fixture.await("start", Math.min(before + 1, units));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_200));
                run.kill();
            }
            before = fixture.count("start");
        }
        assertThat(fixture.run()).as(fixture.printed()).isZero();

        assertThat(fixture.count("start")).as("starts").isEqualTo(units);
        assertThat(fixture.count("end")).as("ends").isEqualTo(units);
        JsonNode batch = fixture.json("batch", "show", "docs");
        assertThat(batch.at("/counts/COMPLETED").asInt()).isEqualTo(units);
        assertThat(batch.at("/usd").decimalValue()).isEqualByComparingTo(units + "e-1");
        Awaitility.await("nothing is left running").atMost(BatchFixture.PATIENCE)
                .untilAsserted(() -> assertThat(fixture.processes()).isEmpty());
        System.out.println("BatchTortureTest: " + kills + " kills, " + units + " units, " + before
                + " of them started before the last run");
    }
}

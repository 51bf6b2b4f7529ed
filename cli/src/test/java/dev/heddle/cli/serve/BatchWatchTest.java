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

/** The progress of a batch on a terminal, following an agent, and resuming after Ctrl-C. */
@Timeout(300)
class BatchWatchTest {

    private static final String ERASE = "\r\u001b[K";

    @TempDir
    private Path directory;
    @SuppressWarnings("NullAway.Init") // before each test
    private BatchFixture fixture;

    @BeforeEach
    void createFixture() throws IOException {
        fixture = new BatchFixture(directory.toRealPath());
    }

    private void awaitPrinted(Pattern wanted) {
        Awaitility.await("for " + wanted).atMost(BatchFixture.PATIENCE)
                .until(() -> wanted.matcher(fixture.printed()).find());
    }

    @Test
    void drawsAProgressBarOnATerminalAndErasesIt() throws Exception {
        fixture.agents("alpha,ok\nbeta,wait\n", "workers: 2");
        try (ChildJvm run = fixture.startAtTerminal(100)) {
            awaitPrinted(Pattern
                    .compile(Pattern.quote(ERASE) + "█{12}░{12} 50% 1 of 2 done, 1 running, (\\S+ left, )?\\$0\\.10"));
            fixture.openGate();
            assertThat(run.exitCode(BatchFixture.PATIENCE)).as(fixture.printed()).isZero();
        }
        assertThat(fixture.printed()).contains(ERASE + "heddle: 2 of 2 done, $0.20\n");
        for (String drawn : fixture.printed().split(Pattern.quote(ERASE), -1)) {
            assertThat(drawn.lines().findFirst().orElse("")).hasSizeLessThan(100);
        }
    }

    @Test
    void followsAConversationToItsEnd() throws Exception {
        fixture.agents("alpha,wait\n");
        try (ChildJvm run = fixture.start()) {
            fixture.await("start", 1);
            // The agent may start before the RUNNING state is stored.
            String unit = Awaitility.await().atMost(BatchFixture.PATIENCE).until(
                    () -> fixture.json("job", "list", "--state", "RUNNING").at("/0/id").asString(),
                    id -> !id.isEmpty());
            CompletableFuture<Answer> following = CompletableFuture
                    .supplyAsync(() -> fixture.call("job", "conversation", unit, "-f"));
            Awaitility.await().atMost(BatchFixture.PATIENCE)
                    .until(() -> fixture.call("job", "conversation", unit).out().contains("step 1 is done"));
            assertThat(following).as("the agent has not ended").isNotDone();
            assertThat(fixture.call("job", "conversation", unit).out()).doesNotContain("Turn 2");
            fixture.openGate();
            assertThat(following.join().exit()).isZero();
            assertThat(following.join().out()).contains("Turn 1 on: Document alpha.", "▸ Bash",
                    "Turn 3 on: Document alpha.", "done (success) $0.10");
            assertThat(run.exitCode(BatchFixture.PATIENCE)).as(fixture.printed()).isZero();
        }
        // A slow run also prints progress lines.
        assertThat(fixture.printed().lines().filter(line -> !line.startsWith("heddle: 0 of 1 done")))
                .as("no progress bar without a terminal").hasSize(2).last().asString()
                .isEqualTo("heddle: 1 of 1 done, $0.10");
    }

    @Test
    void stopsOnCtrlCAndResumesWithTheSameCommand() throws Exception {
        fixture.agents("alpha,wait\nbeta,wait\ngamma,ok\n", "workers: 2");
        try (ChildJvm run = fixture.start()) {
            fixture.await("start", 2);
            new ProcessBuilder("kill", "-INT", String.valueOf(run.pid())).start().waitFor();
            assertThat(run.exitCode(BatchFixture.PATIENCE)).as(fixture.printed()).isEqualTo(130);
        }
        assertThat(fixture.printed()).contains("running agents continue; repeat the command to resume the batch");
        assertThat(fixture.count("end")).isZero();
        assertThat(fixture.json("batch", "list").at("/0/state").asString()).isEqualTo("WAITING");
        fixture.openGate();
        fixture.await("end", 2);

        assertThat(fixture.run()).as(fixture.printed()).isZero();
        assertThat(fixture.printed()).contains("resuming: ", "heddle: 3 of 3 done, $0.30");
        assertThat(fixture.count("start")).as("no unit ran twice").isEqualTo(3);
        assertThat(fixture.json("batch", "list")).hasSize(1);
        Awaitility.await("nothing is left running").atMost(BatchFixture.PATIENCE)
                .untilAsserted(() -> assertThat(fixture.processes()).isEmpty());
    }
}

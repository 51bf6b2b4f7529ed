package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills a node again and again while it works. */
class KillTest {

    @TempDir
    private Path directory;

    @Test
    void losesNothingThatWasAcknowledgedWhenItsProcessIsKilled() throws Exception {
        Random random = Torture.random("KillTest");
        int kills = Torture.rounds(20, 500);
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm child = start("load", random.nextLong())) {
                // Sometimes right after the start, and mostly while it works, however slow it is.
                String moment = random.nextInt(4) == 0 ? "READY" : "BUSY";
                child.awaitLine(moment::equals);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
                child.kill();
            }
        }
        try (ChildJvm child = start("drain", 0)) {
            assertThat(child.exitCode(Duration.ofMinutes(3))).isZero();
            assertThat(child.lines()).contains("DRAINED");
        }

        List<String[]> log = log();
        try (SqliteStore store = SqliteStore.at(directory.resolve("jobs.db"))) {
            int acknowledged = checkJobs(store, log);
            System.out.println("KillTest: " + kills + " kills, " + acknowledged + " acknowledged jobs, " + log.size()
                    + " log lines");
            assertThat(acknowledged).as("acknowledged jobs").isGreaterThan(kills);
            assertThat(store.checkCounts(false)).as("wrong counts").isEmpty();
        }
        checkSteps(log);
        checkCheckpoints(log);
    }

    private ChildJvm start(String mode, long seed) {
        return ChildJvm.start(KillWorkload.class, directory.resolve("jobs.db").toString(),
                directory.resolve("log").toString(), Long.toString(seed), mode);
    }

    private List<String[]> log() throws IOException {
        List<String[]> lines = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("log"))) {
            lines.add(line.split(" "));
        }
        return lines;
    }

    /** Checks that every acknowledged job exists, has ended, and has exactly one accepted result. */
    private static int checkJobs(SqliteStore store, List<String[]> log) {
        int acknowledged = 0;
        for (String[] line : log) {
            if (line[0].equals("ack")) {
                acknowledged++;
                JobDetails story = store.details(JobId.of(line[1]))
                        .orElseThrow(() -> new AssertionError("lost: " + line[1]));
                long accepted = story.attempts().stream().filter(a -> a.end() == Attempt.End.COMPLETED).count();
                boolean orphaned = line[2].equals("careful") && story.job().state() == JobState.FAILED;
                if (orphaned) {
                    assertThat(story.job().reason().orElseThrow()).startsWith("orphaned");
                    assertThat(accepted).isZero();
                } else {
                    assertThat(story.job().state()).as("%s", story).isEqualTo(JobState.COMPLETED);
                    assertThat(accepted).as("%s", story).isEqualTo(1);
                }
            }
        }
        return acknowledged;
    }

    private static void checkSteps(List<String[]> log) {
        Set<String> done = new HashSet<>();
        for (String[] line : log) {
            if (line[0].equals("done")) {
                done.add(line[1] + line[2]);
            } else if (line[0].equals("run")) {
                assertThat(done).as("step %s of job %s ran again after it was committed", line[2], line[1])
                        .doesNotContain(line[1] + line[2]);
            }
        }
        assertThat(done).isNotEmpty();
    }

    private static void checkCheckpoints(List<String[]> log) {
        Map<String, Integer> saved = new HashMap<>();
        for (String[] line : log) {
            if (line[0].equals("saved")) {
                saved.merge(line[1], Integer.valueOf(line[2]), Math::max);
            } else if (line[0].equals("from")) {
                assertThat(Integer.parseInt(line[2])).as("job %s starts from a checkpoint that was saved", line[1])
                        .isGreaterThanOrEqualTo(saved.getOrDefault(line[1], 0));
            }
        }
        assertThat(saved).isNotEmpty();
    }
}

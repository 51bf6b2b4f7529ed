package dev.heddle.agent;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.budget.Spend;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A node is killed again and again while eight of its agents work. */
class AgentTortureTest {

    private static final int WORKERS = 8;

    @TempDir
    private Path home;

    @Test
    void everyAgentRunsExactlyOnceAndCostsWhatItReported() throws Exception {
        Random random = Torture.random("AgentTortureTest");
        int units = Torture.rounds(24, 200);
        int kills = Torture.rounds(3, 10);
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm node = ChildJvm.start(AgentNode.class, home.toString(), "" + WORKERS, "" + units)) {
                node.awaitLine("open"::equals);
                if (kill == kills - 1) {
                    // The last kill hits a running agent, however slow the machine is.
                    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> AgentFixture.count(home, "start") > 0);
                }
                // A random moment, which is the point of this test: no condition to wait for.
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
                node.kill();
            }
        }
        long before = AgentFixture.count(home, "start");
        try (AgentFixture fixture = new AgentFixture(home, WORKERS, AgentFixture.scripted(home))) {
            Awaitility.await().atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(200))
                    .until(() -> jobs(fixture, units).stream().allMatch(job -> job.state().isFinal()));
            assertThat(jobs(fixture, units)).hasSize(units).extracting(Job::state).containsOnly(JobState.COMPLETED);
            assertThat(fixture.store.spentSince(Instant.EPOCH).stream().map(Spend::usd).reduce(BigDecimal.ZERO,
                    BigDecimal::add)).isEqualByComparingTo(new BigDecimal("0.10").multiply(BigDecimal.valueOf(units)));
        }
        assertThat(AgentFixture.count(home, "start")).as("starts").isEqualTo(units);
        assertThat(AgentFixture.count(home, "end")).as("ends").isEqualTo(units);
        assertThat(AgentFixture.maxConcurrent(home)).as("at once").isLessThanOrEqualTo(WORKERS);
        assertThat(ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(home.toString())))
                .as("left running").isEmpty();
        System.out.println("AgentTortureTest: " + kills + " kills, " + units + " units, " + before
                + " of them started before the last node");
        assertThat(before).as("the kills hit something").isPositive();
    }

    private static List<Job> jobs(AgentFixture fixture, int units) {
        return fixture.pool.admin().list(JobQuery.all().limit(units + 1));
    }
}

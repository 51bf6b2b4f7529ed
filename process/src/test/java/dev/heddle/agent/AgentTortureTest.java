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

/** A node that is killed again and again while its agents work, eight at a time. */
class AgentTortureTest {

    private static final int WORKERS = 8;

    @TempDir private Path home;

    @Test
    void everyAgentRunsToItsEndOnceAndCostsWhatItSaid() throws Exception {
        Random random = Torture.random("AgentTortureTest");
        int units = Torture.rounds(24, 200);
        int kills = Torture.rounds(3, 10);
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm node = ChildJvm.start(AgentNode.class, home.toString(), "" + WORKERS, "" + units)) {
                node.awaitLine("open"::equals);
                if (kill == kills - 1) {
                    // The last one hits something, however slow the machine is.
                    Awaitility.await().atMost(Duration.ofMinutes(1))
                            .until(() -> AgentBench.count(home, "start") > 0);
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
                node.kill();
            }
        }
        long before = AgentBench.count(home, "start");
        try (AgentBench bench = new AgentBench(home, WORKERS, AgentBench.scripted(home))) {
            Awaitility.await().atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(200))
                    .until(() -> jobs(bench, units).stream().allMatch(job -> job.state().isFinal()));
            assertThat(jobs(bench, units)).hasSize(units).extracting(Job::state)
                    .containsOnly(JobState.COMPLETED);
            assertThat(bench.store.spentSince(Instant.EPOCH).stream().map(Spend::usd).reduce(BigDecimal.ZERO,
                    BigDecimal::add))
                    .isEqualByComparingTo(new BigDecimal("0.10").multiply(BigDecimal.valueOf(units)));
        }
        assertThat(AgentBench.count(home, "start")).as("starts").isEqualTo(units);
        assertThat(AgentBench.count(home, "end")).as("ends").isEqualTo(units);
        assertThat(AgentBench.most(home)).as("at once").isLessThanOrEqualTo(WORKERS);
        assertThat(ProcessHandle.allProcesses().filter(process -> process.info().commandLine().orElse("")
                .contains(home.toString()))).as("left running").isEmpty();
        System.out.println("AgentTortureTest: " + kills + " kills, " + units + " units, " + before
                + " of them started before the last node");
        assertThat(before).as("the kills hit something").isPositive();
    }

    private static List<Job> jobs(AgentBench bench, int units) {
        return bench.pool.list(JobQuery.all().limit(units + 1));
    }
}

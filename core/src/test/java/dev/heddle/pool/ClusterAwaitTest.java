package dev.heddle.pool;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryCluster;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterAwaitTest {

    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);

    @Test
    void isAnsweredIfAnotherNodeDeletesTheJob() {
        MemoryCluster cluster = new MemoryCluster(Environment.system());
        try (Pool here = Pool.on(cluster.connect()).open(); Pool there = Pool.on(cluster.connect()).open()) {
            JobHandle<String> waiting = here.submit(NOTE, "no node has a handler for it");
            CompletableFuture<Job> end = waiting.completion();

            there.admin().delete(waiting.id());

            assertThat(end).failsWithin(Duration.ofSeconds(30)).withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(NoSuchJobException.class);
        }
    }
}

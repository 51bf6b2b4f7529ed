package dev.heddle.pool;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DetachTest {

    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);

    private static final class Machine implements DetachedWork {
        @Override
        public String machine() {
            return "loom";
        }

        @Override
        public String boot() {
            return "boot-1";
        }

        @Override
        public Status status(JobId job, int attempt) {
            return Status.GONE;
        }
    }

    /** Otherwise the work begins although its job may run elsewhere by then. */
    @Test
    void refusesAnAttemptThatShouldStop() throws Exception {
        CompletableFuture<String> worker = new CompletableFuture<>();
        CompletableFuture<String> detached = new CompletableFuture<>();
        JobHandler<String, String> handler = (_, job) -> {
            if (job.attempt() > 1) {
                return "worked";
            }
            CountDownLatch told = new CountDownLatch(1);
            job.cancellation().onCancel(told::countDown);
            worker.complete(job.worker());
            told.await();
            try {
                job.detachFromNode();
                detached.complete("detached");
            } catch (JobCancelledException e) {
                detached.complete("refused");
                throw e;
            }
            return "detached";
        };
        try (Pool pool = Pool.on(new MemoryStore()).detachedWork(new Machine()).register(NOTE, handler).open()) {
            JobHandle<String> job = pool.submit(NOTE, "x");

            assertThat(pool.admin().stopWorker(worker.join())).isTrue();

            assertThat(detached).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("refused");
            assertThat(job.await(Duration.ofSeconds(30))).as("on another worker").isEqualTo("worked");
        }
    }
}

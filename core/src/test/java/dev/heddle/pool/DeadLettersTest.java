package dev.heddle.pool;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.IntStream;

import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLettersTest {

    private static final JobType<Integer, Void> DOOMED = JobType.of("doomed", Integer.class);

    @Test
    @Timeout(60)
    void retriesEachLetterOnceEvenIfItFailsAgainAtOnce() throws Exception {
        MemoryStore store = new MemoryStore();
        try (Pool pool = Pool.on(store).retry(RetryPolicy.none()).register(DOOMED, (number, job) -> {
            throw new IOException("always");
        }).open()) {
            pool.submitAll(IntStream.range(0, 7).mapToObj(DOOMED::with).toList());
            assertThat(pool.awaitIdle(Duration.ofSeconds(30))).isTrue();
            DeadLetters letters = new DeadLetters(store, InstantSource.system(), "test", command -> {
                CommandResult result = pool.admin().execute(command);
                awaitIdle(pool);
                return result;
            });

            assertThat(letters.retryAll(JobQuery.all().limit(3))).isEqualTo(7);
            assertThat(letters.list(10)).hasSize(7).allMatch(letter -> letter.attempts() == 2);
            assertThat(letters.purge(JobQuery.all().limit(3))).isEqualTo(7);
        }
    }

    private static void awaitIdle(Pool pool) {
        try {
            assertThat(pool.awaitIdle(Duration.ofSeconds(30))).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}

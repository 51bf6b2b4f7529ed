package dev.heddle.simulation;

import java.time.Duration;
import java.util.Map;

import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EndsTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<Integer, String> TYPE = Workloads.named("echo");

    @Test
    void anEndIsFinal() throws Exception {
        Store store = new MemoryStore();
        Stories stories = new Stories();
        Evidence evidence = new RealEvidence(stories, store, Map.of(), 0, 1, true, false, false);
        Ends ends = new Ends();
        try (Pool pool = Pool.on(store).register(TYPE, (_, _) -> {
            throw JobException.permanent("never");
        }).open()) {
            JobId id = pool.submit(TYPE, 1).id();
            stories.add(new Report(id, 0, "a", 1, new Report.Submitted(Work.ECHO, 1)));
            assertThat(ends.wrong(evidence)).as("it may have ended or not").isEmpty();
            pool.job(id, TYPE).awaitEnd(LONG);
            assertThat(ends.wrong(evidence)).as("the end is seen").isEmpty();
            assertThat(ends.wrong(evidence)).as("and stays").isEmpty();

            pool.admin().delete(id);
            assertThat(ends.wrong(evidence)).containsExactly("job 1 (echo) was FAILED and is null");
        }
    }
}

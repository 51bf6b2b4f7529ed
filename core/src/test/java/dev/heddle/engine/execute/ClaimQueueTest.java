package dev.heddle.engine.execute;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobStatus;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Suspicion;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimQueueTest {

    private final ClaimQueue queue = new ClaimQueue();

    private static Claim claim(long seq, int priority) {
        var spec = JobType.of("note", String.class, String.class).with("x").priority(priority).spec("1", Instant.EPOCH);
        return new Claim(new Job(seq, spec, Phase.INGEST, new Job.Counts(1, 0, 0),
                new JobStatus.Assigned("n", Instant.EPOCH), null), Suspicion.NONE);
    }

    private long next(String worker) {
        Claim claim = queue.peekFor(worker);
        queue.removeNextFor(worker);
        return claim == null ? -1 : claim.job().seq();
    }

    @Test
    void mergesSharedAndOwnClaimsByPriorityThenAge() {
        queue.add(claim(1, 0), "a");
        queue.addAll(List.of(claim(2, 5), claim(3, 0)));
        queue.add(claim(4, 0), "a");

        assertThat(List.of(next("a"), next("a"), next("a"), next("a"))).containsExactly(2L, 1L, 3L, 4L);
        assertThat(queue.peekFor("a")).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void keepsAClaimForItsOwnWorker() {
        queue.add(claim(1, 9), "a");

        assertThat(queue.peekFor("b")).isNull();
    }
}

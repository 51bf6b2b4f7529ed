package dev.heddle.pool;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import dev.heddle.store.Claimed.Claim;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandTest {

    private final Hand hand = new Hand();

    private static Claim claim(long seq, int priority) {
        var spec = JobType.of("note", String.class, String.class).with("x").priority(priority).spec("1",
                Instant.EPOCH);
        return new Claim(new Job(seq, spec, JobState.ASSIGNED, Phase.INGEST, new Job.Counts(1, 0, 0),
                Job.Status.NONE), false);
    }

    private long next(String worker) {
        Claim claim = hand.nextFor(worker);
        hand.takeNextFor(worker);
        return claim == null ? -1 : claim.job().seq();
    }

    @Test
    void doesWhatWaitsForOneAndForAnyInTheirOrder() {
        hand.add(claim(1, 0), "a");
        hand.addAll(List.of(claim(2, 5), claim(3, 0)));
        hand.add(claim(4, 0), "a");

        assertThat(List.of(next("a"), next("a"), next("a"), next("a"))).containsExactly(2L, 1L, 3L, 4L);
        assertThat(hand.nextFor("a")).isNull();
        assertThat(hand.isEmpty()).isTrue();
    }

    @Test
    void givesNobodyWhatWaitsForAnother() {
        hand.add(claim(1, 9), "a");

        assertThat(hand.nextFor("b")).isNull();
    }
}

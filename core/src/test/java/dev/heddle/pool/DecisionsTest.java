package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The small pure decisions of the pool. */
class DecisionsTest {

    @ParameterizedTest
    @CsvSource({"1,PT0.2S", "4,PT0.2S", "5,PT1S", "6,PT2S", "9,PT16S", "10,PT30S", "1000,PT30S"})
    void slowsTheClaimingLoopFromTheFifthErrorInARow(int errors, Duration delay) {
        assertThat(ClaimBackoff.delay(errors)).isEqualTo(delay);
    }

    /** state, how it was started, crashes before, has a checkpoint: what becomes of it, is the crash counted. */
    @ParameterizedTest
    @CsvSource({"ASSIGNED,NONE,0,false,requeue,false", "RUNNING,NONE,0,false,requeue,false",
        "RUNNING,BLAMED,0,false,requeue,true", "RUNNING,BLAMED,2,false,requeue,true",
        "RUNNING,BLAMED,3,false,poison,true", "RUNNING,NONE,3,false,requeue,false",
        "RUNNING,ONCE,0,false,orphaned,true", "RUNNING,ONCE,0,true,requeue,true",
        "RUNNING,ONCE,3,true,poison,true"})
    void recoversOrphans(JobState state, Care care, int crashes, boolean checkpoint, String fate,
            boolean counted) {
        RecoveryRules rules = new RecoveryRules(3);
        Orphan orphan = new Orphan(job(state, crashes), care, checkpoint);

        Recovery recovery = rules.decide(List.of(orphan)).getFirst();

        assertThat(recovery.crashed()).isEqualTo(counted);
        switch (recovery.transition()) {
            case Transition.Requeue _ -> assertThat(fate).isEqualTo("requeue");
            case Transition.Die(String reason) -> assertThat(reason).startsWith(fate);
            case Transition.Retry _,Transition.Complete _,Transition.Wait _,Transition.Cancel _ ->
                throw new AssertionError(recovery);
        }
    }

    private static Job job(JobState state, int crashes) {
        Instant now = Instant.parse("2026-03-01T12:00:00Z");
        JobSpec spec = new JobSpec(JobId.next(), "t", "q", 0, "{}", now, JobSpec.Extras.NONE);
        return new Job(1, spec, state, Phase.INGEST, new Job.Counts(1, 0, crashes), Job.Status.NONE);
    }

    @Test
    void remembersHowManyEndedInTheLastFifthOfASecond() {
        EndRate rate = new EndRate();
        long start = 1_000_000_000L;
        rate.ended(10, start);
        rate.ended(5, start + 80_000_000);

        assertThat(rate.lastWindow(start + 80_000_000)).isEqualTo(15);
        assertThat(rate.lastWindow(start + 220_000_000)).isEqualTo(5);
        assertThat(rate.lastWindow(start + 400_000_000)).isZero();
        assertThat(new EndRate().lastWindow(start)).isZero();
    }
}

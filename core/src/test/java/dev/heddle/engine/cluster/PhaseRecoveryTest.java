package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Suspicion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Decides in which phase an orphan continues. */
class PhaseRecoveryTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static Recovery recovered(Phase phase, long children, Transition transition) {
        JobSpec spec = new JobSpec(JobId.next(), "t", "q", 0, "{}", NOW, JobSpec.Extras.NONE);
        Job job = new Job(1, spec, phase, new Job.Counts(1, 0, 0),
                new JobStatus.Running("n", Instant.EPOCH, Instant.EPOCH, null), null);
        RecoveryPlan plan = orphans -> List.of(new Recovery(orphans.getFirst(), transition, true));
        return new PhaseRecovery(plan)
                .decide(List.of(new Orphan(job, StartGuarantee.COMMITTED_FIRST, false, children, Suspicion.NONE,
                        Duration.ZERO)))
                .getFirst();
    }

    /** Columns: phase, children; next phase, note in the reason, log line. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "INGEST    | 0  | INGEST    | -                                 | -",
        "AGGREGATE | 0  | INGEST    | no child tasks found, likely crashed during phase transition | Reset job ID to 'ingest' phase (no child tasks found, likely crashed during phase transition)",
        "AGGREGATE | -1 | INGEST    | couldn't verify child tasks       | Reset job ID to 'ingest' phase (couldn't verify child tasks)",
        "AGGREGATE | 7  | AGGREGATE | -                                 | Job ID staying in 'aggregate' phase (7 child tasks found)"})
    void decidesAboutOneOrphan(Phase phase, long children, Phase next, String note, String line) {
        Recovery recovery = recovered(phase, children, new Transition.Requeue("node died"));

        assertThat(recovery.phase()).isEqualTo(next);
        assertThat(recovery.transition())
                .isEqualTo(new Transition.Requeue("node died" + (note == null ? "" : "; back to ingest: " + note)));
        assertThat(recovery.crashed()).isTrue();
        assertThat(PhaseRecovery.isPhased(recovery)).isEqualTo(line != null);
        if (line != null) {
            assertThat(PhaseRecovery.logLine(recovery))
                    .isEqualTo(line.replace("ID", recovery.orphan().job().id().toString()));
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "7"})
    void keepsTheTimeOfAStagedJobAndTheReasonOfADeadLetter(long children) {
        Transition staged = recovered(Phase.AGGREGATE, children, new Transition.Retry(Duration.ofSeconds(1), "staged"))
                .transition();
        Transition dead = recovered(Phase.AGGREGATE, children, new Transition.Fail("poison")).transition();

        assertThat(staged).isInstanceOfSatisfying(Transition.Retry.class,
                retry -> assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(1)));
        assertThat(dead).isEqualTo(new Transition.Fail("poison"));
    }
}

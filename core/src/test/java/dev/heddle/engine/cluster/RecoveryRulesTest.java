package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.pool.RecoveryReport;
import dev.heddle.pool.Staging;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Suspicion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecoveryRulesTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final RecoveryRules RULES = new RecoveryRules(3, Staging.standard());

    private static final Suspicion SUSPECT = Suspicion.NONE.suspected();

    private static Orphan orphan(long seq, JobState state, StartGuarantee guarantee, int crashes, int priority,
            boolean checkpoint) {
        return orphan(seq, state, guarantee, Suspicion.NONE, crashes, priority, checkpoint);
    }

    private static Orphan orphan(long seq, JobState state, StartGuarantee guarantee, Suspicion suspicion, int crashes,
            int priority, boolean checkpoint) {
        JobSpec spec = new JobSpec(JobId.next(), "t", "q", priority, "{}", NOW, JobSpec.Extras.NONE);
        return new Orphan(
                new Job(seq, spec, Phase.INGEST, new Job.Counts(1, 0, crashes), new JobStatus.Columns(Instant.EPOCH,
                        "n", Instant.EPOCH, Instant.EPOCH, null, null, null, Instant.EPOCH).in(state), null),
                guarantee, checkpoint, 0, suspicion, Duration.ZERO);
    }

    private static Orphan running(long seq, int priority, boolean checkpoint) {
        return orphan(seq, JobState.RUNNING, StartGuarantee.NONE, 0, priority, checkpoint);
    }

    /** Columns: state, start guarantee, suspect, crashes before, has a checkpoint; reason, is the crash counted. */
    @ParameterizedTest
    @CsvSource({"ASSIGNED,NONE,false,0,false,node died,false", "RUNNING,NONE,false,0,false,node died,false",
        "RUNNING,COMMITTED_FIRST,false,2,false,node died,false",
        "RUNNING,COMMITTED_FIRST,true,0,false,'node died, and no other job can be the cause',true",
        "RUNNING,COMMITTED_FIRST,true,1,false,'node died, and no other job can be the cause',true",
        "RUNNING,COMMITTED_FIRST,true,2,false,poison: it crashed its node 3 times,true",
        "RUNNING,NONE,false,3,false,node died,false", "RUNNING,AT_MOST_ONCE,false,0,false,orphaned,false",
        "RUNNING,AT_MOST_ONCE,true,0,false,orphaned,true", "RUNNING,AT_MOST_ONCE,false,0,true,node died,false",
        "RUNNING,AT_MOST_ONCE,true,2,true,poison,true"})
    void decidesAboutOneOrphan(JobState state, StartGuarantee guarantee, boolean suspect, int crashes,
            boolean checkpoint, String fate, boolean counted) {
        Recovery recovery = RULES.decide(List
                .of(orphan(1, state, guarantee, suspect ? SUSPECT : Suspicion.NONE, crashes, 0, checkpoint)))
                .getFirst();

        assertThat(recovery.crashed()).isEqualTo(counted);
        switch (recovery.transition()) {
            case Transition.Requeue(String reason) -> assertThat(reason).isEqualTo(fate);
            case Transition.Fail(String reason) -> assertThat(reason).startsWith(fate);
            case Transition.Retry _, Transition.Complete _, Transition.Reschedule _, Transition.Wait _, Transition.Cancel _ ->
                throw new AssertionError(recovery);
        }
    }

    private static List<Long> turns(List<Recovery> recoveries) {
        return recoveries.stream().filter(recovery -> !(recovery.transition() instanceof Transition.Fail))
                .map(recovery -> recovery.orphan().job().seq()).toList();
    }

    @Test
    void restartsByCheckpointThenPriorityThenAge() {
        List<Orphan> orphans = List.of(running(1, 0, false), running(2, 9, false), running(3, 0, true),
                running(4, 5, true), running(5, 0, false));

        List<Recovery> recoveries = RULES.decide(orphans);

        assertThat(turns(recoveries)).containsExactly(4L, 3L, 2L, 1L, 5L);
        assertThat(recoveries.getFirst().transition()).isEqualTo(new Transition.Requeue("node died"));
        assertThat(recoveries.subList(1, 5)).extracting(Recovery::transition).containsExactly(
                new Transition.Retry(Duration.ofSeconds(1), "node died; starts again as number 2 of 5"),
                new Transition.Retry(Duration.ofSeconds(2), "node died; starts again as number 3 of 5"),
                new Transition.Retry(Duration.ofSeconds(3), "node died; starts again as number 4 of 5"),
                new Transition.Retry(Duration.ofSeconds(4), "node died; starts again as number 5 of 5"));
    }

    @Test
    void requeuesAssignedJobsAtOnceOutsideTheSchedule() {
        List<Orphan> orphans = new ArrayList<>();
        for (int seq = 1; seq <= 50; seq++) {
            orphans.add(orphan(seq, JobState.ASSIGNED, StartGuarantee.NONE, 0, 9, true));
        }
        orphans.add(running(51, 0, false));
        orphans.add(running(52, 0, false));

        List<Recovery> recoveries = RULES.decide(orphans);

        assertThat(recoveries).filteredOn(recovery -> recovery.orphan().job().state() == JobState.ASSIGNED).hasSize(50)
                .extracting(Recovery::transition).containsOnly(new Transition.Requeue("node died"));
        assertThat(recoveries.getLast().transition())
                .isEqualTo(new Transition.Retry(Duration.ofSeconds(1), "node died; starts again as number 2 of 2"));
    }

    @Test
    void reportsTheDecisions() {
        List<Orphan> orphans = new ArrayList<>(
                IntStream.rangeClosed(1, 20).mapToObj(seq -> running(seq, 0, seq % 4 == 0)).toList());
        orphans.add(orphan(21, JobState.ASSIGNED, StartGuarantee.NONE, 0, 0, false));
        orphans.add(orphan(22, JobState.RUNNING, StartGuarantee.AT_MOST_ONCE, 0, 0, false));
        orphans.add(orphan(23, JobState.RUNNING, StartGuarantee.COMMITTED_FIRST, 0, 0, true));

        RecoveryReport report = RecoveryReport.of(RULES.decide(orphans), Staging.standard());

        assertThat(report).isEqualTo(new RecoveryReport(23, 6, 1, 1, 9, 11, 1));
        assertThat(report.summary()).isEqualTo("23 jobs of dead nodes (6 with a checkpoint): "
                + "1 back in the queue, 1 at once, 9 warm, 11 slow, 1 dead-lettered");
    }

    @Test
    void tellsJobsThatMayBeTheCauseHowManyThereAre() {
        List<Orphan> orphans = List.of(
                orphan(1, JobState.RUNNING, StartGuarantee.COMMITTED_FIRST, SUSPECT, 0, 0, false),
                orphan(2, JobState.RUNNING, StartGuarantee.COMMITTED_FIRST, 0, 0, false),
                orphan(3, JobState.RUNNING, StartGuarantee.COMMITTED_FIRST, SUSPECT, 0, 0, false));

        List<Recovery> recoveries = RULES.decide(orphans);

        String cause = "node died, and one of 3 jobs is the cause; at most 2 of them start at a time";
        assertThat(recoveries).extracting(Recovery::transition).containsExactly(new Transition.Requeue(cause),
                new Transition.Retry(Duration.ofSeconds(1), cause + "; starts again as number 2 of 3"),
                new Transition.Retry(Duration.ofSeconds(2), cause + "; starts again as number 3 of 3"));
        assertThat(recoveries).extracting(recovery -> recovery.suspicion().cap()).containsOnly(2);
        assertThat(recoveries).noneMatch(Recovery::crashed);
    }

    @Test
    void decidesOnceForEachOfTenThousand() {
        List<Orphan> orphans = IntStream.rangeClosed(1, 10_000).mapToObj(seq -> running(seq, seq % 3, seq % 7 == 0))
                .toList();

        List<Recovery> recoveries = RULES.decide(orphans);

        assertThat(turns(recoveries)).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(recoveries.getLast().transition()).isInstanceOfSatisfying(Transition.Retry.class,
                last -> assertThat(last.delay()).isBetween(Duration.ofMinutes(14), Duration.ofMinutes(15)));
    }
}

package dev.heddle.engine.suspects;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.store.Orphan;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Suspicion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BlameTest {

    private static final Duration RAN = Duration.ofSeconds(7);
    private static final Suspicion SUSPECT = Suspicion.NONE.suspected();
    private static final int ATTEMPT = 5;

    private static Suspicion suspect(int cap, int deaths, Duration ran) {
        return new Suspicion(true, cap, deaths, ran, 0);
    }

    private static Orphan running(String node, StartGuarantee guarantee, Suspicion suspicion) {
        return orphan(new JobStatus.Running(node, Instant.EPOCH, Instant.EPOCH, null), guarantee, suspicion, RAN);
    }

    private static Orphan running(Suspicion suspicion) {
        return running("n", StartGuarantee.COMMITTED_FIRST, suspicion);
    }

    private static Orphan assigned(Suspicion suspicion) {
        return orphan(new JobStatus.Assigned("n", Instant.EPOCH), StartGuarantee.NONE, suspicion, Duration.ZERO);
    }

    private static Orphan orphan(JobStatus status, StartGuarantee guarantee, Suspicion suspicion, Duration ran) {
        JobSpec spec = new JobSpec(JobId.next(), "t", "q", 0, "{}", Instant.EPOCH, JobSpec.Extras.NONE);
        return new Orphan(new Job(1, spec, Phase.INGEST, new Job.Counts(ATTEMPT, 0, 0), status, null), guarantee, false,
                0, suspicion, ran);
    }

    private static Blame.Finding only(Orphan orphan) {
        return Blame.afterDeath(List.of(orphan)).getFirst();
    }

    @Test
    void blamesNobodyForADeathAtWhichNotEverythingThatRanIsKnown() {
        List<Blame.Finding> findings = Blame.afterDeath(List.of(running("n", StartGuarantee.NONE, Suspicion.NONE),
                running("n", StartGuarantee.AT_MOST_ONCE, Suspicion.NONE), assigned(Suspicion.NONE)));

        assertThat(findings).noneMatch(Blame.Finding::crashed);
        assertThat(findings).extracting(Blame.Finding::causes).containsOnly(0);
        assertThat(findings).extracting(Blame.Finding::suspicion).containsExactly(
                suspect(Suspicion.UNCAPPED, 1, RAN), suspect(Suspicion.UNCAPPED, 1, RAN), SUSPECT);
    }

    @Test
    void doesNotKnowWhatRanIfTheOnlySuspectHadNotStarted() {
        List<Blame.Finding> findings = Blame
                .afterDeath(List.of(running(Suspicion.NONE), assigned(suspect(4, 2, Duration.ofMinutes(1)))));

        assertThat(findings).extracting(Blame.Finding::suspicion).as("a cap stays")
                .containsExactly(suspect(Suspicion.UNCAPPED, 1, RAN), suspect(4, 2, Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @CsvSource({"2,1", "3,2", "4,2", "5,3", "8,4", "101,51"})
    void halvesTheNumberThatMayRunAtOnceIfSeveralMayBeTheCause(int running, int cap) {
        List<Blame.Finding> findings = Blame
                .afterDeath(Stream.generate(() -> running(SUSPECT)).limit(running).toList());

        assertThat(findings).hasSize(running).noneMatch(Blame.Finding::crashed);
        assertThat(findings).extracting(Blame.Finding::causes).containsOnly(running);
        assertThat(findings).extracting(Blame.Finding::suspicion).containsOnly(suspect(cap, 1, RAN));
    }

    @Test
    void countsACrashOfTheOnlyPossibleCause() {
        Blame.Finding finding = only(running(suspect(1, 3, Duration.ofMinutes(1))));

        assertThat(finding.crashed()).isTrue();
        assertThat(finding.suspicion()).isEqualTo(suspect(1, 4, RAN));
    }

    @Test
    void holdsAttemptsOfCancelledJobsThatStillRanForPossibleCauses() {
        Blame.Finding finding = only(running(suspect(1, 3, Duration.ofMinutes(1))).withCancelledBeside(1));

        assertThat(finding.crashed()).isFalse();
        assertThat(finding.causes()).isEqualTo(2);
        assertThat(finding.suspicion()).isEqualTo(suspect(1, 4, RAN));
    }

    @Test
    void holdsOrdinaryJobsThatRanBesideASuspectForPossibleCauses() {
        List<Blame.Finding> findings = Blame.afterDeath(List.of(running(SUSPECT), running(Suspicion.NONE),
                running("n", StartGuarantee.NONE, Suspicion.NONE)));

        assertThat(findings).extracting(Blame.Finding::suspicion).containsOnly(suspect(2, 1, RAN));
    }

    @Test
    void doesNotHoldAClearedAttemptForAPossibleCauseButSuspectsItsNextOne() {
        Suspicion cleared = suspect(4, 2, Duration.ofMinutes(1)).cleared(ATTEMPT);
        List<Blame.Finding> findings = Blame.afterDeath(List.of(running(suspect(4, 2, RAN)), running(cleared)));

        assertThat(findings).extracting(Blame.Finding::crashed).containsExactly(true, false);
        assertThat(findings.getLast().suspicion())
                .isEqualTo(new Suspicion(true, Suspicion.UNCAPPED, 2, RAN, ATTEMPT));
    }

    @Test
    void holdsAnAttemptForAPossibleCauseIfAnEarlierOneWasCleared() {
        Suspicion earlier = suspect(4, 2, Duration.ofMinutes(1)).cleared(ATTEMPT - 1);
        List<Blame.Finding> findings = Blame.afterDeath(List.of(running(SUSPECT), running(earlier)));

        assertThat(findings).extracting(Blame.Finding::causes).containsOnly(2);
    }

    @Test
    void leavesJobsAloneThatHadNotStarted() {
        List<Blame.Finding> findings = Blame.afterDeath(
                List.of(running(SUSPECT), assigned(Suspicion.NONE), assigned(suspect(3, 1, Duration.ofSeconds(1)))));

        assertThat(findings.getFirst().crashed()).isTrue();
        assertThat(findings.subList(1, 3)).extracting(Blame.Finding::suspicion).containsExactly(Suspicion.NONE,
                suspect(3, 1, Duration.ofSeconds(1)));
    }

    @Test
    void looksAtEachNodeByItself() {
        List<Blame.Finding> findings = Blame.afterDeath(IntStream.range(0, 3)
                .mapToObj(node -> running("n" + node, StartGuarantee.COMMITTED_FIRST, SUSPECT)).toList());

        assertThat(findings).hasSize(3).allMatch(Blame.Finding::crashed);
    }
}

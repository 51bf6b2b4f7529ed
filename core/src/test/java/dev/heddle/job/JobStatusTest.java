package dev.heddle.job;

import java.time.Instant;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class JobStatusTest {

    private static final Instant DUE = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant ASSIGNED = DUE.plusSeconds(1);
    private static final Instant STARTED = DUE.plusSeconds(2);
    private static final Instant ENDED = DUE.plusSeconds(3);
    private static final Progress HALF = new Progress(1, 2, "half");
    private static final JobStatus.Columns ALL = new JobStatus.Columns(DUE, "n1", ASSIGNED, STARTED, HALF,
            "why", "42",
            ENDED);
    private static final JobStatus.Columns NONE = new JobStatus.Columns(null, null, null, null, null, null,
            null, null);

    static Stream<Arguments> statuses() {
        return Stream
                .of(new JobStatus.Queued(), new JobStatus.Scheduled(DUE), new JobStatus.Paused("why", DUE),
                        new JobStatus.Assigned("n1", ASSIGNED),
                        new JobStatus.Running("n1", ASSIGNED, STARTED, HALF),
                        new JobStatus.Waiting(), new JobStatus.Completed("42", ENDED),
                        new JobStatus.Failed("why", ENDED),
                        new JobStatus.Cancelled("why", ENDED, "n1", ASSIGNED, STARTED, HALF))
                .map(status -> arguments(status.state(), status));
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void takesTheColumnsOfItsState(JobState state, JobStatus expected) {
        assertThat(ALL.in(state)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void hasARecordForEachState(JobState state) {
        assertThat(ALL.in(state).state()).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({"SCHEDULED,dueAt", "ASSIGNED,node", "RUNNING,node", "COMPLETED,endedAt", "FAILED,endedAt"})
    void namesAColumnThatIsMissing(JobState state, String column) {
        assertThatNullPointerException().isThrownBy(() -> NONE.in(state))
                .withMessage("a job that is " + state + " has no " + column);
    }

    @Test
    void hasNoValueForWhatItsStateDoesNotHave() {
        JobStatus queued = new JobStatus.Queued();

        assertThat(Stream.of(queued.dueAt(), queued.node(), queued.assignedAt(), queued.startedAt(),
                queued.progress(),
                queued.reason(), queued.result(), queued.endedAt())).containsOnlyNulls();
    }

    @Test
    void needsNoNodeIfItWasCancelledBeforeItRan() {
        assertThat(NONE.in(JobState.CANCELLED)).isEqualTo(new JobStatus.Cancelled(null, null));
    }
}

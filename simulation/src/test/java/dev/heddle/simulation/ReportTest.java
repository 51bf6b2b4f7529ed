package dev.heddle.simulation;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReportTest {

    private static final JobId JOB = JobId.of("0190a2b4-0000-7000-8000-000000000001");

    private static Stream<Report.Event> events() {
        return Stream.of(new Report.Submitted(Work.STEPS, 7), new Report.Acknowledged(),
                new Report.Ordered(Order.CANCEL), new Report.Obeyed(Order.CANCEL), new Report.Awaits(8),
                new Report.Answered(8, "COMPLETED"), new Report.Started(true), new Report.Ended(),
                new Report.WorkBegan(9), new Report.WorkKilled(), new Report.Spent(1),
                new Report.StepRan("step 1"), new Report.StepCommitted("step 1"), new Report.CheckpointLoaded(2),
                new Report.CheckpointSaved(3), new Report.Aggregated(4, 1), new Report.Wrong("step 1 has no result"));
    }

    @Test
    void isReadAsItWasWritten() {
        assertThat(events()).allSatisfy(event -> {
            Report report = new Report(JOB, 2, "node-1", 42, event);

            assertThat(report.line()).doesNotContain("\n");
            assertThat(Report.parse(report.line())).isEqualTo(report);
        });
    }

    @Test
    void everyEventIsTried() {
        Set<Class<?>> tried = events().map(Object::getClass).collect(Collectors.toSet());

        assertThat(tried).containsExactlyInAnyOrder(Report.Event.class.getPermittedSubclasses());
    }

    @Test
    void refusesWhatIsNoReport() {
        assertThatIllegalArgumentException().isThrownBy(() -> Report.parse(JOB + "\t1\tnode-1\t42\tSlept"))
                .withMessageContaining("Slept");
    }
}

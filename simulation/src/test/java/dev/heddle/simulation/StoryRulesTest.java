package dev.heddle.simulation;

import java.util.List;
import java.util.Map;

import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoryRulesTest {

    private static final JobId JOB = JobId.of("0190a2b4-0000-7000-8000-000000000001");

    private final Stories stories = new Stories();
    private final Story story = stories.add(new Report(JOB, 0, "a", 0, new Report.Submitted(Work.STEPS, 1)))
            .orElseThrow();

    private void tell(int attempt, String node, long at, Report.Event event) {
        stories.add(new Report(JOB, attempt, node, at, event));
    }

    private List<String> wrong(Map<String, Long> deaths, boolean mayStandStill) {
        return StoryRules.wrong(story, new GivenEvidence(stories, new MemoryStore(), deaths, mayStandStill));
    }

    private List<String> wrong() {
        return wrong(Map.of(), false);
    }

    @Test
    void aCommittedStepDoesNotRunAgain() {
        tell(1, "a", 1, new Report.Started(true));
        tell(1, "a", 2, new Report.StepRan("one"));
        tell(1, "a", 3, new Report.StepCommitted("one"));
        tell(1, "a", 4, new Report.Ended());
        tell(2, "b", 5, new Report.Started(true));
        tell(2, "b", 6, new Report.StepRan("two"));
        assertThat(wrong()).isEmpty();

        tell(2, "b", 7, new Report.StepRan("one"));
        assertThat(wrong()).containsExactly("one was committed and runs again");
    }

    @Test
    void anAttemptThatLostItsJobMayRunWhatALaterOneCommitted() {
        tell(1, "a", 1, new Report.Started(true));
        tell(2, "b", 5, new Report.Started(true));
        tell(2, "b", 6, new Report.StepCommitted("one"));
        tell(2, "b", 7, new Report.CheckpointSaved(1));
        tell(1, "a", 8, new Report.StepRan("one"));
        tell(1, "a", 9, new Report.CheckpointLoaded(0));

        assertThat(wrong(Map.of(), true)).isEmpty();
    }

    @Test
    void aSavedCheckpointIsNotLost() {
        tell(1, "a", 1, new Report.Started(true));
        tell(1, "a", 2, new Report.CheckpointLoaded(0));
        tell(1, "a", 3, new Report.CheckpointSaved(2));
        tell(1, "a", 4, new Report.Ended());
        tell(2, "b", 5, new Report.Started(true));
        tell(2, "b", 6, new Report.CheckpointLoaded(1));

        assertThat(wrong()).containsExactly("saved checkpoint 2 and got 1");
    }

    @Test
    void aJobRunsOnceAtATime() {
        tell(1, "a", 1, new Report.Started(true));
        tell(2, "b", 5, new Report.Started(true));

        assertThat(wrong()).hasSize(1).first().asString().startsWith("runs twice at the same time");
        assertThat(wrong(Map.of("a", 4L), false)).as("its node has died before").isEmpty();
        assertThat(wrong(Map.of("a", 6L), false)).as("its node has died too late").hasSize(1);
        assertThat(wrong(Map.of(), true)).as("its node stood still").isEmpty();
    }

    @Test
    void reportsOfTwoNodesMayComeOutOfOrder() {
        tell(2, "b", 5, new Report.Started(true));
        tell(2, "b", 6, new Report.StepRan("one"));
        tell(1, "a", 1, new Report.Started(true));
        tell(1, "a", 3, new Report.StepCommitted("one"));
        tell(1, "a", 4, new Report.Ended());

        assertThat(wrong()).containsExactly("one was committed and runs again");
    }

    @Test
    void startsOnlyWhatTheStoreHasForIt() {
        tell(1, "a", 1, new Report.Started(false));

        assertThat(wrong()).containsExactly("starts attempt 1 on a, which the store does not have");
        assertThat(wrong(Map.of(), true)).as("its node stood still").isEmpty();
    }

    @Test
    void aClientThatWaitsIsToldTheEndOrWhyThereIsNone() {
        tell(0, "a", 1, new Report.Awaits(1));
        assertThat(story.unanswered()).containsExactly("a");

        tell(0, "a", 2, new Report.Answered(1, "CANCELLED"));
        assertThat(story.unanswered()).isEmpty();
        assertThat(wrong()).isEmpty();

        tell(0, "a", 3, new Report.Answered(2, "NullPointerException"));
        assertThat(wrong()).containsExactly("was awaited and answered by NullPointerException");
    }

    @Test
    void whatAHandlerSawIsWrong() {
        tell(1, "a", 1, new Report.Started(true));
        tell(1, "a", 2, new Report.Wrong("step 1 has the result null"));

        assertThat(wrong()).containsExactly("step 1 has the result null");
    }
}

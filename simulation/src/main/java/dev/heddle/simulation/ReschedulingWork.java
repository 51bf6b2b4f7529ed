package dev.heddle.simulation;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;

/** Has itself run again a few times, and passes on how often it has run. */
final class ReschedulingWork extends Workload {

    private static final Duration PAUSE = Duration.ofSeconds(2);

    ReschedulingWork() {
        super(Workloads.named("rescheduling"));
    }

    private static int times(int behavior) {
        return behavior % 4;
    }

    @Override
    @Nullable String handle(HandlerCall call) {
        int run = call.job().checkpoint(Integer.class).orElse(0);
        call.tell(new Report.CheckpointLoaded(run));
        call.sleep(17);
        if (run < times(call.behavior())) {
            call.job().rescheduleIn(PAUSE, run + 1);
        }
        return "run " + run;
    }

    /** A run is repeated if its end was not stored, but none is left out. */
    @Override
    Optional<String> wrongSoFar(Story story, Evidence evidence) {
        int last = 0;
        for (Story.Execution execution : story.executions()) {
            for (Report report : execution.reports()) {
                if (report.event() instanceof Report.CheckpointLoaded(int run)) {
                    if (run < last || run > last + 1) {
                        return Optional.of("goes from run " + last + " to run " + run);
                    }
                    last = run;
                }
            }
        }
        return Optional.empty();
    }

    @Override
    Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
        Job job = details.job();
        String result = job.result(type()).orElse("");
        return job.state() == JobState.COMPLETED && !result.equals("run " + times(story.behavior()))
                ? Optional.of("is over after '" + result + "'") : super.wrong(story, details, evidence);
    }
}

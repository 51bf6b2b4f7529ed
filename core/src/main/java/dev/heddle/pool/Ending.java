package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.NewJob;

/** An attempt that is over, with what becomes of its job and what follows it. */
record Ending(AttemptRun run, Change.Execution execution, Transition transition, long nanos,
        List<NewJob> sequel) {

    Ending(AttemptRun run, Change.Execution execution, Transition transition, long nanos) {
        this(run, execution, transition, nanos, List.of());
    }

    Ending followedBy(List<NewJob> jobs) {
        return new Ending(run, execution, transition, nanos, jobs);
    }

    Change change() {
        var ended = new Change.Ended(run.fence(), execution, transition, run.hasSaved(), sequel);
        return transition instanceof Transition.Wait
                ? new Change.Ingested(ended, run.children().orElseThrow())
                : ended;
    }

    /** The job as the store has it where it was cancelled under the attempt. */
    Job cancelledJob() {
        Job before = run.job();
        return new Job(before.seq(), before.spec(), JobState.CANCELLED, before.phase(), before.counts(),
                new Job.Status(null, null, null, null, null, null, null, null, execution.endedAt()));
    }

    /** The job as the store has it after the commit, with all data filled in. */
    Job job() {
        Job before = run.job();
        boolean failed = execution.failure() != null;
        Job.Counts counts = new Job.Counts(before.counts().attempt(),
                before.counts().failures() + (failed ? 1 : 0),
                before.counts().crashes());
        Job.Status status = switch (transition) {
            case Transition.Complete(String result) ->
                new Job.Status(null, null, null, null, null, null, result, null,
                        execution.endedAt());
            case Transition.Retry(var at, _) -> new Job.Status(at, null, null, null, null, null, null,
                    execution.failure(), null);
            case Transition.Die(String reason) -> new Job.Status(null, null, null, null, null, reason, null,
                    execution.failure(), execution.endedAt());
            case Transition.Cancel(String reason) ->
                new Job.Status(null, null, null, null, null, reason, null, null,
                        execution.endedAt());
            case Transition.Wait _,Transition.Requeue _ -> Job.Status.NONE;
        };
        Phase phase = transition instanceof Transition.Wait ? Phase.AGGREGATE : before.phase();
        return new Job(before.seq(), before.spec(), transition.target(), phase, counts, status);
    }
}

package dev.heddle.engine.commit;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.job.Transitions;
import dev.heddle.stats.ErrorFingerprint;
import dev.heddle.store.Change;
import dev.heddle.store.NewJob;

/** The end of an attempt: how it went, the job's next state, and its sequel. */
public record AttemptEnd(AttemptFacts run, Change.Execution execution, Transition transition, long nanos,
        List<NewJob> sequel) {

    /** Creates an end without a sequel. */
    public AttemptEnd(AttemptFacts run, Change.Execution execution, Transition transition, long nanos) {
        this(run, execution, transition, nanos, List.of());
    }

    /** Returns this end with jobs to store in the same commit. */
    public AttemptEnd withSequel(List<NewJob> jobs) {
        return new AttemptEnd(run, execution, transition, nanos, jobs);
    }

    /** Returns the end of an attempt that never ran, as a permanent failure for this reason. */
    public static AttemptEnd notRun(AttemptFacts run, Instant now, String reason) {
        Instant assignedAt = Objects.requireNonNullElse(run.job().status().assignedAt(), now);
        Failure failure = Failure.of(FailureCategory.PERMANENT, reason);
        return new AttemptEnd(run,
                new Change.Execution(run.workerId(), assignedAt, now, now, Attempt.End.FAILED, failure),
                Transitions.permanent(failure), 0);
    }

    /** Returns the end of the same attempt as a permanent failure for this reason, without a sequel. */
    public AttemptEnd failed(String reason) {
        Failure failure = Failure.of(FailureCategory.PERMANENT, reason);
        return new AttemptEnd(run, new Change.Execution(execution.worker(), execution.assignedAt(),
                execution.startedAt(), execution.endedAt(), Attempt.End.FAILED, failure),
                Transitions.permanent(failure), nanos);
    }

    /** Returns what to write to the store. */
    public Change change() {
        String fingerprint = transition instanceof Transition.Fail
                ? fingerprint().map(ErrorFingerprint::id).orElse(null) : null;
        var ended = new Change.Ended(run.fence(), execution, transition, run.hasSaved(), sequel, fingerprint);
        return transition instanceof Transition.Wait ? new Change.Ingested(ended, run.children().orElseThrow()) : ended;
    }

    /** Returns what the failure has in common with others; empty if the attempt did not fail. */
    public Optional<ErrorFingerprint> fingerprint() {
        Failure failure = execution.failure();
        boolean failed = transition instanceof Transition.Retry || transition instanceof Transition.Fail;
        return failure == null || !failed ? Optional.empty()
                : Optional.of(ErrorFingerprint.of(run.job().type(), failure));
    }

    /** Returns the job as the store has it if it was cancelled while the attempt ran. */
    Job cancelledJob() {
        Job before = run.job();
        return new Job(before.seq(), before.spec(), before.phase(), before.counts(),
                new JobStatus.Cancelled(null, execution.endedAt()), null);
    }

    /** Returns the job as the store has it after the commit. */
    public Job job() {
        Job before = run.job();
        Failure failure = execution.failure();
        boolean crashed = execution.end() == Attempt.End.CRASHED;
        Job.Counts counts = transition instanceof Transition.Reschedule
                ? new Job.Counts(before.counts().attempt(), 0, 0) : new Job.Counts(before.counts().attempt(),
                        before.counts().failures() + (failure == null ? 0 : 1),
                        before.counts().crashes() + (crashed ? 1 : 0));
        JobStatus status = switch (transition) {
            case Transition.Complete(String result) -> new JobStatus.Completed(result, execution.endedAt());
            case Transition.Retry(var delay, _) -> new JobStatus.Scheduled(execution.endedAt().plus(delay));
            case Transition.Reschedule again -> new JobStatus.Scheduled(again.dueAt(execution.endedAt()));
            case Transition.Fail(String reason) -> new JobStatus.Failed(reason, execution.endedAt());
            case Transition.Cancel(String reason) -> new JobStatus.Cancelled(reason, execution.endedAt());
            case Transition.Wait _ -> new JobStatus.Waiting();
            case Transition.Requeue _ -> new JobStatus.Queued();
        };
        boolean failed = transition instanceof Transition.Retry || transition instanceof Transition.Fail;
        Phase phase = transition instanceof Transition.Wait ? Phase.AGGREGATE : before.phase();
        return new Job(before.seq(), before.spec(), phase, counts, status, failed ? failure : null);
    }
}

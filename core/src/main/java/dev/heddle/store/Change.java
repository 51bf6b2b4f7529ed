package dev.heddle.store;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import org.jspecify.annotations.Nullable;

/** Something that an attempt writes. It takes effect only if the fence of the attempt still holds. */
public sealed interface Change {

    /** Returns the fence of the attempt. */
    Fence fence();

    /** Returns whether there may be a job to claim after this change. */
    default boolean bringsWork() {
        return switch (this) {
            case Released _, Ingested _ -> true;
            case Ended ended -> !ended.transition().target().isFinal() || !ended.sequel().isEmpty();
            case Started _, Cleared _, Progressed _, Checkpointed _, StepDone _ -> false;
        };
    }

    /** Returns whether the job waits to run again after this change, or is due to. */
    default boolean letsJobWait() {
        return switch (this) {
            case Released _ -> true;
            case Ended ended -> !ended.transition().target().isFinal();
            case Started _, Cleared _, Progressed _, Checkpointed _, StepDone _, Ingested _ -> false;
        };
    }

    /**
     * The handler starts.
     *
     * @param fence the attempt
     * @param at when
     * @param guarantee what recovery may conclude from it if the node dies
     */
    record Started(Fence fence, Instant at, StartGuarantee guarantee) implements Change {}

    /**
     * The attempt outlived its probation: the job is no suspect any more.
     *
     * @param fence the attempt
     * @param suspicion what the deaths of nodes say about the job from now on
     */
    record Cleared(Fence fence, Suspicion suspicion) implements Change {}

    /**
     * The handler reported progress.
     *
     * @param fence the attempt
     * @param progress what it reported
     */
    record Progressed(Fence fence, Progress progress) implements Change {}

    /**
     * The handler saved a checkpoint.
     *
     * @param fence the attempt
     * @param json the checkpoint
     * @param at when
     */
    record Checkpointed(Fence fence, String json, Instant at) implements Change {}

    /**
     * The handler finished a step.
     *
     * @param fence the attempt
     * @param name the name of the step
     * @param json its result
     * @param at when
     */
    record StepDone(Fence fence, String name, String json, Instant at) implements Change {}

    /**
     * The claim was released before it started. The job goes back to the queue, and no attempt is recorded.
     *
     * @param fence the attempt
     * @param reason why
     * @param at when
     */
    record Released(Fence fence, String reason, Instant at) implements Change {}

    /**
     * The attempt ended. If it ended as {@link Attempt.End#CRASHED}, the job's crashes grow by one instead of its
     * failures.
     *
     * @param fence the attempt
     * @param execution how it went
     * @param transition what happens to the job
     * @param saved whether the job may have a checkpoint or steps; if not, a store need not look for them
     * @param sequel jobs to store in the same transaction, as by {@link Store#insert}, if the fence holds; none of them
     *         has a capacity, and jobs that exist already stay as they are
     * @param fingerprint the {@link dev.heddle.stats.ErrorFingerprint} of the failure, kept with a dead letter; null if
     *         there is none
     */
    record Ended(Fence fence, Execution execution, Transition transition, boolean saved, List<NewJob> sequel,
            @Nullable String fingerprint) implements Change {

        /** Creates a change without a fingerprint. */
        public Ended(Fence fence, Execution execution, Transition transition, boolean saved, List<NewJob> sequel) {
            this(fence, execution, transition, saved, sequel, null);
        }

        /** Creates a change without a sequel. */
        public Ended(Fence fence, Execution execution, Transition transition, boolean saved) {
            this(fence, execution, transition, saved, List.of(), null);
        }
    }

    /**
     * The first phase of a two-phase job ended. Its children and its new phase and state are stored in one transaction.
     *
     * @param end the end of the attempt, with a {@link Transition.Wait}
     * @param children jobs to store as by {@link Store#insert}; none of them has a capacity
     */
    record Ingested(Ended end, List<NewJob> children) implements Change {
        @Override
        public Fence fence() {
            return end.fence();
        }
    }

    /**
     * How an attempt went, for its record.
     *
     * @param worker the worker that ran it
     * @param assignedAt when the job was claimed
     * @param startedAt when the handler started
     * @param endedAt when the attempt ended
     * @param end how it ended
     * @param failure why it failed; null if it did not
     */
    record Execution(String worker, Instant assignedAt, Instant startedAt, Instant endedAt, Attempt.End end,
            @Nullable Failure failure) {}
}

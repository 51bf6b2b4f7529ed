package dev.heddle.store;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import org.jspecify.annotations.Nullable;

/** Something an attempt writes, under its fence. */
public sealed interface Change {

    Fence fence();

    /** The handler runs. */
    record Started(Fence fence, Instant at, Care care) implements Change {}

    record Progressed(Fence fence, Progress progress) implements Change {}

    record Checkpointed(Fence fence, String json, Instant at) implements Change {}

    record StepDone(Fence fence, String name, String json, Instant at) implements Change {}

    /** The claim was never started and goes back; no attempt is recorded. */
    record HandedBack(Fence fence, String reason, Instant at) implements Change {}

    /**
     * The attempt is over.
     *
     * @param saved whether a checkpoint or step may exist, so that the others need no look
     * @param sequel jobs that are stored in the same commit, as by {@link Store#insert}, if the fence holds; none of them
     *        has a capacity, and those that are stored already stay as they are
     */
    record Ended(Fence fence, Execution execution, Transition transition, boolean saved,
            List<NewJob> sequel) implements Change {

        public Ended(Fence fence, Execution execution, Transition transition, boolean saved) {
            this(fence, execution, transition, saved, List.of());
        }
    }

    /**
     * The ingest of a two-phase job is over: its children, its phase and its WAITING are one commit.
     *
     * @param end of the attempt, by {@link Transition.Wait}
     * @param children to be stored as by {@link Store#insert}; none of them has a capacity
     */
    record Ingested(Ended end, List<NewJob> children) implements Change {
        @Override
        public Fence fence() {
            return end.fence();
        }
    }

    /** How the attempt went, for its row. */
    record Execution(String worker, Instant assignedAt, Instant startedAt, Instant endedAt, Attempt.End end,
            @Nullable Failure failure) {}
}

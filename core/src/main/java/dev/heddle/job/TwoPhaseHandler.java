package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of a job type in two phases: {@code ingest} spawns children, {@code aggregate} makes one result of
 * what became of them. Between the two the job is {@link JobState#WAITING WAITING} and holds no worker, however many
 * children there are and however long they take.
 *
 * <p>The children, the phase and WAITING are one commit at the end of {@code ingest}: one that fails or crashes has
 * spawned nothing, and runs again from its beginning. Each phase is an attempt of its own, with the timeout of the type;
 * retries are counted over both. Checkpoints and steps of {@code ingest} can be read in {@code aggregate}.
 */
public interface TwoPhaseHandler<P, R> {

    /**
     * Spawns children with {@link JobContext#spawn}; they are stored together once this returns. Where it spawns none,
     * {@link #aggregate} comes next.
     */
    void ingest(P payload, JobContext job) throws Exception;

    /** The result, or null where there is none. Called once all children have ended, in whatever way. */
    @Nullable
    R aggregate(P payload, Children children, JobContext job) throws Exception;

    /** Called once a job is dead, after the commit, on the worker's thread; if it throws, that is logged. */
    default void onDead(Job job) {}
}

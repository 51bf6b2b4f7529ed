package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of a job type in two phases: {@code ingest} spawns children, and {@code aggregate} combines their
 * results once all of them have ended. In between, the job is {@link JobState#WAITING WAITING} and occupies no worker,
 * however long its children take. Must be safe for use by many threads.
 *
 * <p>All children are committed together at the end of {@code ingest}: if it fails or crashes, no child is stored, and
 * it runs again from its beginning. Each phase is an attempt with the full timeout of the type; retries are counted
 * over both. Checkpoints and steps of {@code ingest} can be read in {@code aggregate}.
 *
 * @param <P> the payload
 * @param <R> the result
 */
public interface TwoPhaseHandler<P, R> {

    /**
     * Spawns children with {@link JobContext#spawn}. If it spawns none, {@link #aggregate} runs next.
     *
     * @throws Exception if the attempt failed
     */
    void ingest(P payload, JobContext job) throws Exception;

    /**
     * Combines what became of the children into the result of the job; called once all of them have ended, with or
     * without success.
     *
     * @return the result, or null if there is none
     * @throws Exception if the attempt failed
     */
    @Nullable R aggregate(P payload, Children children, JobContext job) throws Exception;

    /** Called once a job has failed for good, after the commit, on the worker's thread. Exceptions are logged. */
    default void onDead(Job job) {}
}

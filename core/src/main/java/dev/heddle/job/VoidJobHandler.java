package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of a job type whose jobs have no result. Otherwise like {@link JobHandler}.
 *
 * @param <P> the payload
 */
@FunctionalInterface
public interface VoidJobHandler<P> {

    /**
     * Does the work of one attempt.
     *
     * @throws Exception if the attempt failed; throw a {@link JobException} to say what that means for the next attempt
     */
    void handle(P payload, JobContext job) throws Exception;

    /** Called once a job has failed for good, after the commit, on the worker's thread. Exceptions are logged. */
    default void onDead(Job job) {}

    /** Returns this handler as one whose result is always null. */
    default JobHandler<P, Void> asJobHandler() {
        VoidJobHandler<P> self = this;
        return new JobHandler<>() {
            @Override
            public @Nullable Void handle(P payload, JobContext job) throws Exception {
                self.handle(payload, job);
                return null;
            }

            @Override
            public void onDead(Job job) {
                self.onDead(job);
            }
        };
    }
}

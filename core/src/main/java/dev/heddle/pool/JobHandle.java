package dev.heddle.pool;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.job.DurationText;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Limits;
import dev.heddle.job.SubmitEffect;
import org.jspecify.annotations.Nullable;

/**
 * A submitted job, to wait for or to cancel. Holds little more than the id, so keep as many as you like. Safe for use
 * by many threads.
 *
 * @param <R> the result of the job
 */
public final class JobHandle<R> {

    private final Pool pool;
    private final JobId id;
    private final JobType<?, R> type;
    private final SubmitEffect effect;

    JobHandle(Pool pool, JobId id, JobType<?, R> type, SubmitEffect effect) {
        this.pool = pool;
        this.id = id;
        this.type = type;
        this.effect = effect;
    }

    /** Returns the job's id. */
    public JobId id() {
        return id;
    }

    /**
     * Returns whether the submit created the job. False if a job with the same id or dedupe key was there already, and
     * for handles from {@link Pool#job}.
     */
    public boolean isNew() {
        return effect.isNew();
    }

    /**
     * Returns what the submit did: whether it created the job, changed one with its dedupe key, or left that as it is.
     * Handles from {@link Pool#job} say UNCHANGED.
     */
    public SubmitEffect effect() {
        return effect;
    }

    /** Returns the job as the store has it now; empty if it was deleted or retention removed it. */
    public Optional<Job> job() {
        return pool.find(id);
    }

    /**
     * Waits for the job to end and returns its result, or null if it has none.
     *
     * @throws JobFailedException if the job ended FAILED or CANCELLED
     * @throws TimeoutException if the job has not ended in time; it goes on
     */
    public @Nullable R await(Duration timeout) throws TimeoutException, InterruptedException {
        Job job = awaitEnd(timeout);
        if (job.state() != JobState.COMPLETED) {
            throw new JobFailedException(job);
        }
        return job.result().<R>map(json -> pool.codec().read(json, type.resultType(), "result of job " + id))
                .orElse(null);
    }

    /**
     * Waits for the job to end, in whatever state. Listeners and the handler's {@code onDead} may still be running
     * then.
     *
     * @throws TimeoutException if the job has not ended in time; it goes on
     */
    public Job awaitEnd(Duration timeout) throws TimeoutException, InterruptedException {
        try {
            return pool.end(id).get(Limits.waitNanos(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TimeoutException("job " + id + " (" + type + ") has not ended after " + DurationText.of(timeout)
                    + "; it is " + job().map(job -> job.state().name()).orElse("gone"));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /**
     * Returns a new future that completes with the job once it has ended, in whatever state. What you attach to it runs
     * on a virtual thread and may take its time.
     */
    public CompletableFuture<Job> completion() {
        return pool.completion(id);
    }

    /** Cancels the job. A running handler is told by its cancellation token. */
    public void cancel(String reason) {
        pool.admin().cancel(id, reason);
    }
}

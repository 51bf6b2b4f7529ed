package dev.heddle.pool;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.SpanText;
import org.jspecify.annotations.Nullable;

/** A submitted job, to wait for or to cancel. Holds nothing but the id, so keep as many as you like. */
public final class JobHandle<R> {

    private final Pool pool;
    private final JobId id;
    private final JobType<?, R> type;

    JobHandle(Pool pool, JobId id, JobType<?, R> type) {
        this.pool = pool;
        this.id = id;
        this.type = type;
    }

    public JobId id() {
        return id;
    }

    /** The job as the store has it now; empty where retention removed it. */
    public Optional<Job> job() {
        return pool.find(id);
    }

    /**
     * Waits for the end and returns the result, null where the handler returned none.
     *
     * @throws JobFailedException where the job ended FAILED or CANCELLED
     * @throws TimeoutException where it has not ended in time; it goes on
     */
    public @Nullable R await(Duration timeout) throws TimeoutException, InterruptedException {
        Job job = end(timeout);
        if (job.state() != JobState.COMPLETED) {
            throw new JobFailedException(job);
        }
        return job.result().map(json -> pool.codec().read(json, type.resultType(), "result of job " + id))
                .orElse(null);
    }

    /** Waits for the end, whatever it is; listeners and the failure hook may still be running then. */
    public Job end(Duration timeout) throws TimeoutException, InterruptedException {
        try {
            return ending().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new TimeoutException(
                    "job " + id + " (" + type + ") has not ended after " + SpanText.of(timeout) + "; it is "
                            + job().map(job -> job.state().name()).orElse("gone"));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause
                    : new IllegalStateException(e.getCause());
        }
    }

    /** Completes when the job has ended, in whatever way. */
    public CompletableFuture<Job> ending() {
        return pool.ending(id);
    }

    /** Ends the job if it has not ended; a running handler is told by its token. */
    public void cancel(String reason) {
        pool.cancel(id, reason);
    }
}

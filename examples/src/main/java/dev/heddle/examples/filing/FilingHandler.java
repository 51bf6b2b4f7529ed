package dev.heddle.examples.filing;

import java.io.IOException;
import java.io.UncheckedIOException;

import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/**
 * Files a document: loads the checkpoint, skips the completed steps, and saves the checkpoint after each step. The pool
 * deletes the checkpoint when the job completes and keeps it if the job becomes a dead letter.
 */
record FilingHandler(Wiki wiki) implements JobHandler<Filing, Void> {

    static final JobType<Filing, Void> FILE = JobType.of("file", Filing.class);

    static JobRequest<Filing, Void> request(String documentId) {
        return FILE.with(new Filing(documentId)).subject(documentId).dedupeKey("file-" + documentId);
    }

    @Override
    public @Nullable Void handle(Filing filing, JobContext job) {
        Checkpoint checkpoint = job.checkpoint(Checkpoint.class).orElse(Checkpoint.NOTHING);
        for (Step step : Step.values()) {
            if (!checkpoint.has(step) && succeeds(step, filing.documentId(), job)) {
                checkpoint = checkpoint.with(step);
                job.saveCheckpoint(checkpoint);
            }
        }
        return null;
    }

    private boolean succeeds(Step step, String documentId, JobContext job) {
        try {
            step.run(wiki, documentId);
            return true;
        } catch (IOException e) {
            switch (step.consequenceOf(e)) {
                case Step.Consequence.Fail(JobException failure) -> throw failure;
                case Step.Consequence.Warn(String message) -> {
                    job.log().atWarn().setCause(e).addKeyValue("document", documentId).log(message);
                    return false;
                }
            }
        }
    }

    /** Posts a comment once all retries are used up. If that fails too, the pool only logs a warning. */
    @Override
    public void onDead(Job job) {
        try {
            wiki.postComment(job.spec().subject().orElseThrow(), "⚠️ Task failed after multiple retries. "
                    + "Task ID: " + job.id() + ". Manual review may be needed. See logs for details.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

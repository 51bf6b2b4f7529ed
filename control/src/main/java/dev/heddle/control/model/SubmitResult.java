package dev.heddle.control.model;

import java.util.List;

import dev.heddle.job.SubmitEffect;

/**
 * The answer to a submission: all of its jobs are committed.
 *
 * @param jobs one entry for each draft, in order
 * @param warnings what the caller should look at, such as a type without a handler
 */
public record SubmitResult(List<Accepted> jobs, List<String> warnings) {

    /**
    * The job of one draft.
    *
    * @param id the id of the job that stands
    * @param duplicate whether the job existed before, with the same id or dedupe key
    * @param effect what the submission did
    */
    public record Accepted(String id, boolean duplicate, SubmitEffect effect) {}
}

package dev.heddle.control;

import java.util.List;

/**
 * What became of a submission: all of it is on disk.
 *
 * @param jobs one for each draft, in order
 * @param warnings what should be looked at, such as a type that has no handler
 */
public record Submitted(List<Accepted> jobs, List<String> warnings) {

    /**
     * The job that stands for a draft.
     *
     * @param duplicate whether it was there before, under the same dedupe key
     */
    public record Accepted(String id, boolean duplicate) {}
}

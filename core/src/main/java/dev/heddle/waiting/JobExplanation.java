package dev.heddle.waiting;

import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;

/**
 * Why a job does not run now, or that it does.
 *
 * @param job the job
 * @param state its state in the store
 * @param reasons all that keeps it from running, the most important first; never empty
 */
public record JobExplanation(JobId job, JobState state, List<WaitReason> reasons) {

    /** Copies the reasons. */
    public JobExplanation {
        reasons = List.copyOf(reasons);
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("an explanation needs a reason");
        }
    }

    /** Returns the most important reason. */
    public WaitReason main() {
        return reasons.getFirst();
    }

    /** Returns the reasons as sentences. */
    @Override
    public String toString() {
        return String.join(" ", reasons.stream().map(WaitReason::text).toList());
    }
}

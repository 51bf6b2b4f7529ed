package dev.heddle.dedupe;

import java.util.List;

import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.SubmitEffect;
import org.jspecify.annotations.Nullable;

/**
 * What a submit does.
 *
 * @param job the job that stands afterwards
 * @param effect what is done
 * @param start when the job may start, if it is new or changed
 * @param cancelled the jobs to cancel, the older first
 * @param behind the job that has to end before the new one can be claimed; null if none has to
 * @param memory what to remember of the key; null if nothing new
 */
public record KeyDecision(JobId job, SubmitEffect effect, Start start, List<Member> cancelled, @Nullable JobId behind,
        @Nullable KeyMemory memory) {

    /** Returns whether an unclaimed job takes the payload and options of the submit. */
    public boolean changesJob() {
        return effect == SubmitEffect.REPLACED || effect == SubmitEffect.DEBOUNCED;
    }
}

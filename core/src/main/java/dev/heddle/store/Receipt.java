package dev.heddle.store;

import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import dev.heddle.job.SubmitEffect;

/** The result of a {@link Submission}. */
public sealed interface Receipt {

    /**
     * All jobs of the submission are stored.
     *
     * @param jobs one entry per submitted job, in order
     */
    record Accepted(List<Stored> jobs) implements Receipt {}

    /**
     * A job that is stored.
     *
     * @param id the id of the job that stands; if it differs from the submitted one, it is that of a job with the same
     *         dedupe key
     * @param effect what the submission did
     */
    record Stored(JobId id, SubmitEffect effect) {

        /** Creates the entry of a job that the submission created, or left unchanged. */
        public Stored(JobId id, boolean isNew) {
            this(id, isNew ? SubmitEffect.CREATED : SubmitEffect.UNCHANGED);
        }

        /** Returns whether this submission created the job. */
        public boolean isNew() {
            return effect.isNew();
        }
    }

    /**
     * A job names a parent that does not exist, or that the spawning attempt no longer holds; nothing was stored.
     *
     * @param parent the id of that parent
     */
    record NoParent(JobId parent) implements Receipt {}

    /**
     * A queue has no room; nothing was stored.
     *
     * @param queue the name of the queue
     * @param capacity its capacity
     */
    record Full(String queue, int capacity) implements Receipt {}

    /**
     * A limit that drops new jobs has no room; nothing was stored.
     *
     * @param key the key without room
     */
    record NoRoom(LimitKey key) implements Receipt {}
}

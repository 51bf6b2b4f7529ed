package dev.heddle.waiting;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Limit;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Suspicion;
import org.jspecify.annotations.Nullable;

/**
 * An optional capability of a store: reads what {@link JobExplanation} needs to know about a job. The effort does not
 * grow with the number of jobs.
 */
public interface WaitStore {

    /** The most jobs that are counted. */
    int MOST_COUNTED = 1_000;

    /** The most holders of a limit that are named. */
    int MOST_HOLDERS = 10;

    /** Reads the facts about a job as of one moment; empty if there is no such job. */
    Optional<Facts> waitFacts(JobId id);

    /**
     * What the store knows about a job that may wait.
     *
     * @param job the job
     * @param now the time by the clock of the store
     * @param suspicion what the deaths of nodes say about it; {@link Suspicion#NONE} if it has ended
     * @param queuePaused whether its queue is paused
     * @param lastAttempt its last attempt that ended; null if none has
     * @param lastChange its last history entry; null if there is none
     * @param limits its limits that exist, with their use
     * @param binding the worker that has its session; null if it has no session, or none has it
     * @param ahead how many QUEUED jobs of its queue and type are claimed before it, at most {@link #MOST_COUNTED} + 1
     * @param liveChildren how many of its children have not ended, at most {@link #MOST_COUNTED} + 1
     * @param behind the job with its dedupe key that has to end first; null if there is none
     */
    record Facts(Job job, Instant now, Suspicion suspicion, boolean queuePaused, @Nullable Attempt lastAttempt,
            @Nullable HistoryEntry lastChange, List<KeyUse> limits, @Nullable Binding binding, int ahead,
            int liveChildren, @Nullable JobId behind) {

        /** Copies the list. */
        public Facts {
            limits = List.copyOf(limits);
        }
    }

    /**
     * A limit of a job, and how much of its key is in use.
     *
     * @param key the key
     * @param limit the limit
     * @param held how many jobs nodes hold under the key
     * @param holders the first of these jobs, at most {@link #MOST_HOLDERS}
     * @param rateState the state of its {@link dev.heddle.limit.Rate}; 0 if it has none
     */
    record KeyUse(LimitKey key, Limit limit, long held, List<JobId> holders, long rateState) {

        /** Copies the list. */
        public KeyUse {
            holders = List.copyOf(holders);
        }
    }
}

package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What a claim brought.
 *
 * @param jobs the claims, in the order they should start
 * @param promoted how many SCHEDULED jobs were due and became QUEUED
 * @param nextDue when the next SCHEDULED job is due; null where there is none
 */
public record Claimed(List<Claim> jobs, int promoted, @Nullable Instant nextDue) {

    /**
     * A job that is now this node's.
     *
     * @param suspect whether a dead node held it before
     */
    public record Claim(Job job, boolean suspect) {

        /** Whether it was running when this node got it: its work goes on, and is not to be started. */
        public boolean isAdopted() {
            return job.state() == JobState.RUNNING;
        }

        public Fence fence() {
            return new Fence(job.seq(), job.counts().attempt(), Objects.requireNonNull(job.status().node()));
        }
    }
}

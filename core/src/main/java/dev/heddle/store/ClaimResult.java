package dev.heddle.store;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link ClaimRequest}.
 *
 * @param claims the claimed jobs, in the order in which they should start
 * @param promoted how many SCHEDULED jobs were due and became QUEUED
 * @param untilDue how long until the next SCHEDULED job is due, by the clock of the store; null if there is none
 */
public record ClaimResult(List<Claim> claims, int promoted, @Nullable Duration untilDue) {

    /**
     * Returns the result with the submissions of its jobs as much later as the claim took. The store may have counted
     * from the end of the claim, and nobody should take a deadline for passed before it has.
     */
    public ClaimResult afterCall(Duration took) {
        return claims.stream().allMatch(claim -> claim.submitted == null) ? this
                : new ClaimResult(claims.stream().map(claim -> claim.later(took)).toList(), promoted, untilDue);
    }

    /**
     * A job that the node has claimed.
     *
     * @param job the job
     * @param suspicion what the deaths of nodes say about it
     * @param damage what the store cannot read of the job, in which case it must not run; null if all is well
     * @param reserved how much longer an adopted attempt is {@linkplain AdoptionStore.Reservation reserved}, by the
     *         clock of the store; null if the job is not adopted
     * @param submitted when the job was submitted or last {@linkplain AdminCommand.Retry retried by hand}, in the time
     *         of {@link ClaimRequest#elapsed}. The store measures by its own clock how long ago that was. Null if the
     *         job has no session
     */
    public record Claim(Job job, Suspicion suspicion, @Nullable String damage, @Nullable Duration reserved,
            @Nullable Duration submitted) {

        /** Creates a claim of a job that is stored as it should be. */
        public Claim(Job job, Suspicion suspicion) {
            this(job, suspicion, null, null, null);
        }

        /** Returns the claim of a job of which the store cannot read everything. */
        public static Claim damaged(Job job, Suspicion suspicion, String damage) {
            return new Claim(job, suspicion, damage, null, null);
        }

        /** Returns the claim of an attempt that was running already, and is reserved for so much longer. */
        public static Claim adopted(Job job, Duration reserved) {
            return new Claim(job, Suspicion.NONE, null, reserved, null);
        }

        /** Returns a copy that knows when the job was submitted. */
        public Claim submittedAt(Duration elapsed) {
            return new Claim(job, suspicion, damage, reserved, elapsed);
        }

        private Claim later(Duration by) {
            return submitted == null ? this : submittedAt(submitted.plus(by));
        }

        /** Returns whether the job may have caused the death of a node. */
        public boolean suspect() {
            return suspicion.suspect();
        }

        /**
         * Returns whether the job was running already when this node got it, so its work continues and must not start
         * again.
         */
        public boolean isAdopted() {
            return job.state() == JobState.RUNNING;
        }

        /** Returns the fence that every write of the attempt carries. */
        public Fence fence() {
            return new Fence(job.seq(), job.counts().attempt(), Objects.requireNonNull(job.status().node(), "node"));
        }
    }
}

package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job that a dead node held.
 *
 * @param job the job
 * @param guarantee how its attempt was started; NONE if it never was
 * @param hasCheckpoint whether the job has a checkpoint
 * @param children how many children it has, in any state, counted for jobs in their second phase only;
 *         {@link #UNREADABLE} if they could not be read, 0 for all other jobs
 * @param suspicion what earlier deaths of nodes say about the job
 * @param ranFor how long the attempt had run when its node died, by {@link #ranFor(Instant, Instant, Duration, Instant)}
 * @param cancelledBeside how many attempts of cancelled jobs still ran on the same node, and had not outlived their
 *         probation
 */
public record Orphan(Job job, StartGuarantee guarantee, boolean hasCheckpoint, long children, Suspicion suspicion,
        Duration ranFor, int cancelledBeside) {

    /** The number of children if they could not be read. */
    public static final long UNREADABLE = -1;

    /** Creates an orphan that ran beside no attempt of a cancelled job. */
    public Orphan(Job job, StartGuarantee guarantee, boolean hasCheckpoint, long children, Suspicion suspicion,
            Duration ranFor) {
        this(job, guarantee, hasCheckpoint, children, suspicion, ranFor, 0);
    }

    /** Returns this orphan with another number of children. */
    public Orphan withChildren(long count) {
        return new Orphan(job, guarantee, hasCheckpoint, count, suspicion, ranFor, cancelledBeside);
    }

    /** Returns this orphan with another number of cancelled attempts beside it. */
    public Orphan withCancelledBeside(int count) {
        return new Orphan(job, guarantee, hasCheckpoint, children, suspicion, ranFor, count);
    }

    /**
     * Estimates how long an attempt had run when its node died. Nobody knows when that was, but nodes renew their lease
     * three times as often as they must. The middle of the time until the next renewal is right to within half of it:
     * twice the estimate is never less than the truth.
     *
     * @param startedAt when the attempt started; null if it had not
     * @param renewedAt when the node last renewed its lease; null if that is not known
     * @param lease the lease of the node
     * @param now when the node was found dead
     */
    public static Duration ranFor(@Nullable Instant startedAt, @Nullable Instant renewedAt, Duration lease,
            Instant now) {
        if (startedAt == null) {
            return Duration.ZERO;
        }
        Instant died = renewedAt == null ? now : renewedAt.plus(lease.dividedBy(6));
        Duration ran = Duration.between(startedAt, died.isBefore(now) ? died : now);
        return ran.isNegative() ? Duration.ZERO : ran;
    }
}

package dev.heddle.engine.execute;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.log.LogWriter;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Store;

/** What a running attempt needs from its node. */
public interface AttemptServices {

    /** Returns where time, randomness and threads come from. */
    Environment env();

    /** Returns the time of day. */
    default Instant now() {
        return env().clock().instant();
    }

    /** Returns the store. */
    Store store();

    /** Returns the ledger, which writes the attempt's changes. */
    Ledger ledger();

    /** Returns what stores the logs of attempts. */
    LogWriter logs();

    /** Returns what decides whether starts must be committed first. */
    ProbationWatch probation();

    /** Returns the crash at which a job is dead-lettered. */
    int maxCrashes();

    /** Returns the codec for payloads, results and checkpoints. */
    JsonCodec codec();

    /** Returns the JSON; throws {@link IllegalArgumentException} if it cannot be stored. */
    String requireStorable(String json, String what);

    /** Publishes an event to observers of the pool. */
    void publish(Supplier<PoolEvent> event);

    /** Tells the attempt to stop; returns the exception to throw to its handler. */
    JobCancelledException stop(RunningAttempt run, StopCause cause, String reason);

    /** Reserves the attempt for this machine in case the node ends; returns false if the attempt has lost its job. */
    boolean reserve(RunningAttempt run);

    /** Stores a child at once; empty if the attempt has lost the parent. */
    Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt);

    /** Returns a child as it will be stored; throws {@link IllegalArgumentException} if it cannot be. */
    NewJob encodeChild(JobRequest<?, ?> child);

    /** Returns the jobs to store together with the end of this job. */
    List<NewJob> sequelOf(Job ended);
}

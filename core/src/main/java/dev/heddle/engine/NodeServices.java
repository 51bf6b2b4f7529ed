package dev.heddle.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.execute.AttemptServices;
import dev.heddle.engine.execute.ProbationWatch;
import dev.heddle.engine.execute.RunningAttempt;
import dev.heddle.engine.execute.StopCause;
import dev.heddle.engine.execute.Watchdog;
import dev.heddle.engine.log.LogWriter;
import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.submit.Sequels;
import dev.heddle.engine.support.EventPublisher;
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

/**
 * Gives attempts access to the parts of their node.
 *
 * @param reservation reserves an attempt for this machine; false if the attempt has lost its job
 */
record NodeServices(Environment env, Store store, Ledger ledger, LogWriter logs, ProbationWatch probation,
        int maxCrashes, JsonCodec codec, Intake intake, Sequels sequels, EventPublisher events, Watchdog watchdog,
        Predicate<RunningAttempt> reservation) implements AttemptServices {

    @Override
    public String requireStorable(String json, String what) {
        return intake.requireStorable(json, what);
    }

    @Override
    public void publish(Supplier<PoolEvent> event) {
        events.publish(event);
    }

    @Override
    public JobCancelledException stop(RunningAttempt run, StopCause cause, String reason) {
        watchdog.stop(run, cause, reason);
        return new JobCancelledException(reason);
    }

    @Override
    public boolean reserve(RunningAttempt run) {
        return reservation.test(run);
    }

    @Override
    public Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt) {
        return intake.spawn(child, attempt);
    }

    @Override
    public NewJob encodeChild(JobRequest<?, ?> child) {
        return intake.encode(child);
    }

    @Override
    public List<NewJob> sequelOf(Job ended) {
        return sequels.jobsAfter(ended);
    }
}

package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What a handler can ask and tell while it runs. One per attempt; do not keep it. */
public interface JobContext {

    JobId id();

    /** The number of this attempt, from 1; grows with every claim. */
    int attempt();

    /** The worker that runs it. */
    String worker();

    Optional<String> subject();

    Set<String> tags();

    /** The client's key that keeps its jobs on one worker, where the job has one. */
    Optional<String> session();

    Cancellation cancellation();

    /** When the attempt's time is over. */
    Instant deadline();

    /** Logs with job, type, attempt and worker as MDC fields. */
    Logger log();

    /** Says that the attempt is alive, for the stall monitor. Progress, steps and checkpoints say so too. */
    void heartbeat();

    /** Shows how far the attempt is. Cheap: only the newest value is written, with the next commit. */
    void progress(long current, long total, String message);

    /** What an earlier attempt, or this one, saved last. */
    <T> Optional<T> checkpoint(Class<T> type);

    /**
     * Saves where to go on; durable when it returns. Replaces the checkpoint before it. An attempt that is to stop
     * ends here with {@link JobCancelledException}, once the checkpoint is saved.
     */
    void saveCheckpoint(Object value);

    /**
     * Runs the action once for the job: its result is committed before this returns, and a later attempt
     * gets the stored result instead of running it again. A process that dies after the action's effect and
     * before the commit runs it again. A name may be used once in an attempt. An attempt that is to stop ends the step
     * it is in and begins no other: then this throws {@link JobCancelledException}.
     */
    <T extends @Nullable Object> T step(String name, Class<T> type, Callable<T> action) throws Exception;

    /** The same for an action that has an effect and no result. */
    default void step(String name, Effect action) throws Exception {
        step(name, Void.class, () -> {
            action.run();
            return null;
        });
    }

    /** What a step without a result does. */
    @FunctionalInterface
    interface Effect {
        void run() throws Exception;
    }

    /**
     * Says that what this attempt is about to start goes on when its node ends. Durable when it returns, so call it first.
     * A node that ends leaves such an attempt as it is. Until a minute after its deadline only the next node on the same
     * machine may have it, and runs the handler again under the same number, to go on with that work; afterwards the job is
     * run again like all others. A handler that is told to stop because it {@link Cancellation#goesBack goes back} leaves
     * its work alone and ends by an exception.
     */
    void outliveNode();

    /**
     * Submits a child of this job. Never refused by a queue's capacity. It is stored when this returns, but for the
     * {@code ingest} of a {@link TwoPhaseHandler}, whose children are stored together when it has returned. An attempt
     * that has lost its job spawns nothing: it is stopped here.
     */
    <P, R> JobId spawn(JobRequest<P, R> child);

    /** Submits a child of this job with no further options. */
    default <P, R> JobId spawn(JobType<P, R> type, P payload) {
        return spawn(type.with(payload));
    }

    /** Sleeps, and ends early with {@link JobCancelledException} when the attempt is cancelled. */
    void sleep(Duration duration);
}

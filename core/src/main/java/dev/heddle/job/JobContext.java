package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

import dev.heddle.log.LogStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What a handler knows and can do while it runs. Each attempt has its own context, which is of no use once the handler
 * has returned. Safe for use by several threads of one handler, but steps should run one after the other.
 */
public interface JobContext {

    /** Returns what was submitted. */
    JobSpec spec();

    /** Returns the id of the job. */
    default JobId id() {
        return spec().id();
    }

    /** Returns the number of this attempt, from 1. It grows with every claim of the job. */
    int attempt();

    /** Returns the id of the worker that runs the attempt. */
    String worker();

    /** Returns what the job is about, if it was submitted with a subject. */
    default Optional<String> subject() {
        return spec().subject();
    }

    /** Returns the tags of the job. */
    default Set<String> tags() {
        return spec().tags();
    }

    /** Returns what the submitter passed along beside the payload; empty if nothing. */
    default Map<String, String> headers() {
        return spec().headers();
    }

    /** Returns the session of the job, if it was submitted in one. */
    default Optional<String> session() {
        return spec().session();
    }

    /** Returns the token that tells whether the attempt should stop. */
    Cancellation cancellation();

    /** Returns when the attempt times out, if nobody sets the clock meanwhile. */
    Instant deadline();

    /** Returns how long it takes until the attempt times out, whatever the clock shows; negative if it has. */
    Duration timeLeft();

    /**
     * Returns a logger. What it logs is in the log of the job, and goes to the application's logger
     * {@code heddle.job.TYPE}. Everything from level INFO up is kept with the job, lower levels if the application's
     * logger has them. While a handler runs, the MDC of its thread names job, type, attempt and worker.
     */
    Logger log();

    /**
     * Adds a line that a process of this job wrote to the log of the job.
     *
     * @param stream {@link LogStream#STDOUT} or {@link LogStream#STDERR}
     */
    void output(LogStream stream, String line);

    /**
     * Reports that the attempt is alive, for types that have a stall time. Progress, steps and checkpoints do so, too.
     */
    void heartbeat();

    /**
     * Reports how far the attempt is. Cheap: only the latest value is written, with the next commit of the node.
     *
     * @param current how much is done
     * @param total how much there is to do; 0 if unknown
     * @param message a short text for people; may be empty
     */
    void progress(long current, long total, String message);

    /**
     * Returns the last checkpoint that this attempt or an earlier one saved.
     *
     * @param <T> the type of the checkpoint
     */
    <T> Optional<T> checkpoint(Class<T> type);

    /**
     * Returns the last checkpoint, of a generic type.
     *
     * @param <T> the type of the checkpoint
     */
    <T> Optional<T> checkpoint(TypeRef<T> type);

    /**
     * Saves a checkpoint from which a later attempt can continue. It is durable once this method returns, and replaces
     * the previous one.
     *
     * @throws JobCancelledException if the attempt should stop; the checkpoint is saved all the same
     */
    void saveCheckpoint(Object value);

    /**
     * Runs an action once for the job and returns its result. The result is committed before this method returns; a
     * later attempt gets the stored result instead of running the action again. If the process dies after the action
     * and before the commit, the action runs again.
     *
     * @param <T> the type of the result
     * @param name identifies the step; use each name once per attempt
     * @throws JobCancelledException if the attempt should stop: no new step begins, and a step that runs is committed
     *         first
     */
    <T extends @Nullable Object> T step(String name, Class<T> type, Callable<T> action) throws Exception;

    /**
     * Runs an action once for the job, like {@link #step(String, Class, Callable)}, with a result of a generic type.
     *
     * @param <T> the type of the result
     */
    <T extends @Nullable Object> T step(String name, TypeRef<T> type, Callable<T> action) throws Exception;

    /** Runs an action without a result once for the job, like {@link #step(String, Class, Callable)}. */
    default void step(String name, Effect action) throws Exception {
        step(name, Void.class, () -> {
            action.run();
            return null;
        });
    }

    /** The action of a step without a result. */
    @FunctionalInterface
    interface Effect {

        /** Runs the action. */
        void run() throws Exception;
    }

    /**
     * Declares that the work this attempt is about to start continues if the node ends, such as a process that is not a
     * child of the node. The declaration is durable once this method returns, so call it before you start the work.
     *
     * <p>A node that ends leaves such an attempt as it is. Until one minute after the deadline, only the next node on
     * the same machine may take the attempt over: it runs the handler again, under the same attempt number, to pick up
     * the work. After that the job is recovered like any other. If {@link Cancellation#jobContinues} is true, the
     * handler must leave its work alone and end with an exception.
     *
     * @throws JobCancelledException if the attempt should stop; then the work must not start
     * @throws IllegalStateException if the pool has no {@code detachedWork}
     */
    void detachFromNode();

    /**
     * Submits a child of this job, ignoring the capacity of its queue. The child is stored once this method returns;
     * only the children of {@link TwoPhaseHandler#ingest} are stored later, all together, when {@code ingest} has
     * returned.
     *
     * @throws JobCancelledException if another attempt has the job by now; nothing is stored
     */
    <P, R> JobId spawn(JobRequest<P, R> child);

    /** Submits a child of this job with default options. */
    default <P, R> JobId spawn(JobType<P, R> type, P payload) {
        return spawn(type.with(payload));
    }

    /**
     * Runs this job again after a delay, once this attempt has ended well: the same job, under the same id and with the
     * same payload. The next run starts afresh. Nothing counts as failed, all steps run again, and there is no
     * checkpoint. The result of this attempt is ignored. If the handler throws after all, the attempt fails like any
     * other, and the job is not rescheduled. The last call wins.
     *
     * @throws JobException if the job has two phases
     */
    void rescheduleIn(Duration delay);

    /**
     * Runs this job again after a delay, like {@link #rescheduleIn(Duration)}.
     *
     * @param data what the next run finds as its {@linkplain #checkpoint checkpoint}, such as how far this one came
     */
    void rescheduleIn(Duration delay, Object data);

    /** Runs this job again at a time, like {@link #rescheduleIn(Duration)}; a time in the past means at once. */
    void rescheduleAt(Instant time);

    /**
     * Runs this job again at a time, like {@link #rescheduleAt(Instant)}.
     *
     * @param data what the next run finds as its {@linkplain #checkpoint checkpoint}, such as how far this one came
     */
    void rescheduleAt(Instant time, Object data);

    /**
     * Sleeps for this time.
     *
     * @throws JobCancelledException as soon as the attempt should stop
     */
    void sleep(Duration duration);
}

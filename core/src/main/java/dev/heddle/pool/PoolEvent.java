package dev.heddle.pool;

import java.time.Duration;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Progress;
import dev.heddle.store.AdminCommand;
import dev.heddle.worker.WorkerEvent;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on this node. Other nodes report their own events. Events about stored changes come after the
 * commit. Events of different threads may arrive out of order: a job that is claimed at once may be reported as started
 * before it is reported as submitted.
 */
public sealed interface PoolEvent {

    /**
     * Jobs of one type were submitted to one queue together.
     *
     * @param type the name of their type
     * @param queue the name of their queue
     * @param first the id of the first
     * @param count how many, at least 1
     */
    record Submitted(String type, String queue, JobId first, int count) implements PoolEvent {}

    /**
     * A handler is about to start; its start may not be committed yet.
     *
     * @param job the job
     * @param worker the worker that runs it
     */
    record Started(Job job, String worker) implements PoolEvent {}

    /**
     * A handler reported progress.
     *
     * @param job the job
     * @param progress what it reported
     */
    record Progressed(Job job, Progress progress) implements PoolEvent {}

    /**
     * An attempt ended.
     *
     * @param job the job after the attempt; its state says what happens next
     * @param worker the worker that ran it
     * @param end how the attempt ended
     * @param took how long the handler ran
     * @param failure why it failed; null if it did not
     */
    record Ended(Job job, String worker, Attempt.End end, Duration took,
            @Nullable Failure failure) implements PoolEvent {}

    /**
     * A command was executed through this node.
     *
     * @param command the command
     * @param count how many jobs or queues it changed, at least 1
     */
    record Commanded(AdminCommand command, int count) implements PoolEvent {}

    /**
     * Something happened to a worker that is more than a thread of this JVM.
     *
     * @param event what happened
     */
    record OfWorker(WorkerEvent event) implements PoolEvent {}
}

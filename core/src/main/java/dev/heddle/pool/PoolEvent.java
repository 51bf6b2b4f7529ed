package dev.heddle.pool;

import java.time.Duration;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Progress;
import dev.heddle.store.Command;
import dev.heddle.worker.WorkerEvent;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on this node, after its commit where there is one. Other nodes tell their own. Threads do not
 * wait for each other to tell: a job that is claimed at once may be told as started before it is told as submitted.
 */
public sealed interface PoolEvent {

    /**
     * Jobs of one type came into one queue with one submission.
     *
     * @param first the first of them
     * @param count how many, at least 1
     */
    record Submitted(String type, String queue, JobId first, int count) implements PoolEvent {}

    /** A handler is about to start; the commit of it may still be on its way. */
    record Started(Job job, String worker) implements PoolEvent {}

    record Progressed(Job job, Progress progress) implements PoolEvent {}

    /**
     * An attempt is over.
     *
     * @param job as it stands now; its state says what became of it
     * @param took the execution time
     * @param failure why, where it failed
     */
    record Ended(Job job, String worker, Attempt.End end, Duration took,
            @Nullable Failure failure) implements PoolEvent {}

    /**
     * Somebody asked for something through this node, and it was done.
     *
     * @param count how many jobs or queues it changed, at least 1
     */
    record Commanded(Command command, int count) implements PoolEvent {}

    /** Something happened to a worker that is more than a thread of this JVM. */
    record OfWorker(WorkerEvent event) implements PoolEvent {}
}

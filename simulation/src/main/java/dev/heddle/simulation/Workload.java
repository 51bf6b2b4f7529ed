package dev.heddle.simulation;

import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * One kind of jobs: how it is submitted, what its handler does, and what must be true of it. Has no state. Its handler
 * may run in another process than its rules, so both meet only in {@link Report}s and in the store.
 */
abstract class Workload {

    private final JobType<Integer, String> type;

    Workload(JobType<Integer, String> type) {
        this.type = type;
    }

    final JobType<Integer, String> type() {
        return type;
    }

    /** What the handler does. */
    abstract @Nullable String handle(HandlerCall call) throws Exception;

    /** Registers the handler with the pool of a node. */
    void register(PoolBuilder pool, Host host) {
        pool.register(type, (JobHandler<Integer, String>) (behavior, job) -> new HandlerCall(host, job, behavior)
                .watched(this::handle));
    }

    /** Adds options to a new job. */
    JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
        return request;
    }

    /** Returns whether its handler goes on when it should stop, for a moment even after its job was given to another. */
    boolean ignoresCancellation() {
        return false;
    }

    /** Prepares the store, before any node opens. */
    void prepare(Store store) {}

    /** Ends what holds jobs back on purpose, once there are no more faults. May be called often. */
    void release(Store store) {}

    /** Returns what has yet to happen besides the ends of all jobs before a run is over; empty if nothing has. */
    Optional<String> unfinished(JobReader store) {
        return Optional.empty();
    }

    /** Returns what is wrong with everything together once a run is over; empty if nothing is. */
    List<String> wrongAtEnd(Evidence evidence) {
        return List.of();
    }

    /** Returns what is wrong after a commit that changed the state of one of its jobs; empty if nothing is. */
    Optional<String> wrongNow(Story changed, Evidence evidence) {
        return Optional.empty();
    }

    /** Returns what is wrong with the story of a job, however far it is; empty if nothing is. */
    Optional<String> wrongSoFar(Story story, Evidence evidence) {
        return Optional.empty();
    }

    /** Returns what is wrong with a job that has ended; empty if nothing is. */
    Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
        Job job = details.job();
        return job.state() == JobState.COMPLETED || isExcused(story, job, evidence) ? Optional.empty() : ended(job);
    }

    static Optional<String> ended(Job job) {
        return Optional.of("ended as " + job.state() + ": " + job.reason().orElse(""));
    }

    /** A job may be cancelled on request, and an innocent one may be blamed for deaths that no job has caused. */
    static boolean isExcused(Story story, Job job, Evidence evidence) {
        return (job.state() == JobState.CANCELLED && story.wasOrdered(Order.CANCEL))
                || (isBlamed(job) && evidence.mayDieByChance() && evidence.deaths() >= 3);
    }

    /** Returns whether a job failed because it is said to have killed its nodes. */
    static boolean isBlamed(Job job) {
        return job.state() == JobState.FAILED && job.reason().orElse("").startsWith("poison");
    }
}

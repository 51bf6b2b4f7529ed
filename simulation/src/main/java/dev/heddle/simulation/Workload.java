package dev.heddle.simulation;

import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;

/** One kind of jobs: how it is submitted, what its handler does, and what must be true of it in the end. */
abstract class Workload {

    final World world;
    private final JobType<Integer, String> type;

    Workload(World world, JobType<Integer, String> type) {
        this.world = world;
        this.type = type;
    }

    final JobType<Integer, String> type() {
        return type;
    }

    /** What the handler does; it is called under the eyes of the {@link World}. */
    abstract @Nullable String handle(Story story, JobContext job) throws Exception;

    /** Registers the handler with the pool of a node. */
    void register(PoolBuilder pool, SimulatedNode node) {
        pool.register(type(), (JobHandler<Integer, String>) (_, job) -> world.watched(job, node, this::handle));
    }

    /** Adds options to a new job. */
    JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
        return request;
    }

    /** Checks now and then, while the simulation runs, what must always be true of its jobs. */
    void check() {}

    /** Returns what is wrong with a job that has ended; empty if nothing is. */
    Optional<String> wrong(Story story, JobDetails details) {
        Job job = details.job();
        if (job.state() == JobState.COMPLETED || isExcused(story, job)) {
            return Optional.empty();
        }
        return Optional.of("ended as " + job.state() + ": " + job.reason().orElse(""));
    }

    /** A job may be cancelled on request, and an innocent one may be blamed for deaths that had another cause. */
    final boolean isExcused(Story story, Job job) {
        return (job.state() == JobState.CANCELLED && story.cancelRequested)
                || (job.state() == JobState.FAILED && job.reason().orElse("").startsWith("poison")
                        && world.deaths() >= 3);
    }
}

package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.HoldReasons;
import dev.heddle.pool.Pool;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobReader;
import dev.heddle.store.Receipt;
import dev.heddle.waiting.JobExplanation;
import tools.jackson.databind.JsonNode;

/** What a {@link LocalControl} reads from and sends commands to: a pool in this process, or a store without a node. */
sealed interface Backend permits PoolBackend, StoreBackend {

    InstantSource clock();

    /** Returns the node in this process; empty if there is none. */
    Optional<Pool> pool();

    JobReader jobs();

    List<Receipt.Stored> submit(List<JobRequest<JsonNode, JsonNode>> requests);

    Schedules schedules();

    CommandResult execute(AdminCommand command);

    /** Ends a client session. Returns false if there is no such session. */
    boolean dropSession(String session);

    /** Waits until the job has ended, was deleted, or the time is over. */
    void await(Job job, Duration atMost) throws InterruptedException;

    void close();

    default Instant now() {
        return clock().instant();
    }

    /** Returns what this node does not start at the moment, with the reasons. */
    default HoldReasons held() {
        return pool().map(open -> open.admin().holdReasons()).orElse(HoldReasons.NONE);
    }

    /** Explains why a job does not run; empty if there is no such job. */
    Optional<JobExplanation> why(JobId job);

    /** Returns the process runs of a job, oldest first; empty if the store does not record runs. */
    default List<Run> runs(JobId job) {
        return jobs().capability(RunArchive.class).map(archive -> archive.runs(job)).orElse(List.of());
    }
}

package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Held;
import dev.heddle.pool.Pool;
import dev.heddle.run.RunArchive;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Ruling;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;
import tools.jackson.databind.JsonNode;

/** What {@link LocalControl} stands on: a pool that runs here, or a store alone. */
sealed interface Ground permits PoolGround, StoreGround {

    Instant now();

    List<JobId> submit(List<JobRequest<JsonNode, JsonNode>> requests);

    Ruling execute(Command command);

    Optional<Job> find(JobId id);

    List<Job> list(JobQuery query);

    Optional<Story> story(JobId id);

    Tally tally();

    List<NodeRecord> nodes();

    /** What processes left, where the store keeps it. */
    Optional<RunArchive> runs();

    /** What a feature of its own needs, where the store keeps it. */
    <T> Optional<T> feature(Class<T> type);

    /** What may not start here now, with the reason. */
    Held held();

    List<Binding> sessions(int limit);

    /** Ends a session; says whether there was one. */
    boolean dropSession(String session);

    /** Returns when the job has ended, is gone, or the time is over. */
    void await(Job job, Duration atMost) throws InterruptedException;

    /** The node in this process. */
    Optional<Pool> pool();

    void close();
}

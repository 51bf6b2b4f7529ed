package dev.heddle.control;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Everything a person or a script can ask of a Heddle. An id may be given by its beginning, as long as only one job (or
 * worker) begins so. Whatever cannot be done is a {@link ControlException}, and has changed nothing.
 */
public interface Control extends AutoCloseable {

    /** The most jobs of one submission. */
    int MOST_SUBMITTED = 10_000;

    /** The most generations of one tree, the job's own included. */
    int MOST_GENERATIONS = 20;

    /** The most jobs of one page, of one tree, and of one call that retries or purges what matches. */
    int MOST_LISTED = 1_000;

    /** Submits all of the drafts in one commit, or none. Repeating a draft that has an id makes no second job. */
    Submitted submit(List<JobDraft> drafts);

    /** Newest first. */
    JobPage jobs(JobFilter filter);

    /** A job with everything that happened to it. */
    JobDetail job(String id);

    /**
     * A job with its children, their children and so on, each in the order of submission. What is too much is left out,
     * and counted.
     *
     * @param generations how many, the job's own included, from 1 to {@value #MOST_GENERATIONS}
     * @param limit the most jobs in all, from 1 to {@value #MOST_LISTED}; nearer generations go first
     */
    JobTree tree(String id, int generations, int limit);

    /** What is known of how a job went, as lines, oldest first. */
    JobLog logs(String id);

    /**
     * What was said in a run of an agent, as far as it has come. Its words are in files of the machine that ran it.
     *
     * @param attempt null for the last one that had an agent
     */
    ConversationView conversation(String id, @Nullable Integer attempt);

    /** A piece of what the job's processes wrote, from an offset on. */
    OutputPiece output(String id, OutputQuery query);

    /** The job once it has ended, or as it stands when the time is over; its state says which. */
    JobDetail await(String id, Duration atMost);

    /**
     * Ends a job that has not ended, and with it its whole family: all descendants that have not ended, but for those that
     * outlive their parents. A running handler is told, and its result is ignored.
     */
    JobView cancel(String id, String reason);

    /** Holds back a job that waits. */
    JobView pause(String id, String reason);

    JobView resume(String id);

    /** Queues a dead letter again, with all its retries. */
    JobView retry(String id);

    /**
     * Removes a job that no node runs, with everything of its; returns what was removed. Its children that have not ended
     * are cancelled, the others stay.
     */
    JobView delete(String id);

    /** Every queue that has jobs or is paused, by name. */
    List<QueueView> queues();

    /** Lets nothing of the queue start; what runs goes on. */
    QueueView pauseQueue(String queue);

    QueueView resumeQueue(String queue);

    List<NodeView> nodes();

    /** The workers of all nodes; those of other nodes as of their last renewal. */
    List<WorkerView> workers();

    /** A worker with its history, which only its own node knows. Its name after the node's is enough. */
    WorkerDetail worker(String id);

    /** One worker more on the node that answers. */
    WorkerView startWorker();

    /** One worker fewer: what it runs goes back to the queue. */
    WorkerView stopWorker(String id);

    /** One worker fewer, once it has ended what it runs. */
    WorkerView drainWorker(String id);

    /** A piece of a worker's log, from an offset on; waits up to the time for more. */
    LogPiece workerLog(String id, long offset, Duration timeout);

    /** The clients' sessions, the most recently begun first, 1,000 at most. */
    List<SessionView> sessions();

    /** Ends a session: jobs of it that wait fail as lost, and the next one begins it anew. */
    Count dropSession(String session);

    /** Newest first; the filter's states are ignored. */
    DeadPage deadLetters(JobFilter filter);

    DeadLetterView deadLetter(String id);

    /** Queues up to {@code filter.limit()} matching dead letters again; call it again while that many were. */
    Count retryDead(JobFilter filter);

    /** Deletes up to {@code filter.limit()} matching dead letters; call it again while that many were. */
    Count purgeDead(JobFilter filter);

    /** All batches, newest first. */
    List<BatchView> batches();

    /** By the name of the batch, the newest that is called so; or by the id of its job or the beginning of it. So all below. */
    BatchView batch(String id);

    /**
     * Units of a batch with what came of them, in their order.
     *
     * @param cursor {@code next} of the page before; null for the first
     * @param limit from 1 to {@value #MOST_LISTED}
     */
    UnitPage units(String id, @Nullable String cursor, int limit);

    /** Lets the rest of a batch run of which only some units were tried. */
    BatchView approveBatch(String id);

    /** Queues all failed units of a batch again, with all their retries. */
    Count retryBatch(String id);

    /** All budgets and how they stand. */
    List<BudgetView> budgets();

    /** Sets a budget, and says how it stands. */
    BudgetView setBudget(BudgetDraft budget);

    Stats stats();

    /**
     * Has the node that answers finish what it runs, start nothing more, and end; answers at once. What takes longer than it
     * may goes back to the queue with its checkpoint.
     *
     * @param atMost null for as long as it takes
     */
    Draining drain(@Nullable Duration atMost);

    @Override
    void close();
}

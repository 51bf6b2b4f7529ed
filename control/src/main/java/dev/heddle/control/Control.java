package dev.heddle.control;

import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.ArtifactView;
import dev.heddle.control.model.AuditFilter;
import dev.heddle.control.model.AuditPage;
import dev.heddle.control.model.BackfillDraft;
import dev.heddle.control.model.BackfillResult;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.control.model.CallerView;
import dev.heddle.control.model.ContinueDraft;
import dev.heddle.control.model.ConversationView;
import dev.heddle.control.model.DeadLetterPage;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.DrainResult;
import dev.heddle.control.model.ErrorDetail;
import dev.heddle.control.model.ErrorNote;
import dev.heddle.control.model.ErrorView;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDiff;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobLogQuery;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.JobTree;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.JobWhy;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.LimitView;
import dev.heddle.control.model.LogChunk;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.NodeDetail;
import dev.heddle.control.model.NodeDifference;
import dev.heddle.control.model.NodeView;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.OutputQuery;
import dev.heddle.control.model.QueryFieldView;
import dev.heddle.control.model.QueueView;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ScheduleDetail;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.SchedulePage;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.control.model.SessionView;
import dev.heddle.control.model.Stats;
import dev.heddle.control.model.StatsSeries;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.control.model.UnitPage;
import dev.heddle.control.model.ViewDraft;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.control.model.WorkerView;
import org.jspecify.annotations.Nullable;

/**
 * Every question and command that a person or a script can send to a Heddle. Ids may be abbreviated to any prefix that
 * only one job or worker has. Operations that change something are {@link Audited}. An operation that fails throws a {@link ControlException} and changes nothing.
 */
public interface Control extends AutoCloseable {

    /** The maximum number of jobs in one submission. */
    int MOST_SUBMITTED = 10_000;

    /** The maximum number of generations in one tree, including the job itself. */
    int MOST_GENERATIONS = 20;

    /** The maximum number of items in one page or tree, and of dead letters that one call retries or purges. */
    int MOST_LISTED = 1_000;

    /** The maximum number of ids that one call shortens. */
    int MOST_SHORTENED = 100;

    /** Submits all drafts in one commit, or none. Repeating a draft that has an id does not create a second job. */
    @Audited("submit")
    SubmitResult submit(List<JobDraft> drafts);

    /** Returns a page of the jobs that match the filter, newest first. */
    JobPage jobs(JobFilter filter);

    /**
     * Returns a short form of each of these ids: a beginning that no other job has now.
     *
     * @param ids full ids, from 1 to {@value #MOST_SHORTENED}
     */
    Map<String, String> shortIds(List<String> ids);

    /** Returns the fields of the query language, with values that occur now, to complete a query that is being typed. */
    List<QueryFieldView> queryFields();

    /** Returns a job with its attempts and its history. */
    JobDetail job(String id);

    /** Returns why a job does not run. */
    JobWhy why(String id);

    /**
     * Returns a job with its descendants, each generation in the order of submission. Jobs beyond the limits are left
     * out and counted.
     *
     * @param generations the most generations, including the job itself, from 1 to {@value #MOST_GENERATIONS}
     * @param limit the most jobs in all, from 1 to {@value #MOST_LISTED}; closer generations take precedence
     */
    JobTree tree(String id, int generations, int limit);

    /**
     * Returns a page of the log of a job, oldest first: what its handler logged and its processes wrote in all attempts,
     * on any node, and what happened to it. Lines appear about a second after they were written.
     */
    JobLog logs(String id, JobLogQuery query);

    /** Returns the first page of the log of a job. */
    default JobLog logs(String id) {
        return logs(id, JobLogQuery.ALL);
    }

    /**
     * Returns the conversation of an agent run so far. It is stored in files on the machine that ran the agent.
     *
     * @param attempt the number of the attempt; null for the last one that ran an agent
     */
    ConversationView conversation(String id, @Nullable Integer attempt);

    /**
     * Returns what an attempt changed in its worktree. The changes are in a repository on the machine of the attempt.
     *
     * @param attempt the number of the attempt; null for the last one that changed something
     */
    JobDiff diff(String id, @Nullable Integer attempt);

    /** Returns a chunk of the output of a job's processes. */
    OutputChunk output(String id, OutputQuery query);

    /** Returns the files that the attempts of a job have left, oldest attempt first. */
    List<ArtifactView> artifacts(String id);

    /**
     * Opens a file that a job has left. It is stored on the machine that ran the job.
     *
     * @param name the name of the artifact
     * @param attempt the number of the attempt; null for the last one that left the file
     */
    InputStream artifact(String id, String name, @Nullable Integer attempt);

    /** Waits for a job to end and returns it. After the timeout, returns the job as it is; its state says which. */
    JobDetail await(String id, Duration atMost);

    /**
     * Cancels a job that has not ended, with all its descendants that have not ended, except those that outlive their
     * parents. A running handler is notified, and its result is ignored.
     *
     * @param reason kept in the history of the job; blank for a default
     */
    @Audited("cancelJob")
    JobView cancel(String id, String reason);

    /**
     * Pauses a queued or scheduled job: it does not start until it is resumed.
     *
     * @param reason kept in the history of the job; blank for a default
     */
    @Audited("pauseJob")
    JobView pause(String id, String reason);

    /** Resumes a paused job. */
    @Audited("resumeJob")
    JobView resume(String id);

    /** Lets a waiting job run as soon as a worker is free, even if it is delayed, waits for a retry, or is paused. */
    @Audited("runJobNow")
    JobView runNow(String id);

    /**
     * Sets when a waiting job may run, instead of when it was to run before. A paused job stays paused.
     *
     * @param delay how long from now; not together with {@code runAt}
     * @param runAt the earliest time; not together with {@code delay}
     */
    @Audited("rescheduleJob")
    JobView reschedule(String id, @Nullable Duration delay, @Nullable Instant runAt);

    /** Queues a dead letter again, with all its retries and everything it has saved. */
    @Audited("retryJob")
    default JobView retry(String id) {
        return retry(id, null, false);
    }

    /**
     * Queues a dead letter again, with all its retries.
     *
     * @param fromStep the step whose saved result is forgotten with those of all steps after it; null to keep all
     * @param forgetCheckpoint whether to forget its checkpoint
     */
    @Audited("retryJob")
    JobView retry(String id, @Nullable String fromStep, boolean forgetCheckpoint);

    /**
     * Submits a job again, as a new one: with its type, queue, priority, retries, timeout, session, subject, tags,
     * headers and the keys of limits that were given for it. The new job has no parent and no dedupe key, starts at
     * once, and names the old one in its header {@code heddle-resubmitted-from}.
     */
    @Audited("resubmitJob")
    SubmitResult resubmit(String id, ResubmitDraft draft);

    /**
     * Continues the work of an agent whose job has ended, in a new job: resumes its session with a comment as the
     * prompt, in a worktree with the changes of its last attempt. The new job names the old one in its header
     * {@code heddle-continues}.
     */
    @Audited("continueJob")
    SubmitResult continueAgent(String id, ContinueDraft draft);

    /**
     * Deletes a job and everything stored for it, and returns what was deleted. Fails if a node is running it. Children
     * that have not ended are cancelled; the others stay.
     */
    @Audited("deleteJob")
    JobView delete(String id);

    /** Returns the queues that have jobs or are paused, by name. */
    List<QueueView> queues();

    /** Pauses a queue: none of its jobs start. Running jobs continue. */
    @Audited("pauseQueue")
    QueueView pauseQueue(String queue);

    /** Resumes a queue: its jobs start again. */
    @Audited("resumeQueue")
    QueueView resumeQueue(String queue);

    /** Returns the nodes that share the store. */
    List<NodeView> nodes();

    /** Returns a node with its configuration. */
    NodeDetail node(String id);

    /** Returns the versions and settings in which the nodes that are alive differ. */
    List<NodeDifference> nodeDifferences();

    /** Returns the workers of all nodes; those of other nodes as of the last renewal of their lease. */
    List<WorkerView> workers();

    /** Returns a worker with its history, which only its own node knows. The id may omit the node. */
    WorkerDetail worker(String id);

    /** Adds a worker to the node that answers. */
    @Audited("startWorker")
    WorkerView startWorker();

    /** Removes a worker from the node that answers, and requeues the job it runs. */
    @Audited("stopWorker")
    WorkerView stopWorker(String id);

    /** Removes a worker from the node that answers once it has finished the job it runs. */
    @Audited("drainWorker")
    WorkerView drainWorker(String id);

    /**
     * Returns a chunk of a worker's log.
     *
     * @param offset the {@code next} of the previous chunk; 0 for the beginning
     * @param timeout how long to wait for more if the log ends there
     */
    LogChunk workerLog(String id, long offset, Duration timeout);

    /** Returns the client sessions, most recently started first, at most 1,000. */
    List<SessionView> sessions();

    /** Ends a client session: its waiting jobs fail as lost, and the next job of the client starts a new session. */
    @Audited("dropSession")
    AffectedCount dropSession(String session);

    /** Returns a page of the dead letters that match the filter, newest first. The states of the filter are ignored. */
    DeadLetterPage deadLetters(JobFilter filter);

    /** Returns a dead letter with its payload and its checkpoint. */
    DeadLetterView deadLetter(String id);

    /** Queues matching dead letters again, up to the limit of the filter. Repeat it while it returns that limit. */
    @Audited("retryDeadLetters")
    AffectedCount retryDead(JobFilter filter);

    /** Deletes matching dead letters, up to the limit of the filter. Repeat it while it returns that limit. */
    @Audited("purgeDeadLetters")
    AffectedCount purgeDead(JobFilter filter);

    /** Counts the jobs that a bulk operation would change. */
    BulkView previewBulk(BulkDraft draft);

    /** Starts a bulk operation. A node carries it out as a job; jobs that are submitted later are left alone. */
    @Audited("startBulk")
    BulkView startBulk(BulkDraft draft);

    /** Returns the last bulk operations, newest first, at most 100. */
    List<BulkView> bulks();

    /** Returns a bulk operation and how far it is. */
    BulkView bulk(String id);

    /** Stops a bulk operation. What it has done stays. */
    @Audited("cancelBulk")
    BulkView cancelBulk(String id);

    /** Returns the saved views, by name. */
    List<SavedView> views();

    /** Saves a query under a name, replacing the one that has it. */
    @Audited("saveView")
    SavedView saveView(ViewDraft view);

    /** Removes a saved view, and returns it. */
    @Audited("removeView")
    SavedView removeView(String name);

    /** Returns all batches, newest first. */
    List<BatchView> batches();

    /**
     * Returns a batch and its progress.
     *
     * @param id the name of a batch, which means the newest with that name, or the id of its job; the same applies to
     *     the other operations on batches
     */
    BatchView batch(String id);

    /**
     * Returns a page of the units of a batch with their results, in the order of the batch.
     *
     * @param cursor the {@code next} of the previous page; null for the first page
     * @param limit from 1 to {@value #MOST_LISTED}
     */
    UnitPage units(String id, @Nullable String cursor, int limit);

    /** Approves a batch after its trial units: the remaining units run. */
    @Audited("approveBatch")
    BatchView approveBatch(String id);

    /** Queues all failed units of a batch again, with all their retries. */
    @Audited("retryBatch")
    AffectedCount retryBatch(String id);

    /** Returns all budgets and their status. */
    List<BudgetView> budgets();

    /** Sets a budget and returns its status. */
    @Audited("setBudget")
    BudgetView setBudget(BudgetDraft budget);

    /**
     * Removes a budget. One of a configuration file is set again when a node with that file starts.
     *
     * @param scope the scope of the budget; null for the whole pool
     */
    @Audited("removeBudget")
    AffectedCount removeBudget(@Nullable String scope, String measure);

    /** Returns all limits, and how much of their keys is in use. */
    List<LimitView> limits();

    /** Sets a limit and returns it. */
    @Audited("setLimit")
    LimitView setLimit(LimitDraft limit);

    /** Removes a limit. */
    @Audited("removeLimit")
    AffectedCount removeLimit(String name);

    /**
     * Returns a page of the schedules, by name.
     *
     * @param cursor the {@code next} of the previous page; null for the first page
     * @param limit from 1 to {@value #MOST_LISTED}
     */
    SchedulePage schedules(@Nullable String cursor, int limit);

    /** Returns a schedule with its next times and its last runs. */
    ScheduleDetail schedule(String name);

    /**
     * Returns the next times of a schedule, without jitter.
     *
     * @param count how many, from 1 to {@value #MOST_LISTED}
     */
    List<Instant> scheduleTimes(String name, int count);

    /** Creates or changes a schedule. What code puts under its name takes effect only after a reset. */
    @Audited("setSchedule")
    ScheduleView setSchedule(ScheduleDraft schedule);

    /** Stops a schedule until it is resumed. */
    @Audited("pauseSchedule")
    ScheduleView pauseSchedule(String name);

    /** Lets a paused schedule fire again. The times meanwhile are left out. */
    @Audited("resumeSchedule")
    ScheduleView resumeSchedule(String name);

    /** Drops the edit of a person: what code or a configuration file defines takes effect again. */
    @Audited("resetSchedule")
    ScheduleView resetSchedule(String name);

    /** Deletes a schedule and returns what was deleted. Jobs that it has submitted are not affected. */
    @Audited("deleteSchedule")
    ScheduleView deleteSchedule(String name);

    /** Submits a job of a schedule now, and returns it. */
    @Audited("triggerSchedule")
    JobView triggerSchedule(String name);

    /** Makes the past runs of a schedule that have not been made. */
    @Audited("backfillSchedule")
    BackfillResult backfillSchedule(String name, BackfillDraft times);

    /** Returns job counts and the statistics of the node that answers. */
    Stats stats();

    /**
     * Returns what happened to jobs over time, on all nodes.
     *
     * @param type only jobs of this type; null for all
     * @param queue only jobs of this queue; null for all
     * @param window how far back: 1h, 24h or 7d; null for 1h
     */
    StatsSeries statsSeries(@Nullable String type, @Nullable String queue, @Nullable String window);

    /**
     * Returns groups of failures with the same fingerprint, the one that was seen last first.
     *
     * @param type only those of jobs of this type; null for all
     */
    List<ErrorView> errors(@Nullable String type, int limit);

    /**
     * Returns failures with the same fingerprint, and a page of their dead letters.
     *
     * @param fingerprint the fingerprint, or a prefix that only one has
     * @param cursor {@link ErrorDetail#next} of the previous page; null for the first page
     */
    ErrorDetail error(String fingerprint, @Nullable String cursor, int limit);

    /** Sets the note and the assignee of failures with the same fingerprint. */
    @Audited("describeError")
    ErrorView describeError(String fingerprint, ErrorNote note);

    /** Queues all dead letters with a fingerprint again. */
    @Audited("retryErrors")
    AffectedCount retryErrors(String fingerprint);

    /** Deletes all dead letters with a fingerprint. */
    @Audited("purgeErrors")
    AffectedCount purgeErrors(String fingerprint);

    /**
     * Drains the node that answers: it finishes running jobs, starts no others, and exits. Returns at once. Jobs that
     * take longer than allowed are requeued with their checkpoints.
     *
     * @param atMost how long running jobs may continue; null for as long as they take
     */
    @Audited("drain")
    DrainResult drain(@Nullable Duration atMost);

    /** Returns who the caller is, and what they may do. */
    CallerView caller();

    /** Returns all tokens, by name, without their secrets. */
    List<TokenView> tokens();

    /** Creates a token. Only what this returns has its secret. */
    @Audited("createToken")
    NewTokenView createToken(TokenDraft token);

    /** Revokes a token, and returns it. A node on which it was revoked refuses it at once, others within seconds. */
    @Audited("revokeToken")
    TokenView revokeToken(String name);

    /** Returns a page of the audit log, newest first. */
    AuditPage audit(AuditFilter filter);

    /** Releases the connection or the store; a pool stays open. */
    @Override
    void close();
}

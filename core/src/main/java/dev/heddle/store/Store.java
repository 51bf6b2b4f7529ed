package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;

/**
 * Where jobs live. Every method is one transaction, done when it returns, and safe to call from any thread.
 * A failure is a {@link StoreException}, and then nothing of the call has happened or, where the answer was
 * lost, the call can be repeated. JSON is kept by its value: white space and the order of names may come back
 * another way.
 */
public interface Store extends AutoCloseable {

    /**
     * Takes the store for this node; a store for one node refuses a second. A shared one rings the bell.
     *
     * @return whether it is shared: the node has a lease, and has to renew it
     */
    boolean join(NodeRecord node, Bell bell);

    /** Stores submissions, each as a whole or not at all; one receipt each, in order. */
    List<Receipt> insert(List<Submission> submissions);

    /** Makes due jobs claimable, then claims the first of what the node wants. */
    Claimed claim(ClaimRequest request);

    /** Writes what attempts did, each only if its fence still holds; one verdict each, in order. */
    List<Verdict> apply(List<Change> changes);

    /** Does what a person asked for. */
    Ruling execute(Command command);

    /** Renews the node's lease, if it is alive, and keeps its workers' snapshot. */
    Renewal renew(NodeRecord node);

    /**
     * Releases what dead nodes held as the plan decides, and forgets those nodes, in one transaction. In a store for
     * one node all others are dead; in a shared one those whose lease has ended, once the survivor has renewed its
     * own without a gap for a whole lease: after an outage the first one back must not bury the others.
     */
    List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now);

    /** What earlier attempts of a job saved. */
    Saved saved(long seq);

    Optional<Job> find(JobId id);

    List<Job> list(JobQuery query);

    /** A job with everything that happened to it; empty where it does not exist. */
    Optional<Story> story(JobId id);

    Tally tally();

    List<NodeRecord> nodes();

    /** Deletes a bounded number of what has outlived the limits; says how many jobs went. */
    int prune(Retention retention, Instant now);

    /** Idempotent; flushes and frees everything, and what joined here leaves. */
    @Override
    void close();
}

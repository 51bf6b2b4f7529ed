package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where jobs live. Implementations must be safe for use by many threads.
 *
 * <p>What a method writes is committed when it returns. Each submission, claim and change is written completely or not
 * at all. If a method throws a
 * {@link StoreException}, either nothing has happened, or the answer was lost and the call can be repeated. JSON is
 * kept by value: white space and the order of names may change.
 */
public interface Store extends JobReader, AutoCloseable {

    /**
     * Joins a node to the store. A shared store notifies the listener of changes by other nodes.
     *
     * @return whether the store is shared, in which case the node has a lease to renew
     */
    boolean join(NodeRecord node, StoreListener listener);

    /** Stores submissions, each completely or not at all; returns one receipt for each, in order. */
    List<Receipt> insert(List<Submission> submissions);

    /** Queues the jobs that are due, then claims the first jobs of those that the node wants. */
    ClaimResult claim(ClaimRequest request);

    /** Writes what attempts did, each change only if its fence still holds; returns one verdict for each, in order. */
    List<Verdict> apply(List<Change> changes);

    /** Executes a command. */
    CommandResult execute(AdminCommand command);

    /** Executes commands one after the other, in few transactions; returns one result for each, in order. */
    default List<CommandResult> executeAll(List<? extends AdminCommand> commands) {
        return commands.stream().map(this::execute).toList();
    }

    /** Renews the lease of a node, if it is alive, and stores the snapshot of its workers. */
    Renewal renew(NodeRecord node);

    /**
     * Recovers the jobs of dead nodes as the plan decides, and removes those nodes.
     *
     * <p>In a store for one node, all other nodes are dead. In a shared store, those are dead whose lease has ended,
     * but only once the survivor has renewed its own lease without a gap for a whole lease: after an outage, the first
     * node that comes back must not declare all others dead.
     *
     * @param survivor the node that recovers
     */
    List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now);

    /** Returns what earlier attempts of a job saved. */
    SavedState saved(long seq);

    /** Returns this store itself if it implements the capability. */
    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /** Deletes a bounded number of jobs that are past their retention; returns how many. */
    int prune(Retention retention, Instant now);

    /** Closes the store and frees its resources; its nodes leave. Closing it again does nothing. */
    @Override
    void close();
}

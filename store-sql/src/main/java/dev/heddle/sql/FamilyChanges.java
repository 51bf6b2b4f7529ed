package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.job.JobState;
import dev.heddle.store.FamilyReasons;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a transaction does to families of jobs, for the work that follows its commit.
 *
 * <p>Children are cancelled within the transaction, so none starts once its parent has ended. Parents are woken after
 * the commit: if two nodes end the last two children at the same moment, neither sees the other's end before it
 * commits, but the node that looks after the second commit sees both.
 */
public final class FamilyChanges {

    /**
     * Looks at one entry of the index {@code live_children}, from the end where children stay longest, instead of
     * counting.
     */
    private static final String HAS_NO_LIVE_CHILD = """
            state = 'WAITING' AND (SELECT c.seq FROM heddle.live c WHERE c.parent = live.seq
                                   ORDER BY c.seq DESC LIMIT 1) IS NULL""";
    private static final int MAX_WOKEN = 1_000;

    private final List<EndedChild> endedChildren = new ArrayList<>();
    private final Set<String> nodes = new HashSet<>();
    private int cancelled;

    /** The end of a child, as its parent sees it: caused by this actor at this time. */
    public record EndedChild(long parent, String actor, Instant at) {}

    /** Notes that a job has ended. Does nothing if it has no parent. */
    public void childEnded(@Nullable Long parent, String actor, Instant at) {
        if (parent != null) {
            endedChildren.add(new EndedChild(parent, actor, at));
        }
    }

    /** Returns the ended children, whose parents may be able to go on. */
    public List<EndedChild> endedChildren() {
        return endedChildren;
    }

    /** Returns the nodes that run cancelled children, and have to stop them. */
    public Set<String> nodes() {
        return nodes;
    }

    /** Returns whether any child was cancelled. */
    public boolean cancelledAny() {
        return cancelled > 0;
    }

    /** Notes that a job was cancelled to make way for another; the node runs it, or none does. */
    void cancelled(@Nullable String node) {
        cancelled++;
        if (node != null) {
            nodes.add(node);
        }
    }

    /** Adds what another transaction did. */
    public void add(FamilyChanges other) {
        endedChildren.addAll(other.endedChildren);
        nodes.addAll(other.nodes);
        cancelled += other.cancelled;
    }

    /**
     * Cancels all live descendants, one generation after the other, except those that outlive their parents.
     *
     * @param reason why the children are cancelled; their own children are cancelled because they are
     * @return how many were cancelled
     */
    public int cancelChildren(Tx tx, Collection<Long> parents, String reason, String actor, Instant at)
            throws SQLException {
        int before = cancelled;
        String why = reason;
        Collection<Long> generation = parents;
        while (!generation.isEmpty()) {
            List<Long> waiting = new ArrayList<>();
            List<Long> running = new ArrayList<>();
            // Every transaction locks jobs in the order of their numbers, so none deadlocks with another.
            try (ResultSet rows = tx.query("""
                    SELECT l.seq, l.node FROM heddle.live l
                    WHERE l.state <> 'CANCELLED'
                      AND (SELECT j.outlives_parent FROM heddle.job j WHERE j.seq = l.seq) IS NULL
                      AND l.parent""" + tx.dialect().anyOf() + " ORDER BY l.seq" + tx.dialect().forUpdate(),
                    new SeqList(generation))) {
                while (rows.next()) {
                    String node = rows.getString(2);
                    (node == null ? waiting : running).add(rows.getLong(1));
                    if (node != null) {
                        nodes.add(node);
                    }
                }
            }
            endWaiting(tx, waiting, why, actor, at);
            markRunning(tx, running, why, actor, at);
            generation = Stream.concat(waiting.stream(), running.stream()).toList();
            cancelled += generation.size();
            why = FamilyReasons.PARENT_CANCELLED;
        }
        return cancelled - before;
    }

    private static void endWaiting(Tx tx, List<Long> children, String reason, String actor, Instant at)
            throws SQLException {
        if (!children.isEmpty()) {
            addHistory(tx, children, reason, actor, at);
            CountRows.move(tx, children, JobState.CANCELLED);
            String these = " FROM heddle.live WHERE seq" + tx.dialect().anyOf();
            tx.update("""
                    INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                    SELECT seq, 'CANCELLED', ?""" + tx.dialect().asTime() + ", attempt, failures, crashes, ?, phase"
                    + these, at, reason, new SeqList(children));
            tx.update("DELETE" + these, new SeqList(children));
        }
    }

    /** Marks children as cancelled. The node that runs one ends it. */
    private static void markRunning(Tx tx, List<Long> children, String reason, String actor, Instant at)
            throws SQLException {
        if (!children.isEmpty()) {
            addHistory(tx, children, reason, actor, at);
            CountRows.move(tx, children, JobState.CANCELLED);
            tx.update("UPDATE heddle.live SET state = 'CANCELLED', reason = ? WHERE seq" + tx.dialect().anyOf(), reason,
                    new SeqList(children));
        }
    }

    private static void addHistory(Tx tx, List<Long> children, String reason, String actor, Instant at)
            throws SQLException {
        tx.update(
                """
                        INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                        SELECT seq, state, 'CANCELLED', ?, ?, ?""" + tx.dialect().asTime()
                        + " FROM heddle.live WHERE seq" + tx.dialect().anyOf(),
                reason, actor, at, new SeqList(children));
    }

    /** Returns the parents of ended children that wait and have no live child left. */
    static Set<Long> readyParents(Tx tx, List<EndedChild> children) throws SQLException {
        return seqs(tx, "SELECT seq FROM heddle.live WHERE seq" + tx.dialect().anyOf() + " AND " + HAS_NO_LIVE_CHILD,
                new SeqList(children.stream().map(EndedChild::parent).distinct().toList()));
    }

    /** Returns parents that wait without a live child, at most 1,000: the process that should have woken them died. */
    static Set<Long> allReadyParents(Tx tx) throws SQLException {
        return seqs(tx, "SELECT seq FROM heddle.live WHERE " + HAS_NO_LIVE_CHILD + " LIMIT ?", MAX_WOKEN);
    }

    private static Set<Long> seqs(Tx tx, String sql, Object parameter) throws SQLException {
        Set<Long> seqs = new HashSet<>();
        try (ResultSet rows = tx.query(sql, parameter)) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
            }
        }
        return seqs;
    }

    /** Queues the parents that still wait without a live child, and returns how many there were. */
    static int wakeParents(Tx tx, Collection<EndedChild> children) throws SQLException {
        int woken = 0;
        for (EndedChild child : children) {
            if (tx.update("UPDATE heddle.live SET state = 'QUEUED' WHERE seq = ? AND " + HAS_NO_LIVE_CHILD,
                    child.parent()) == 1) {
                CountRows.moveJobs(tx, List.of(child.parent()), JobState.WAITING, JobState.QUEUED);
                HistoryRows.add(tx, child.parent(), JobState.WAITING, JobState.QUEUED, FamilyReasons.CHILDREN_ENDED,
                        child.actor(), child.at());
                woken++;
            }
        }
        return woken;
    }
}

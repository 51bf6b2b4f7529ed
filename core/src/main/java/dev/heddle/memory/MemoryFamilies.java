package dev.heddle.memory;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.heddle.job.JobState;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;

/**
 * Applies the end of a job to its parent and children in a {@link MemoryStore}, and notes what the nodes have to be told.
 */
final class MemoryFamilies {

    private final MemoryTable table;
    private boolean woken;
    private boolean changed;

    MemoryFamilies(MemoryTable table) {
        this.table = table;
    }

    /** Called when a job has ended: cancels its children, and wakes its parent if it was the last child. */
    void ended(MemoryRow row, String actor, Instant at) {
        cancelChildren(row, FamilyReasons.parentEnded(row.state), actor, at);
        childEnded(row, actor, at);
    }

    /** Wakes the parent of a job that has ended or is gone, if it was the last child. */
    void childEnded(MemoryRow row, String actor, Instant at) {
        if (row.parentSeq != null) {
            MemoryRow parent = table.find(row.parentSeq);
            if (parent != null) {
                wake(parent, actor, at);
            }
        }
    }

    /** Queues a waiting parent if all its children have ended. */
    void wake(MemoryRow parent, String actor, Instant at) {
        if (parent.state == JobState.WAITING && table.children.live(parent).isEmpty()) {
            table.change(parent, row -> {
                row.release(JobState.QUEUED);
                row.note(JobState.WAITING, FamilyReasons.CHILDREN_ENDED, actor, at);
            });
            woken = true;
        }
    }

    /**
     * Cancels all live descendants except for those that outlive their parents.
     *
     * @param reason why the children are cancelled; their own children are cancelled because they are
     * @return how many were cancelled
     */
    int cancelChildren(MemoryRow parent, String reason, String actor, Instant at) {
        int count = 0;
        Deque<MemoryRow> parents = new ArrayDeque<>(List.of(parent));
        for (MemoryRow next = parents.poll(); next != null; next = parents.poll()) {
            for (MemoryRow child : List.copyOf(table.children.live(next))) {
                if (!child.state.isFinal() && !child.spec.extras().outlivesParent()) {
                    cancel(child, next == parent ? reason : FamilyReasons.PARENT_CANCELLED, actor, at);
                    parents.add(child);
                    changed = true;
                    count++;
                }
            }
        }
        return count;
    }

    /** Cancels a job; returns the attempt that has to be stopped, or null if none runs. */
    @Nullable Fence cancel(MemoryRow row, String reason, String actor, Instant at) {
        JobState from = row.state;
        boolean held = from.isHeld();
        table.change(row, r -> {
            if (held) {
                r.state = JobState.CANCELLED;
                r.reason = reason;
            } else {
                r.end(JobState.CANCELLED, reason, at);
            }
            r.note(from, reason, actor, at);
        });
        return held && row.node != null ? new Fence(row.seq, row.attempt, row.node) : null;
    }

    /** Cancels a job with its children, so that another job can take its place. */
    void cancelFor(MemoryRow row, String reason, String actor, Instant at) {
        cancel(row, reason, actor, at);
        cancelChildren(row, FamilyReasons.PARENT_CANCELLED, actor, at);
        if (row.ended) {
            childEnded(row, actor, at);
        }
        changed = true;
    }

    /** Returns whether a parent was queued since the last call. */
    boolean takeWoken() {
        boolean taken = woken;
        woken = false;
        return taken;
    }

    /** Returns whether a child was cancelled since the last call. */
    boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }
}

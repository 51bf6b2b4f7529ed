package dev.heddle.store;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** What the end of a job does to its family in a {@link MemoryStore}. Remembers whom the store has to tell. */
final class MemoryFamilies {

    private final MemoryTable table;
    private boolean woken;
    private boolean changed;

    MemoryFamilies(MemoryTable table) {
        this.table = table;
    }

    /** The job has ended: its children have nobody to work for, and its parent may have nobody to wait for. */
    void ended(MemoryRow row, String actor, Instant at) {
        cancelChildren(row, Families.PARENT_COMPLETED, actor, at);
        lost(row, actor, at);
    }

    /** The job is no child at work any more. */
    void lost(MemoryRow row, String actor, Instant at) {
        if (row.parentSeq != null) {
            MemoryRow parent = table.find(row.parentSeq);
            if (parent != null) {
                wake(parent, actor, at);
            }
        }
    }

    /** Lets a parent go on that waits for nobody. */
    void wake(MemoryRow parent, String actor, Instant at) {
        if (parent.state == JobState.WAITING && table.lineage.atWork(parent).isEmpty()) {
            table.change(parent, row -> {
                row.release(JobState.QUEUED);
                row.note(JobState.WAITING, Families.ALL_ENDED, actor, at);
            });
            woken = true;
        }
    }

    /** All descendants that are at work, but for those that outlive their parents; says how many. */
    int cancelChildren(MemoryRow parent, String reason, String actor, Instant at) {
        int count = 0;
        Deque<MemoryRow> parents = new ArrayDeque<>(List.of(parent));
        for (MemoryRow next = parents.poll(); next != null; next = parents.poll()) {
            for (MemoryRow child : List.copyOf(table.lineage.atWork(next))) {
                if (!child.state.isFinal() && !child.spec.extras().outlivesParent()) {
                    cancel(child, reason, actor, at);
                    parents.add(child);
                    changed = true;
                    count++;
                }
            }
        }
        return count;
    }

    /** Returns the attempt that has to be told; null where none runs. */
    @Nullable
    Fence cancel(MemoryRow row, String reason, String actor, Instant at) {
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

    /** Rings for what happened since the last time this was asked; to be run without the store's lock. */
    Runnable takeNews(Bell bell) {
        boolean work = woken;
        boolean change = changed;
        woken = false;
        changed = false;
        return () -> {
            if (work) {
                bell.work();
            }
            if (change) {
                bell.changed();
            }
        };
    }
}

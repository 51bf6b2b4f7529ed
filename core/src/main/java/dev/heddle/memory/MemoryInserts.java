package dev.heddle.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Receipt.Stored;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** Stores submissions in a {@link MemoryStore}. */
final class MemoryInserts {

    private final MemoryTable table;

    MemoryInserts(MemoryTable table) {
        this.table = table;
    }

    Receipt insert(Submission submission) {
        List<Stored> jobs = new ArrayList<>();
        List<MemoryRow> added = new ArrayList<>();
        for (NewJob job : submission.jobs()) {
            Receipt refusal = refusal(job, submission.spawner());
            if (refusal != null) {
                added.forEach(table::remove);
                return refusal;
            }
            Optional<JobId> standIn = table.standIn(job.spec());
            if (standIn.isEmpty()) {
                added.add(table.add(job));
            }
            jobs.add(new Stored(standIn.orElse(job.spec().id()), standIn.isEmpty()));
        }
        return new Receipt.Accepted(List.copyOf(jobs));
    }

    private @Nullable Receipt refusal(NewJob job, @Nullable Fence spawner) {
        @Nullable JobId parent = job.spec().extras().parent();
        if (parent != null && !mayHaveChildren(table.find(parent), spawner)) {
            return new Receipt.NoParent(parent);
        }
        String queue = job.spec().queue();
        boolean full = table.standIn(job.spec()).isEmpty() && job.startsAtOnce()
                && table.queued(queue) >= job.capacity();
        if (full) {
            return new Receipt.Full(queue, job.capacity());
        }
        @Nullable LimitKey lacking = table.standIn(job.spec()).isPresent() ? null
                : table.limits.lacking(job.spec(), table.now());
        return lacking == null ? null : new Receipt.NoRoom(lacking);
    }

    private static boolean mayHaveChildren(@Nullable MemoryRow parent, @Nullable Fence spawner) {
        return parent != null && (spawner == null || (parent.isHeldUnder(spawner) && parent.state.isHeld()));
    }
}

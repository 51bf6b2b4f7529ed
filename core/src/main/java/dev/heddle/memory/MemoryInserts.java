package dev.heddle.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.dedupe.DedupeRules;
import dev.heddle.dedupe.KeyDecision;
import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.SubmissionPlan;
import dev.heddle.dedupe.SubmissionPlan.KeyName;
import dev.heddle.dedupe.SubmissionPlan.Planned;
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
    private final MemoryFamilies families;

    MemoryInserts(MemoryTable table, MemoryFamilies families) {
        this.table = table;
        this.families = families;
    }

    Receipt insert(Submission submission) {
        if (SubmissionPlan.isNeeded(submission)) {
            return insertPlanned(submission);
        }
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

    /** Stores jobs with dedupe modes: decides about all of them first, so that a refusal has nothing to undo. */
    private Receipt insertPlanned(Submission submission) {
        SubmissionPlan plan = SubmissionPlan.of(submission.jobs(), id -> table.find(id) != null, table.keys::state,
                table.now());
        Receipt refusal = refusal(plan, submission);
        if (refusal != null) {
            return refusal;
        }
        plan.jobs().forEach(this::write);
        return new Receipt.Accepted(plan.jobs().stream()
                .map(planned -> new Stored(planned.decision().job(), planned.decision().effect())).toList());
    }

    private @Nullable Receipt refusal(SubmissionPlan plan, Submission submission) {
        for (NewJob job : submission.jobs()) {
            JobId parent = job.spec().extras().parent();
            if (parent != null && !plan.created().contains(parent)
                    && !mayHaveChildren(table.find(parent), submission.spawner())) {
                return new Receipt.NoParent(parent);
            }
        }
        for (SubmissionPlan.Demand demand : plan.demands()) {
            if (table.queued(demand.queue()) + demand.jobs() > demand.capacity()) {
                return new Receipt.Full(demand.queue(), demand.capacity());
            }
        }
        for (Planned planned : plan.jobs()) {
            LimitKey lacking = planned.needsLimits() ? table.limits.lacking(planned.job().spec(), table.now()) : null;
            if (lacking != null) {
                return new Receipt.NoRoom(lacking);
            }
        }
        return null;
    }

    private void write(Planned planned) {
        KeyDecision decision = planned.decision();
        for (Member older : decision.cancelled()) {
            families.cancelFor(existing(older.id()), DedupeRules.supersededBy(decision.job()), DedupeRules.ACTOR,
                    table.now());
        }
        JobId behind = decision.behind();
        if (decision.effect().isNew()) {
            table.add(planned.job(), behind == null ? null : existing(behind));
        } else if (decision.changesJob()) {
            MemoryRow row = existing(decision.job());
            table.change(row, r -> r.take(planned.job(), table.now()));
        }
        KeyMemory memory = decision.memory();
        KeyName key = KeyName.of(planned.job().spec());
        if (memory != null && key != null) {
            table.keys.remember(key, memory);
        }
    }

    private MemoryRow existing(JobId id) {
        return Objects.requireNonNull(table.find(id));
    }
}

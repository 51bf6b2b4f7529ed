package dev.heddle.store;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import org.jspecify.annotations.Nullable;

/** What attempts write into a {@link MemoryStore}, and what is written for those whose node died. */
final class MemoryAttempts {

    private final MemoryTable table;
    private final MemoryInserts inserts;
    private final MemoryFamilies families;

    MemoryAttempts(MemoryTable table, MemoryInserts inserts, MemoryFamilies families) {
        this.table = table;
        this.inserts = inserts;
        this.families = families;
    }

    Verdict apply(Change change) {
        MemoryRow row = table.find(change.fence().seq());
        if (row == null || !row.isHeldUnder(change.fence())) {
            return Verdict.late(change, row == null ? null : recordedEnd(row, change.fence()));
        }
        if (row.state == JobState.CANCELLED) {
            endCancelled(row, change);
            return Verdict.CANCELLED;
        }
        write(row, change);
        return Verdict.APPLIED;
    }

    private static Attempt.@Nullable End recordedEnd(MemoryRow row, Fence fence) {
        for (Attempt attempt : row.attempts) {
            if (attempt.number() == fence.attempt() && attempt.node().equals(fence.node())) {
                return attempt.end();
            }
        }
        return null;
    }

    private void write(MemoryRow row, Change change) {
        switch (change) {
            case Change.Started started -> table.change(row, r -> {
                r.state = JobState.RUNNING;
                r.startedAt = MemoryRow.millis(started.at());
                r.care = started.care();
            });
            case Change.Progressed progressed -> row.progress = progressed.progress();
            case Change.Checkpointed checkpointed -> row.checkpoint = checkpointed.json();
            case Change.StepDone step -> row.saveStep(step.name(), step.json());
            case Change.HandedBack back -> table.change(row,
                    r -> move(r, new Transition.Requeue(back.reason()), back.fence().node(), back.at()));
            case Change.Ended ended -> {
                table.change(row, r -> end(r, ended));
                if (row.ended) {
                    families.ended(row, ended.fence().node(), ended.execution().endedAt());
                }
                inserts.insert(new Submission(ended.sequel()));
            }
            case Change.Ingested(Change.Ended ended, List<NewJob> children) -> {
                table.change(row, r -> end(r, ended));
                inserts.insert(new Submission(children));
                families.wake(row, ended.fence().node(), ended.execution().endedAt());
            }
        }
    }

    private static void end(MemoryRow row, Change.Ended ended) {
        Change.Execution execution = ended.execution();
        record(row, ended, execution.end());
        switch (execution.end()) {
            case FAILED, TIMED_OUT -> row.failure = execution.failure();
            case COMPLETED, INGESTED, CANCELLED, RELEASED, CRASHED -> {
            }
        }
        switch (ended.transition()) {
            case Transition.Retry _ -> {
                row.failures++;
                row.suspect = false;
            }
            case Transition.Die _ -> row.failures++;
            case Transition.Complete _,Transition.Wait _,Transition.Cancel _,Transition.Requeue _ -> {
            }
        }
        move(row, ended.transition(), ended.fence().node(), execution.endedAt());
    }

    /** The job was cancelled under the attempt: what it did is history, what it would have become is not. */
    private void endCancelled(MemoryRow row, Change change) {
        switch (change) {
            case Change.Started _,Change.Progressed _,Change.Checkpointed _,Change.StepDone _ -> {
            }
            case Change.HandedBack back -> {
                table.change(row, r -> r.end(JobState.CANCELLED, r.reason, back.at()));
                families.lost(row, back.fence().node(), back.at());
            }
            case Change.Ended ended -> endCancelled(row, ended);
            case Change.Ingested ingested -> endCancelled(row, ingested.end());
        }
    }

    private void endCancelled(MemoryRow row, Change.Ended ended) {
        table.change(row, r -> {
            record(r, ended, Attempt.End.CANCELLED);
            r.end(JobState.CANCELLED, r.reason, ended.execution().endedAt());
        });
        families.lost(row, ended.fence().node(), ended.execution().endedAt());
    }

    private static void record(MemoryRow row, Change.Ended ended, Attempt.End end) {
        Change.Execution execution = ended.execution();
        row.attempts.add(new Attempt(ended.fence().attempt(), ended.fence().node(), execution.worker(),
                MemoryRow.millis(execution.assignedAt()), MemoryRow.millis(execution.startedAt()),
                MemoryRow.millis(execution.endedAt()), end, execution.failure()));
    }

    private static void move(MemoryRow row, Transition transition, String actor, Instant at) {
        JobState from = row.state;
        switch (transition) {
            case Transition.Complete(String result) -> {
                row.end(JobState.COMPLETED, null, at);
                row.result = result;
                row.forgetSaved();
            }
            case Transition.Wait(String reason) -> {
                row.release(JobState.WAITING);
                row.phase = Phase.AGGREGATE;
                // It has run, whether its start was written apart or not.
                row.note(JobState.RUNNING, reason, actor, at);
            }
            case Transition.Retry(Instant due, String reason) -> {
                row.release(JobState.SCHEDULED);
                row.dueAt = MemoryRow.millis(due);
                row.note(from, reason, actor, at);
            }
            case Transition.Die(String reason) -> {
                row.end(JobState.FAILED, reason, at);
                row.note(from, reason, actor, at);
            }
            case Transition.Cancel(String reason) -> {
                row.end(JobState.CANCELLED, reason, at);
                row.note(from, reason, actor, at);
            }
            case Transition.Requeue(String reason) -> {
                row.release(JobState.QUEUED);
                row.note(from, reason, actor, at);
            }
        }
    }

    List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        List<MemoryRow> left = table.held.stream().filter(row -> !survivor.equals(row.node))
                .filter(row -> !MemoryAdoptions.isKept(row, now)).toList();
        List<Orphan> orphans = left.stream().filter(row -> row.state.isHeld())
                .map(this::orphan).toList();
        List<Recovery> recoveries = orphans.isEmpty() ? List.of() : List.copyOf(plan.decide(orphans));
        checkComplete(orphans, recoveries);
        left.stream().filter(row -> row.state == JobState.CANCELLED).forEach(row -> {
            table.change(row, r -> {
                recordCrash(r, now);
                r.end(JobState.CANCELLED, r.reason, now);
            });
            families.lost(row, survivor, now);
        });
        for (Recovery recovery : recoveries) {
            MemoryRow row = Objects.requireNonNull(table.find(recovery.orphan().job().seq()));
            table.change(row, r -> {
                recordCrash(r, now);
                r.crashes += recovery.crashed() ? 1 : 0;
                r.suspect = true;
                r.phase = recovery.phase();
                move(r, recovery.transition(), survivor, now);
            });
            if (row.ended) {
                families.ended(row, survivor, now);
            }
        }
        return recoveries;
    }

    private Orphan orphan(MemoryRow row) {
        long children = row.phase == Phase.INGEST ? 0
                : table.lineage.count(row.spec.id()).values().stream().mapToLong(Long::longValue).sum();
        return new Orphan(row.job(), row.care, row.checkpoint != null, children);
    }

    private static void recordCrash(MemoryRow row, Instant now) {
        @Nullable Instant startedAt = row.startedAt;
        if (startedAt != null) {
            row.attempts.add(new Attempt(row.attempt, Objects.requireNonNull(row.node), "",
                    Objects.requireNonNull(row.assignedAt), startedAt, MemoryRow.millis(now),
                    Attempt.End.CRASHED, null));
        }
    }

    /** Checked before anything is written: a plan that forgets a job would leave it held by nobody. */
    private static void checkComplete(List<Orphan> orphans, List<Recovery> recoveries) {
        Set<Long> expected = new HashSet<>();
        orphans.forEach(orphan -> expected.add(orphan.job().seq()));
        Set<Long> decided = new HashSet<>();
        recoveries.forEach(recovery -> decided.add(recovery.orphan().job().seq()));
        if (recoveries.size() != orphans.size() || !decided.equals(expected)) {
            throw new StoreException(StoreException.Kind.REJECTED,
                    "the recovery plan must decide once for each of the jobs " + expected
                            + ", but decided for " + decided + "; nothing was recovered");
        }
    }
}

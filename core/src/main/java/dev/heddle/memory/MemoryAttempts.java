package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.heddle.dedupe.DedupeRules;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StoreException;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/** Writes what attempts did into a {@link MemoryStore}, and recovers those whose node died. */
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
            return Verdict.forStaleFence(change, row == null ? null : recordedEnd(row, change.fence()));
        }
        if (row.state == JobState.CANCELLED) {
            endCancelled(row, change);
            return Verdict.CANCELLED;
        }
        MemoryRow successor = row.liveSuccessor();
        if (successor != null && row.phase == Phase.INGEST && change.letsJobWait()) {
            // Two jobs of a key would wait to run: the newer takes the place of this one.
            families.cancelFor(row, DedupeRules.gaveWayTo(successor.spec.id()), change.fence().node(), table.now());
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
                r.guarantee = started.guarantee();
            });
            case Change.Cleared cleared -> table.change(row, r -> r.suspicion = cleared.suspicion());
            case Change.Progressed progressed -> row.progress = progressed.progress();
            case Change.Checkpointed checkpointed -> row.checkpoint = checkpointed.json();
            case Change.StepDone step -> row.saveStep(step.name(), step.json(), step.at());
            case Change.Released released -> {
                table.change(row, r -> move(r, new Transition.Requeue(released.reason()), released.fence().node(),
                        released.at()));
                table.limits.refund(row);
            }
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

    private void end(MemoryRow row, Change.Ended ended) {
        Change.Execution execution = ended.execution();
        record(row, ended, execution.end());
        switch (execution.end()) {
            case FAILED, TIMED_OUT -> row.failure = execution.failure();
            case CRASHED -> row.crashes++;
            case COMPLETED, RESCHEDULED, INGESTED, CANCELLED, RELEASED, NODE_DIED -> {
            }
        }
        switch (ended.transition()) {
            case Transition.Retry _ -> {
                row.failures++;
                row.suspicion = row.suspicion.unsuspected();
            }
            case Transition.Fail _ -> {
                row.failures += execution.end() == Attempt.End.CRASHED ? 0 : 1;
                row.fingerprint = ended.fingerprint();
            }
            case Transition.Complete _, Transition.Reschedule _, Transition.Wait _, Transition.Cancel _, Transition.Requeue _ ->
                {
                }
        }
        move(row, ended.transition(), ended.fence().node(), execution.endedAt());
    }

    /** The job was cancelled during the attempt: the attempt is recorded, and its result is ignored. */
    private void endCancelled(MemoryRow row, Change change) {
        switch (change) {
            case Change.Started _, Change.Cleared _, Change.Progressed _, Change.Checkpointed _, Change.StepDone _ -> {
            }
            case Change.Released released -> {
                table.change(row, r -> r.end(JobState.CANCELLED, r.reason, released.at()));
                families.childEnded(row, released.fence().node(), released.at());
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
        families.childEnded(row, ended.fence().node(), ended.execution().endedAt());
    }

    private static void record(MemoryRow row, Change.Ended ended, Attempt.End end) {
        Change.Execution execution = ended.execution();
        row.attempts.add(new Attempt(ended.fence().attempt(), ended.fence().node(), execution.worker(),
                MemoryRow.millis(execution.assignedAt()), MemoryRow.millis(execution.startedAt()),
                MemoryRow.millis(execution.endedAt()), end, execution.failure()));
    }

    private void move(MemoryRow row, Transition transition, String actor, Instant at) {
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
                // It was RUNNING, even if its start was never written on its own.
                row.note(JobState.RUNNING, reason, actor, at);
            }
            case Transition.Retry(Duration delay, String reason) -> {
                row.retryAt(table.now().plus(delay));
                row.note(from, reason, actor, at);
            }
            case Transition.Reschedule again -> row.runAgain(again, table.now());
            case Transition.Fail(String reason) -> {
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

    /** Queues a waiting parent if all its children have ended. */
    void wake(MemoryRow parent, String actor, Instant at) {
        families.wake(parent, actor, at);
    }

    List<Recovery> recover(String survivor, Set<String> dead, List<NodeRecord> nodes, RecoveryPlan plan, Instant now) {
        List<MemoryRow> left = table.held.stream().filter(row -> dead.contains(row.node))
                .filter(row -> !MemoryAdoptions.isReserved(row, table.now())).toList();
        List<Orphan> orphans = left.stream().filter(row -> row.state.isHeld())
                .map(row -> orphan(row, nodes, now).withCancelledBeside(cancelledBeside(row, left))).toList();
        List<Recovery> recoveries = orphans.isEmpty() ? List.of() : List.copyOf(plan.decide(orphans));
        checkComplete(orphans, recoveries);
        left.stream().filter(row -> row.state == JobState.CANCELLED).forEach(row -> {
            table.change(row, r -> {
                recordDeath(r, Attempt.End.NODE_DIED, now);
                r.end(JobState.CANCELLED, r.reason, now);
            });
            families.childEnded(row, survivor, now);
        });
        for (Recovery recovery : recoveries) {
            MemoryRow row = Objects.requireNonNull(table.find(recovery.orphan().job().seq()));
            table.change(row, r -> {
                recordDeath(r, recovery.end(), now);
                r.crashes += recovery.crashed() ? 1 : 0;
                r.suspicion = recovery.suspicion();
                r.phase = recovery.phase();
                move(r, recovery.transition(), survivor, now);
            });
            MemoryRow successor = row.liveSuccessor();
            if (row.ended) {
                families.ended(row, survivor, now);
            } else if (successor != null && row.phase == Phase.INGEST) {
                families.cancelFor(row, DedupeRules.gaveWayTo(successor.spec.id()), survivor, now);
            }
        }
        return recoveries;
    }

    private Orphan orphan(MemoryRow row, List<NodeRecord> nodes, Instant now) {
        long children = row.phase == Phase.INGEST ? 0
                : table.children.count(row.spec.id()).values().stream().mapToLong(Long::longValue).sum();
        @Nullable NodeRecord node = nodes.stream().filter(known -> known.id().equals(row.node)).findFirst()
                .orElse(null);
        return new Orphan(row.job(), row.guarantee, row.checkpoint != null, children, row.suspicion,
                Orphan.ranFor(row.startedAt, node == null ? null : node.renewedAt(),
                        node == null ? Duration.ZERO : node.lease(), now));
    }

    private static int cancelledBeside(MemoryRow orphan, List<MemoryRow> left) {
        return (int) left.stream()
                .filter(row -> row.state == JobState.CANCELLED && row.startedAt != null
                        && Objects.equals(row.node, orphan.node) && !row.suspicion.isCleared(row.attempt))
                .count();
    }

    private static void recordDeath(MemoryRow row, Attempt.End end, Instant now) {
        @Nullable Instant startedAt = row.startedAt;
        if (startedAt != null) {
            row.attempts.add(new Attempt(row.attempt, Objects.requireNonNull(row.node, "node"), "",
                    Objects.requireNonNull(row.assignedAt, "assignedAt"), startedAt, MemoryRow.millis(now), end, null));
        }
    }

    /** Runs before anything is written, because a job that the plan forgets would be lost. */
    private static void checkComplete(List<Orphan> orphans, List<Recovery> recoveries) {
        Set<Long> expected = new HashSet<>();
        orphans.forEach(orphan -> expected.add(orphan.job().seq()));
        Set<Long> decided = new HashSet<>();
        recoveries.forEach(recovery -> decided.add(recovery.orphan().job().seq()));
        if (recoveries.size() != orphans.size() || !decided.equals(expected)) {
            throw new StoreException(StoreException.Kind.REJECTED,
                    "the recovery plan must decide once for each of the jobs " + expected + ", but decided for "
                            + decided + "; nothing was recovered");
        }
    }
}

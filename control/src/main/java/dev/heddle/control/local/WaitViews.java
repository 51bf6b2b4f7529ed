package dev.heddle.control.local;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.control.model.JobWhy;
import dev.heddle.control.model.WaitKind;
import dev.heddle.control.model.WaitReasonView;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.waiting.JobExplanation;
import dev.heddle.waiting.WaitReason;
import org.jspecify.annotations.Nullable;

/** Turns the explanation of a job into its view. */
final class WaitViews {

    private WaitViews() {}

    static JobWhy why(Job job, JobExplanation explanation) {
        return new JobWhy(job.id().toString(), job.type(), job.queue(), explanation.state(),
                explanation.reasons().stream().map(reason -> draft(reason).view(reason.text())).toList());
    }

    private static Draft draft(WaitReason reason) {
        return switch (reason) {
            case WaitReason.Ended _ -> of(WaitKind.ENDED);
            case WaitReason.Running(String node, _) -> of(WaitKind.RUNNING).on(List.of(node));
            case WaitReason.Stopping(String node, _) -> of(WaitKind.STOPPING).on(List.of(node));
            case WaitReason.Claimed(String node, _) -> of(WaitKind.CLAIMED).on(List.of(node));
            case WaitReason.Paused(_, Instant dueAt) -> of(WaitKind.PAUSED).until(dueAt);
            case WaitReason.ChildrenLeft(int left, boolean more) -> of(WaitKind.CHILDREN_LEFT).counted(left, more);
            case WaitReason.Scheduled(Instant at) -> of(WaitKind.SCHEDULED).until(at);
            case WaitReason.RetryBackoff(Instant at, _, _) -> of(WaitKind.RETRY_BACKOFF).until(at);
            case WaitReason.RecoveryStage(Instant at, _) -> of(WaitKind.RECOVERY_STAGE).until(at);
            case WaitReason.QueuePaused(String queue) -> of(WaitKind.QUEUE_PAUSED).named(queue);
            case WaitReason.NoNode() -> of(WaitKind.NO_NODE);
            case WaitReason.NoHandler(String type, var nodes) -> of(WaitKind.NO_HANDLER).named(type).types(nodes);
            case WaitReason.Unknown(var nodes) -> of(WaitKind.UNKNOWN).on(nodes);
            case WaitReason.NodeClosing(var nodes) -> of(WaitKind.NODE_CLOSING).on(nodes);
            case WaitReason.LimitFull(var key, _, long held, var holders) -> of(WaitKind.LIMIT_FULL).named(key.limit())
                    .key(key.key()).jobs(holders).counted(held, false);
            case WaitReason.RateUsedUp(var key, _, Instant nextAt) -> of(WaitKind.RATE_USED_UP).named(key.limit())
                    .key(key.key()).until(nextAt);
            case WaitReason.GateClosed(String gate, _, var nodes) -> of(WaitKind.GATE_CLOSED).named(gate).on(nodes);
            case WaitReason.BreakerOpen(String type, Instant until, var nodes) -> of(WaitKind.BREAKER_OPEN).named(type)
                    .until(until).on(nodes);
            case WaitReason.TypeFull(String type, _, var nodes) -> of(WaitKind.TYPE_FULL).named(type).on(nodes);
            case WaitReason.SessionBusy(String session, _, String node, JobId job) -> of(WaitKind.SESSION_BUSY)
                    .named(session).on(List.of(node)).jobs(job == null ? List.of() : List.of(job));
            case WaitReason.SessionLost(String session) -> of(WaitKind.SESSION_LOST).named(session);
            case WaitReason.SuspectsFirst(_, var nodes) -> of(WaitKind.SUSPECTS_FIRST).on(nodes);
            case WaitReason.Suspect _ -> of(WaitKind.SUSPECT);
            case WaitReason.BehindJob(JobId other) -> of(WaitKind.BEHIND_JOB).jobs(List.of(other));
            case WaitReason.NoWorker(String group, _, var nodes) -> of(WaitKind.NO_WORKER).named(group).on(nodes);
            case WaitReason.WorkersBusy(_, var nodes, int ahead, boolean more) -> of(WaitKind.WORKERS_BUSY).on(nodes)
                    .counted(ahead, more);
            case WaitReason.Next(var nodes, int ahead, boolean more) -> of(WaitKind.NEXT).on(nodes).counted(ahead,
                    more);
        };
    }

    private static Draft of(WaitKind kind) {
        return new Draft(kind);
    }

    /** The fields of a view that are set so far. */
    private static final class Draft {
        private final WaitKind kind;
        private @Nullable Instant until;
        private @Nullable List<String> nodes;
        private @Nullable Map<String, List<String>> types;
        private @Nullable String name;
        private @Nullable String key;
        private @Nullable List<String> jobs;
        private @Nullable Long count;
        private @Nullable Boolean more;

        Draft(WaitKind kind) {
            this.kind = kind;
        }

        Draft until(@Nullable Instant value) {
            until = value;
            return this;
        }

        Draft on(List<String> value) {
            nodes = value;
            return this;
        }

        Draft types(Map<String, List<String>> value) {
            types = value;
            return this;
        }

        Draft named(String value) {
            name = value;
            return this;
        }

        Draft key(String value) {
            key = value;
            return this;
        }

        Draft jobs(List<JobId> value) {
            jobs = value.isEmpty() ? null : value.stream().map(JobId::toString).toList();
            return this;
        }

        Draft counted(long value, boolean andMore) {
            count = value;
            more = andMore ? true : null;
            return this;
        }

        WaitReasonView view(String text) {
            return new WaitReasonView(kind, text, until, nodes, types, name, key, jobs, count, more);
        }
    }
}

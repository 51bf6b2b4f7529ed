package dev.heddle.engine.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import dev.heddle.event.NodeEvent;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.Progress;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.AdminCommand;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerEvent.Routed.Result;
import org.jspecify.annotations.Nullable;

/** Maps events of a pool to {@link NodeEvent}s of bounded size, however long the texts of a handler are. */
final class NodeEvents {

    private static final int MAX_TEXT = 500;

    private NodeEvents() {}

    static NodeEvent of(PoolEvent event, String node, Instant at) {
        return switch (event) {
            case PoolEvent.Submitted e -> new NodeEvent("submitted", at, node, e.first().toString(), e.type(),
                    e.queue(), null, null, null, e.count(), null, null, null, null, null, null);
            case PoolEvent.Started e -> ofJob("started", at, node, e.job(), e.worker(), null, null, null, null);
            case PoolEvent.Progressed e ->
                ofJob("progress", at, node, e.job(), null, null, null, shortened(e.progress()), null);
            case PoolEvent.Ended e ->
                ofJob("ended", at, node, e.job(), e.worker(), e.end(), e.took().toMillis(), null, e.failure());
            case PoolEvent.Commanded(AdminCommand command, int count) -> ofCommand(command, count, at, node);
            case PoolEvent.OfWorker(WorkerEvent e) -> switch (e) {
                case WorkerEvent.Changed(String worker, _, StateChange change) -> ofWorker("worker", at, node, worker,
                        change.after(),
                        change.from() + " → " + change.to() + ": " + change.reason().name().toLowerCase(Locale.ROOT));
                case WorkerEvent.HealthChecked(String worker, _, boolean healthy, Duration took) ->
                    ofWorker("health-check", at, node, worker, took, healthy ? "passed" : "failed");
                case WorkerEvent.Routed(String worker, _, String session, Result result) -> ofWorker("session", at,
                        node, worker, null, session + ": " + result.name().toLowerCase(Locale.ROOT));
                case WorkerEvent.Replaced(String worker, _, String reason, Duration in) -> ofWorker("worker-replaced",
                        at, node, worker, null, reason + "; replaced in " + in.toMillis() + " ms");
            };
        };
    }

    /**
     * Leaves out changes of workers that the events of their jobs imply, and jobs that reach the worker of their
     * session.
     */
    static boolean isPublished(PoolEvent event) {
        return !(event instanceof PoolEvent.OfWorker(WorkerEvent worker)) || switch (worker) {
            case WorkerEvent.Changed(_, _, StateChange change) ->
                change.reason() != TransitionReason.CHECKOUT && change.reason() != TransitionReason.CHECKIN;
            case WorkerEvent.Routed(_, _, _, Result result) -> result != Result.HIT;
            case WorkerEvent.HealthChecked _, WorkerEvent.Replaced _ -> true;
        };
    }

    private static NodeEvent ofWorker(String kind, Instant at, String node, String worker, @Nullable Duration took,
            String reason) {
        return new NodeEvent(kind, at, node, null, null, null, null, null, worker, null, null,
                took == null ? null : took.toMillis(), null, null, shortened(reason), null);
    }

    private static NodeEvent ofJob(String kind, Instant at, String node, Job job, @Nullable String worker,
            Attempt.@Nullable End end, @Nullable Long took, @Nullable Progress progress, @Nullable Failure failure) {
        return new NodeEvent(kind, at, node, job.id().toString(), job.type(), job.queue(),
                end == null ? null : job.state(), job.counts().attempt(), worker, null, end, took, progress,
                failure == null ? null : shortened(failure.message()), null, null);
    }

    private static NodeEvent ofCommand(AdminCommand command, int count, Instant at, String node) {
        return switch (command) {
            case AdminCommand.Cancel c -> commanded("cancel", at, node, c.id(), null, count, c.reason(), c.actor());
            case AdminCommand.Pause c -> commanded("pause", at, node, c.id(), null, count, c.reason(), c.actor());
            case AdminCommand.Resume c -> commanded("resume", at, node, c.id(), null, count, null, c.actor());
            case AdminCommand.Reschedule c ->
                commanded(c.start() instanceof Start.AtOnce ? "run-now" : "reschedule", at, node, c.id(), null, count,
                        c.reason(), c.actor());
            case AdminCommand.Reprioritize c ->
                commanded("reprioritize", at, node, c.id(), null, count, null, c.actor());
            case AdminCommand.Move c -> commanded("move", at, node, c.id(), c.queue(), count, null, c.actor());
            case AdminCommand.Retry c -> commanded("retry", at, node, c.id(), null, count, null, c.actor());
            case AdminCommand.Delete c -> commanded("delete", at, node, c.id(), null, count, null, c.actor());
            case AdminCommand.RetryMatching c -> commanded("retry-dead", at, node, null, null, count, null, c.actor());
            case AdminCommand.PurgeMatching c -> commanded("purge-dead", at, node, null, null, count, null, c.actor());
            case AdminCommand.RetryErrors c -> commanded("retry-dead", at, node, null, null, count, null, c.actor());
            case AdminCommand.PurgeErrors c -> commanded("purge-dead", at, node, null, null, count, null, c.actor());
            case AdminCommand.PauseQueue c ->
                commanded("pause-queue", at, node, null, c.queue(), count, null, c.actor());
            case AdminCommand.ResumeQueue c ->
                commanded("resume-queue", at, node, null, c.queue(), count, null, c.actor());
        };
    }

    private static NodeEvent commanded(String kind, Instant at, String node, @Nullable JobId job,
            @Nullable String queue, int count, @Nullable String reason, String actor) {
        return new NodeEvent(kind, at, node, job == null ? null : job.toString(), null, queue, null, null, null, count,
                null, null, null, null, reason == null ? null : shortened(reason), actor);
    }

    private static Progress shortened(Progress progress) {
        return new Progress(progress.current(), progress.total(), shortened(progress.message()));
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }
}

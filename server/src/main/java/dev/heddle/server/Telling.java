package dev.heddle.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import dev.heddle.control.EventView;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Progress;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.Command;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerEvent.Routed.Result;
import org.jspecify.annotations.Nullable;

/** Says what happened in a pool as one line of JSON can say it: bounded, whatever a handler wrote into its failure. */
final class Telling {

    private static final int LONGEST = 500;

    private Telling() {}

    static EventView view(PoolEvent event, String node, Instant at) {
        return switch (event) {
            case PoolEvent.Submitted e ->
                new EventView("submitted", at, node, e.first().toString(), e.type(), e.queue(),
                        null, null, null, e.count(), null, null, null, null, null, null);
            case PoolEvent.Started e ->
                ofJob("started", at, node, e.job(), e.worker(), null, null, null, null);
            case PoolEvent.Progressed e ->
                ofJob("progress", at, node, e.job(), null, null, null, shortened(e.progress()),
                        null);
            case PoolEvent.Ended e ->
                ofJob("ended", at, node, e.job(), e.worker(), e.end(), e.took().toMillis(), null,
                        e.failure());
            case PoolEvent.Commanded(Command command, int count) -> ofCommand(command, count, at, node);
            case PoolEvent.OfWorker(WorkerEvent e) -> switch (e) {
                case WorkerEvent.Changed(String worker, _, StateChange change) ->
                    ofWorker("worker", at, node, worker,
                            change.after(), change.from() + " → " + change.to() + ": "
                                    + change.reason().name().toLowerCase(Locale.ROOT));
                case WorkerEvent.HealthChecked(String worker, _, boolean healthy, Duration took) -> ofWorker(
                        "health-check", at, node, worker, took, healthy ? "passed" : "failed");
                case WorkerEvent.Routed(String worker, _, String session, Result result) ->
                    ofWorker("session", at, node,
                            worker, null, session + ": " + result.name().toLowerCase(Locale.ROOT));
                case WorkerEvent.Replaced(String worker, _, String reason, Duration in) ->
                    ofWorker("worker-replaced", at, node, worker, null,
                            reason + "; another one in " + in.toMillis() + " ms");
            };
        };
    }

    /** That a worker takes a job and ends it is told as the job's start and end; that it has a session, when that begins. */
    static boolean isWorthTelling(PoolEvent event) {
        return !(event instanceof PoolEvent.OfWorker(WorkerEvent happened)) || switch (happened) {
            case WorkerEvent.Changed(_, _, StateChange change) -> change.reason() != TransitionReason.CHECKOUT
                    && change.reason() != TransitionReason.CHECKIN;
            case WorkerEvent.Routed(_, _, _, Result result) -> result != Result.HIT;
            case WorkerEvent.HealthChecked _,WorkerEvent.Replaced _ -> true;
        };
    }

    private static EventView ofWorker(String kind, Instant at, String node, String worker,
            @Nullable Duration took, String reason) {
        return new EventView(kind, at, node, null, null, null, null, null, worker, null, null,
                took == null ? null : took.toMillis(), null, null, shortened(reason), null);
    }

    private static EventView ofJob(String kind, Instant at, String node, Job job, @Nullable String worker,
            Attempt.@Nullable End end, @Nullable Long took, @Nullable Progress progress,
            @Nullable Failure failure) {
        return new EventView(kind, at, node, job.id().toString(), job.type(), job.queue(),
                end == null ? null : job.state(), job.counts().attempt(), worker, null, end, took, progress,
                failure == null ? null : shortened(failure.message()), null, null);
    }

    private static EventView ofCommand(Command command, int count, Instant at, String node) {
        return switch (command) {
            case Command.Cancel c -> asked("cancel", at, node, c.id(), null, count, c.reason(), c.actor());
            case Command.Pause c -> asked("pause", at, node, c.id(), null, count, c.reason(), c.actor());
            case Command.Resume c -> asked("resume", at, node, c.id(), null, count, null, c.actor());
            case Command.Retry c -> asked("retry", at, node, c.id(), null, count, null, c.actor());
            case Command.Delete c -> asked("delete", at, node, c.id(), null, count, null, c.actor());
            case Command.RetryMatching c -> asked("retry-dead", at, node, null, null, count, null, c.actor());
            case Command.PurgeMatching c -> asked("purge-dead", at, node, null, null, count, null, c.actor());
            case Command.PauseQueue c ->
                asked("pause-queue", at, node, null, c.queue(), count, null, c.actor());
            case Command.ResumeQueue c ->
                asked("resume-queue", at, node, null, c.queue(), count, null, c.actor());
        };
    }

    private static EventView asked(String kind, Instant at, String node, @Nullable JobId job,
            @Nullable String queue,
            int count, @Nullable String reason, String actor) {
        return new EventView(kind, at, node, job == null ? null : job.toString(), null, queue, null, null,
                null, count,
                null, null, null, null, reason == null ? null : shortened(reason), actor);
    }

    private static Progress shortened(Progress progress) {
        return new Progress(progress.current(), progress.total(), shortened(progress.message()));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}

package dev.heddle.server;

import java.time.Instant;

import dev.heddle.control.EventView;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Progress;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.Command;
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
        };
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

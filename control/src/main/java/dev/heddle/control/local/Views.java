package dev.heddle.control.local;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.heddle.budget.BudgetStatus;
import dev.heddle.control.model.BudgetView;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.QueueView;
import dev.heddle.control.model.SessionView;
import dev.heddle.control.model.WorkerView;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.pool.HoldReasons;
import dev.heddle.run.Run;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Turns what pools and stores return into the views that callers get. */
final class Views {

    private Views() {}

    static JobView job(Job job) {
        return job(job, HoldReasons.NONE);
    }

    /**
     * Returns the view of a job.
     *
     * @param held the reasons why jobs cannot start at the moment: a queued job with such a reason is shown as PAUSED,
     *     although the store has it as QUEUED
     */
    static JobView job(Job job, HoldReasons held) {
        var spec = job.spec();
        var status = job.status();
        String hold = job.state() == JobState.QUEUED ? held.reason(job.type(), spec.tags()).orElse(null) : null;
        return new JobView(job.id().toString(), job.type(), job.queue(), hold == null ? job.state() : JobState.PAUSED,
                job.phase() == Phase.INGEST ? null : job.phase(), spec.priority(), spec.createdAt(),
                job.counts().attempt(), job.counts().failures(), job.counts().crashes(), status.dueAt(), status.node(),
                status.startedAt(), status.endedAt(), status.progress(), hold == null ? status.reason() : hold,
                job.failure().map(Failure::message).orElse(null), spec.extras().maxRetries(), spec.extras().timeout(),
                spec.parent().map(JobId::toString).orElse(null), spec.extras().session(), spec.extras().subject(),
                spec.tags().stream().sorted().toList(), spec.extras().dedupeKey(),
                spec.dedupe().isDefault() ? null : spec.dedupe().text(), new TreeMap<>(spec.headers()));
    }

    static JobDetail detail(JobDetails story, List<Run> runs, HoldReasons held) {
        var job = story.job();
        Map<String, JsonNode> steps = new LinkedHashMap<>();
        story.saved().steps().forEach((name, json) -> steps.put(name, StoredJson.shown(json)));
        return new JobDetail(job(job, held), StoredJson.shown(job.spec().payload()),
                job.result().map(StoredJson::shown).orElse(null), job.failure().orElse(null),
                story.saved().checkpoint().map(StoredJson::shown).orElse(null), steps, story.attempts(), runs,
                story.history(), story.children());
    }

    static DeadLetterView deadLetter(JobDetails story) {
        var job = story.job();
        Instant died = job.endedAt().orElse(job.spec().createdAt());
        Instant first = story.attempts().stream().map(Attempt::endedAt).findFirst().orElse(died);
        Instant last = story.attempts().isEmpty() ? died : story.attempts().getLast().endedAt();
        return new DeadLetterView(job(job), job.reason().orElse("unknown"), job.counts().attempt(), first, last,
                StoredJson.shown(job.spec().payload()), job.failure().orElse(null),
                story.saved().checkpoint().map(StoredJson::shown).orElse(null));
    }

    /** Returns the form for lists: a thousand payloads would make a page too large. */
    static DeadLetterView listed(Job job, @Nullable Instant firstFailure) {
        Instant died = job.endedAt().orElse(job.spec().createdAt());
        return new DeadLetterView(job(job), job.reason().orElse("unknown"), job.counts().attempt(),
                firstFailure == null ? died : firstFailure, died, null, job.failure().orElse(null), null);
    }

    /** Returns the queues that have jobs or are paused, by name. */
    static List<QueueView> queues(JobCounts tally) {
        Set<String> names = new TreeSet<>(tally.pausedQueues());
        tally.live().forEach(line -> names.add(line.queue()));
        return names.stream().map(name -> queue(name, tally)).toList();
    }

    static QueueView queue(String name, JobCounts tally) {
        return new QueueView(name, tally.pausedQueues().contains(name),
                tally.byState(line -> line.queue().equals(name)));
    }

    static SessionView session(Binding binding) {
        return new SessionView(binding.session(), binding.type(), binding.worker(), binding.node(), binding.strict(),
                binding.boundAt(), binding.usedAt());
    }

    static WorkerView worker(WorkerSnapshot worker, String node, Instant asOf) {
        return new WorkerView(worker.id(), node, worker.group(), worker.state(), worker.health(),
                worker.job() == null ? null : worker.job().toString(), worker.since(), worker.jobs(), worker.facts(),
                asOf);
    }

    static BudgetView budget(BudgetStatus standing) {
        return new BudgetView(standing.budget().scope().toString(), standing.budget().measure().toString(),
                standing.budget().limit(), standing.used(), standing.state(), standing.opensAt(), standing.toString());
    }
}

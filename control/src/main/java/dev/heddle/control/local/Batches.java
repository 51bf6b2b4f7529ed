package dev.heddle.control.local;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.UnitPage;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads batches and executes commands on them. A batch is a job whose payload is a {@link BatchSpec}; its units are the
 * children of that job, tagged with its id. Progress and cost are computed at every call.
 */
record Batches(Backend backend, String actor, SubmissionGate gate) {

    List<BatchView> list() {
        return new JobResolver(backend.jobs()).batches(JobQuery.all()).map(this::view).toList();
    }

    private static BatchSpec spec(Job job) {
        if (!JobResolver.isBatch(job)) {
            throw ControlException
                    .notFound("job " + job.id() + " is not a batch; list batches with 'heddle batch list'");
        }
        return BatchSpec.of(job);
    }

    /** Returns a batch; one whose payload cannot be read is shown with the reason. */
    BatchView view(Job job) {
        BatchSpec spec;
        try {
            spec = spec(job);
        } catch (ControlException e) {
            if (e.kind() == Kind.INVALID) {
                return unreadable(job, "the payload of this batch cannot be read: " + e.getMessage());
            }
            throw e;
        }
        Map<JobState, Long> counts = backend.jobs().details(job.id()).map(JobDetails::children).orElse(Map.of());
        boolean ended = job.state().isFinal();
        boolean unitsLeft = counts.keySet().stream().anyMatch(state -> !state.isFinal());
        List<Spend> spent = backend.jobs().capability(SpendStore.class)
                .map(book -> book.spentSince(job.spec().createdAt())).orElse(List.of()).stream()
                .filter(spend -> spend.tags().contains(job.id().toString())).toList();
        return new BatchView(job.id().toString(), spec.name(), spec.type(),
                state(job.state(), counts), job.spec().createdAt(),
                unitsLeft ? null : job.status().endedAt(), spec.units(), counts,
                spent.stream().map(Spend::usd).reduce(BigDecimal.ZERO, BigDecimal::add),
                spent.stream().anyMatch(Spend::estimated), spent.stream().mapToLong(Spend::tokens).sum(),
                spec.tryFirst(),
                spec.tryFirst() > 0 && !ended && backend.jobs().countJobs().pausedQueues().contains(spec.queue()),
                backend.held().reason(spec.type(), Set.of(spec.name(), job.id().toString())).orElse(null),
                job.state() == JobState.FAILED ? job.failure().map(Failure::message).orElse(null) : null);
    }

    /** A batch whose job has ended is as good as its units. */
    private static JobState state(JobState job, Map<JobState, Long> units) {
        if (!job.isFinal()) {
            return job;
        }
        if (units.keySet().stream().anyMatch(state -> !state.isFinal())) {
            return JobState.WAITING;
        }
        return job != JobState.COMPLETED ? job
                : units.containsKey(JobState.FAILED) ? JobState.FAILED
                        : units.containsKey(JobState.CANCELLED) ? JobState.CANCELLED : JobState.COMPLETED;
    }

    private static BatchView unreadable(Job job, String why) {
        return new BatchView(job.id().toString(), job.spec().subject().orElse(job.id().toString()), "", job.state(),
                job.spec().createdAt(), job.status().endedAt(), 0, Map.of(), BigDecimal.ZERO, false, 0, 0, false, null,
                why);
    }

    UnitPage units(Job batch, @Nullable String cursor, int limit) {
        spec(batch);
        List<Job> jobs = backend.jobs()
                .list(JobQuery.all().parent(batch.id()).after(InputChecks.cursor(cursor)).limit(limit));
        return new UnitPage(
                jobs.stream().flatMap(job -> backend.jobs().details(job.id()).stream())
                        .map(story -> UnitViews.of(story, backend.runs(story.job().id()))).toList(),
                jobs.size() < limit ? null : String.valueOf(jobs.getLast().seq()));
    }

    BatchView approve(Job batch) {
        backend.execute(new AdminCommand.ResumeQueue(spec(batch).queue(), actor, backend.now()));
        return view(batch);
    }

    AffectedCount retryFailedUnits(Job batch) {
        spec(batch);
        JobQuery failed = JobQuery.deadLetters().parent(batch.id()).limit(Control.MOST_LISTED);
        long total = 0;
        int retried;
        do {
            retried = new DeadLetterRetry(backend, actor, gate).retry(failed);
            total += retried;
        } while (retried == Control.MOST_LISTED);
        return new AffectedCount(total);
    }
}

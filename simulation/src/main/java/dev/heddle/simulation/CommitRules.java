package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NewJob;
import dev.heddle.store.Recovery;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** What must be true after every commit: compares each job that a call of the store has touched with what it was. */
final class CommitRules {

    private final Evidence evidence;
    private final Map<JobId, Seen> seen = new HashMap<>();
    /** The jobs that were claimed, by their place in the order of submission, as fences name them. */
    private final Map<Long, JobId> claimed = new HashMap<>();

    private record Seen(JobState state, int attempt) {}

    CommitRules(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Returns what is wrong after a call of the store; empty if nothing is. */
    List<String> wrong(Object[] arguments, @Nullable Object result) {
        List<String> wrong = new ArrayList<>();
        Set<JobId> jobs = new LinkedHashSet<>();
        for (Object argument : arguments) {
            addJobs(argument, jobs);
        }
        if (result != null) {
            addJobs(result, jobs);
        }
        jobs.forEach(job -> check(job).ifPresent(what -> wrong.add(name(job) + " " + what)));
        return wrong;
    }

    private String name(JobId job) {
        return evidence.stories().find(job).map(Story::toString).orElse("job " + job);
    }

    /** Adds the jobs that an argument or a result of a call names. */
    private void addJobs(Object value, Set<JobId> jobs) {
        switch (value) {
            case List<?> list -> list.forEach(element -> addJobs(element, jobs));
            case Submission submission -> addJobs(submission.jobs(), jobs);
            case NewJob job -> jobs.add(job.spec().id());
            case ClaimResult result -> addJobs(result.claims(), jobs);
            case ClaimResult.Claim claim -> {
                claimed.put(claim.job().seq(), claim.job().id());
                jobs.add(claim.job().id());
            }
            case ScheduleStore.Fired fired -> addJobs(fired.jobs(), jobs);
            case Change change -> {
                JobId job = claimed.get(change.fence().seq());
                if (job != null) {
                    jobs.add(job);
                }
            }
            case Recovery recovery -> jobs.add(recovery.orphan().job().id());
            case AdminCommand.Cancel command -> jobs.add(command.id());
            case AdminCommand.Pause command -> jobs.add(command.id());
            case AdminCommand.Resume command -> jobs.add(command.id());
            case AdminCommand.Reschedule command -> jobs.add(command.id());
            case AdminCommand.Reprioritize command -> jobs.add(command.id());
            case AdminCommand.Move command -> jobs.add(command.id());
            case AdminCommand.Retry command -> jobs.add(command.id());
            case AdminCommand.Delete command -> jobs.add(command.id());
            default -> {
            }
        }
    }

    private Optional<String> check(JobId id) {
        Job now = evidence.observer().find(id).orElse(null);
        Seen before = seen.get(id);
        if (now == null) {
            seen.remove(id);
            return before != null && !wasOrdered(id, Order.DELETE) ? Optional.of("is gone") : Optional.empty();
        }
        Seen current = new Seen(now.state(), now.counts().attempt());
        seen.put(id, current);
        if (current.equals(before)) {
            return Optional.empty();
        }
        return changed(now, before == null ? new Seen(JobState.QUEUED, 0) : before)
                .or(() -> evidence.stories().find(id).flatMap(story -> story.workload().wrongNow(story, evidence)));
    }

    private Optional<String> changed(Job now, Seen before) {
        int attempt = now.counts().attempt();
        boolean retried = before.state == JobState.FAILED && wasOrdered(now.id(), Order.RETRY);
        if (before.state.isFinal() && now.state() != before.state && !retried) {
            return Optional.of("was " + before.state + " and is " + now.state());
        }
        if (attempt < before.attempt || attempt > before.attempt + 1) {
            return Optional.of("went from attempt " + before.attempt + " to " + attempt);
        }
        boolean hasResult = now.state() == JobState.COMPLETED || now.state() == JobState.FAILED;
        if (hasResult && now.state() != before.state) {
            return before.state.isHeld() || retried ? results(now)
                    : Optional.of("ended as " + now.state() + " while it was " + before.state);
        }
        return Optional.empty();
    }

    /** Each attempt has one result, and at most one is a success. */
    private Optional<String> results(Job job) {
        List<Attempt> attempts = evidence.observer().details(job.id()).map(JobDetails::attempts).orElse(List.of());
        boolean distinct = attempts.stream().map(Attempt::number).distinct().count() == attempts.size();
        boolean once = attempts.stream().filter(each -> each.end() == Attempt.End.COMPLETED).count() <= 1;
        return distinct && once ? Optional.empty() : Optional.of("has too many results: " + attempts);
    }

    private boolean wasOrdered(JobId job, Order order) {
        return evidence.stories().find(job).filter(story -> story.wasOrdered(order)).isPresent();
    }
}

package dev.heddle.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Dedupe;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/**
 * Has a dedupe key with a mode. Of the jobs with one key, one at most waits to run, and one at most is held: so a node
 * that runs a job has at most one successor, which starts after its end.
 */
final class KeyedWork extends Workloads.Echo {

    private static final int KEYS = 3;
    private static final List<Dedupe> MODES = List.of(Dedupe.replace(), Dedupe.supersede(),
            Dedupe.debounce(Duration.ofMillis(500), Duration.ofSeconds(2)), Dedupe.within(Duration.ofSeconds(3)),
            Dedupe.replace(), Dedupe.whileActive());

    KeyedWork() {
        super(Workloads.named("keyed"));
    }

    /** Some fail at first: they would be retried, if they had no successor. */
    @Override
    @Nullable String handle(HandlerCall call) {
        if (call.behavior() % 4 == 1 && call.job().attempt() == 1) {
            call.sleep(11);
            throw JobException.transientFailure("not yet");
        }
        return super.handle(call);
    }

    private static String key(int behavior) {
        return "key " + behavior % KEYS;
    }

    @Override
    JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
        return request.dedupeKey(key(behavior), MODES.get(behavior / KEYS % MODES.size()));
    }

    @Override
    Optional<String> wrongNow(Story changed, Evidence evidence) {
        List<Job> live = evidence.observer().list(JobQuery.all().type(type())
                .states(JobState.QUEUED, JobState.SCHEDULED, JobState.PAUSED, JobState.ASSIGNED, JobState.RUNNING,
                        JobState.CANCELLED)
                .limit(1_000)).stream().filter(job -> job.endedAt().isEmpty())
                .filter(job -> job.spec().dedupeKey().equals(Optional.of(key(changed.behavior())))).toList();
        long held = live.stream().filter(job -> job.state().isHeld() || job.state() == JobState.CANCELLED).count();
        return held > 1 || live.size() - held > 1 ? Optional.of("is one of " + (live.size() - held)
                + " waiting jobs and " + held + " that nodes hold, with one dedupe key: " + live) : Optional.empty();
    }

    /** A job may have to make way for another one. */
    @Override
    Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
        Job job = details.job();
        String reason = job.reason().orElse("");
        boolean gaveWay = job.state() == JobState.CANCELLED
                && (reason.startsWith("superseded by job") || reason.startsWith("replaced by job"));
        return gaveWay ? Optional.empty() : super.wrong(story, details, evidence);
    }
}

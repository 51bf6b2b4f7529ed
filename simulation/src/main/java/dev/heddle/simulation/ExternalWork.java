package dev.heddle.simulation;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;

/** Runs on workers with processes of their own, which may exit, answer late or not at all. Some jobs have sessions. */
final class ExternalWork extends Workload {

    private static final String GROUP = "external";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** What the worker does with a job. */
    private enum Conduct {
        ANSWERS, EXITS_AT_FIRST, IS_LATE_AT_FIRST, HANGS;

        static Conduct of(int behavior) {
            return switch (behavior % 10) {
                case 7 -> EXITS_AT_FIRST;
                case 8 -> IS_LATE_AT_FIRST;
                case 9 -> HANGS;
                default -> ANSWERS;
            };
        }
    }

    ExternalWork() {
        super(Workloads.named("external").group(GROUP).affinity(Affinity.STRICT_QUEUE).timeout(TIMEOUT));
    }

    @Override
    void register(PoolBuilder pool, Host host) {
        SimulatedWorkforce workers = new SimulatedWorkforce(GROUP, host.env());
        pool.group(GROUP, 2, workers).register(type(), (JobHandler<Integer, String>) (behavior,
                job) -> new HandlerCall(host, job, behavior).watched(call -> execute(call, workers)));
    }

    @Override
    boolean ignoresCancellation() {
        return true;
    }

    @Override
    JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
        return behavior % 3 == 0 ? request.session("client " + behavior % 2) : request;
    }

    @Override
    @Nullable String handle(HandlerCall call) {
        throw new IllegalStateException("its workers run it");
    }

    /** Waits for the answer, whether the attempt should stop or not: what hangs is for the pool to abandon. */
    private static String execute(HandlerCall call, SimulatedWorkforce workers) {
        Conduct conduct = Conduct.of(call.behavior());
        boolean first = call.job().attempt() == 1;
        boolean late = conduct == Conduct.IS_LATE_AT_FIRST && first;
        Duration time = conduct == Conduct.HANGS ? null
                : Duration.ofMillis(call.behavior() * 20L).plus(late ? TIMEOUT : Duration.ZERO);
        CompletableFuture<String> answer = workers.execute(call.job().worker(), time,
                conduct == Conduct.EXITS_AT_FIRST && first);
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** A worker may exit during any attempt, and two more retries may not be enough. */
    @Override
    Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
        Job job = details.job();
        String reason = job.reason().orElse("");
        boolean lost = job.state() == JobState.FAILED && (reason.contains("WorkerLost") || reason.contains("Session"));
        boolean late = job.state() == JobState.FAILED && reason.contains("timed out");
        boolean hangs = Conduct.of(story.behavior()) == Conduct.HANGS;
        if (hangs && job.state() == JobState.COMPLETED) {
            return Optional.of("completed, although its worker never answers");
        }
        if (job.result().filter(result -> !result.equals("\"ok\"")).isPresent()) {
            return Optional.of("has the result " + job.result().get() + ", which is not the first answer");
        }
        return lost || (late && (hangs || job.spec().session().isPresent())) ? Optional.empty()
                : super.wrong(story, details, evidence);
    }
}

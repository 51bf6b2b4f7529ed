package dev.heddle.job;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Decides what the outcome of an attempt means for its job. A pure function, so that it can be tested as a table. */
public final class Transitions {

    private static final String ENDED_JVM = "it called System.exit, which ended its node";

    private Transitions() {}

    /**
     * Returns what happens to a job.
     *
     * @param job the job as it was during the attempt
     * @param outcome how the attempt ended
     * @param policy when failed jobs of its type are retried
     * @param random the source of jitter
     */
    public static Transition decide(Job job, Outcome outcome, RetryPolicy policy, RandomGenerator random) {
        return switch (outcome) {
            case Outcome.Completed(String result) -> new Transition.Complete(result);
            case Outcome.Rescheduled(var start, String data) -> new Transition.Reschedule(start, data);
            case Outcome.Ingested(int children) ->
                new Transition.Wait("Ingested: waits for " + children + (children == 1 ? " child" : " children"));
            case Outcome.Cancelled(String reason) -> new Transition.Cancel(reason);
            case Outcome.Released(String reason) -> new Transition.Requeue(reason);
            case Outcome.Crashed(int maxCrashes, boolean repeatable) -> afterCrash(job, maxCrashes, repeatable);
            case Outcome.Failed(Failure failure) -> afterFailure(job, failure, policy, random);
            case Outcome.TimedOut(Failure failure) -> afterFailure(job, failure, policy, random);
        };
    }

    private static Transition afterCrash(Job job, int maxCrashes, boolean repeatable) {
        Optional<Transition> deadLetter = deadLetterAfter(job.counts().crashes() + 1, maxCrashes);
        return deadLetter.orElseGet(() -> repeatable ? new Transition.Requeue(ENDED_JVM) : new Transition.Fail(
                "orphaned: it called System.exit, and its type is not safe to run twice"));
    }

    /** Returns the end of a job that has crashed its node for the last time that is allowed; empty before that. */
    public static Optional<Transition> deadLetterAfter(int crashes, int maxCrashes) {
        return crashes < maxCrashes ? Optional.empty() : Optional.of(new Transition.Fail(
                "poison: it crashed its node " + (crashes == 1 ? "once" : crashes + " times")));
    }

    private static Transition afterFailure(Job job, Failure failure, RetryPolicy policy, RandomGenerator random) {
        if (!failure.category().isRetryable()) {
            return permanent(failure);
        }
        int allowed = job.spec().maxRetries(policy);
        int retry = job.counts().failures() + 1;
        if (retry > allowed) {
            return fail("Max retries exceeded (" + allowed + "): " + failure.message());
        }
        Duration delay = failure.retryAfter() == null ? policy.backoff().delay(retry, random) : failure.retryAfter();
        if (delay.compareTo(Limits.DURATION) > 0) {
            return fail("Permanent failure: no retry, because retryAfter is " + DurationText.of(delay) + ": "
                    + failure.message());
        }
        return new Transition.Retry(delay.isNegative() ? Duration.ZERO : delay,
                Limits.cut("Retry " + retry + "/" + allowed + ": " + failure.message(), Limits.MESSAGE));
    }

    /** Returns what happens to a job after a failure that no retry mends. */
    public static Transition permanent(Failure failure) {
        return fail("Permanent failure: " + failure.message());
    }

    private static Transition fail(String reason) {
        return new Transition.Fail(Limits.cut(reason, Limits.MESSAGE));
    }
}

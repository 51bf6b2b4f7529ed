package dev.heddle.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;

import dev.heddle.conversation.Event.RateLimit;
import dev.heddle.conversation.Event.Result;
import dev.heddle.conversation.Totals;
import dev.heddle.job.DurationText;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to stop a run, and how a run ended. Pure.
 *
 * @param hangTimeout how long an agent may stay alive after it reported its result; the result counts either way
 * @param stallTimeout how long an agent may be silent before it reported a result; null for no limit
 */
public record EndRules(Duration hangTimeout, @Nullable Duration stallTimeout) {

    private static final int MAX_MESSAGE = 500;
    private static final Set<String> PERMANENT_RESULTS = Set.of("error_max_turns", "error_max_budget_usd",
            "error_max_structured_output_retries");
    private static final Pattern ACCESS_DENIED = Pattern
            .compile("(?i)\\b(401|403)\\b|invalid (x-)?api[- ]key|authentication_error|not logged in|permission_error");

    /** Checks the timeouts. */
    public EndRules {
        Limits.notNegative("the hang timeout", hangTimeout);
        if (stallTimeout != null) {
            Limits.positive("the stall timeout", stallTimeout);
        }
    }

    /** Returns the defaults: stop 30 s after the result, or after 10 min of silence. */
    public static EndRules standard() {
        return new EndRules(Duration.ofSeconds(30), Duration.ofMinutes(10));
    }

    /**
     * What can be observed of a run.
     *
     * @param lastOutput when the agent last printed something, as {@link dev.heddle.env.Environment#elapsed} time
     * @param hasResult whether the agent has reported a result
     */
    record Activity(Duration lastOutput, boolean hasResult) {}

    /** Why a process ended. */
    sealed interface Cause {

        /** The process exited by itself. */
        record Exited(int code) implements Cause {}

        /** The process reached its time limit, which ends it even if there is no node. */
        record TimedOut(Duration limit) implements Cause {}

        /** The process stayed alive after its result and was killed. */
        record Hung() implements Cause {}

        /** The process fell silent and was killed. */
        record Stalled() implements Cause {}

        /** The process was stopped from outside, for example because its job was cancelled. */
        record Stopped(String why) implements Cause {}
    }

    /** What to do about a run now. */
    sealed interface Decision {

        /**
         * Leave the run alone.
         *
         * @param until when to decide again, as elapsed time; null if only new activity can change the decision
         */
        record Continue(@Nullable Duration until) implements Decision {}

        /** Stop the run. */
        record Stop(Cause cause) implements Decision {}
    }

    /** Decides whether a run should continue. */
    Decision decide(Activity activity, Duration now) {
        Duration timeout = activity.hasResult ? hangTimeout : stallTimeout;
        if (timeout == null) {
            return new Decision.Continue(null);
        }
        Duration deadline = activity.lastOutput.plus(timeout);
        if (now.compareTo(deadline) < 0) {
            return new Decision.Continue(deadline);
        }
        return new Decision.Stop(activity.hasResult ? new Cause.Hung() : new Cause.Stalled());
    }

    /** Returns the outcome of a run whose process has ended. The agent's own result outranks the exit code. */
    static AgentOutcome outcome(Adapter adapter, Totals totals, Cause cause, Instant now) {
        Result result = totals.result();
        if (result != null) {
            return result.success() ? new AgentOutcome.Succeeded(totals.text())
                    : reportedFailure(adapter, totals, result, now);
        }
        return switch (cause) {
            case Cause.Exited(int code) -> exited(adapter, totals, code);
            case Cause.TimedOut(Duration limit) -> failure(AgentOutcome.Reason.TIMED_OUT,
                    adapter.name() + " timed out after " + DurationText.of(limit) + resumeHint(totals));
            case Cause.Stalled() -> failure(AgentOutcome.Reason.STALLED,
                    adapter.name() + " fell silent and was stopped" + resumeHint(totals));
            case Cause.Stopped(String why) ->
                failure(AgentOutcome.Reason.STOPPED, adapter.name() + " was stopped: " + why + resumeHint(totals));
            case Cause.Hung() -> throw new IllegalStateException("a run can only hang after it has reported a result");
        };
    }

    private static AgentOutcome exited(Adapter adapter, Totals totals, int code) {
        if (code == 0) {
            return adapter.reportsCompletion()
                    ? failure(AgentOutcome.Reason.NO_RESULT,
                            adapter.name() + " exited with 0 but reported no result" + resumeHint(totals))
                    : new AgentOutcome.Succeeded(totals.text());
        }
        String permanent = adapter.permanentFailure(code);
        return permanent != null ? failure(AgentOutcome.Reason.REFUSED, permanent)
                : failure(AgentOutcome.Reason.EXIT, adapter.name() + " exited with " + code
                        + (adapter.reportsCompletion() ? " and reported no result" : ""));
    }

    private static AgentOutcome reportedFailure(Adapter adapter, Totals totals, Result result, Instant now) {
        String text = result.text() == null ? "" : result.text().strip();
        String message = adapter.name() + " failed (" + result.how() + ")"
                + (text.isEmpty() ? "" : ": " + firstLine(text));
        boolean permanent = PERMANENT_RESULTS.contains(result.how()) || ACCESS_DENIED.matcher(text).find();
        return new AgentOutcome.Failed(permanent ? AgentOutcome.Reason.REFUSED : AgentOutcome.Reason.REPORTED, message,
                retryAfter(totals.limited(), now));
    }

    private static @Nullable Duration retryAfter(@Nullable RateLimit limit, Instant now) {
        if (limit == null || limit.status().startsWith("allowed")) {
            return null;
        }
        Instant until = limit.until();
        return until != null && until.isAfter(now) ? Duration.between(now, until) : null;
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= MAX_MESSAGE ? line : line.substring(0, MAX_MESSAGE) + "…";
    }

    private static String resumeHint(Totals totals) {
        return totals.session() == null ? "" : "; session " + totals.session() + " can be resumed";
    }

    private static AgentOutcome failure(AgentOutcome.Reason reason, String message) {
        return new AgentOutcome.Failed(reason, message, null);
    }
}

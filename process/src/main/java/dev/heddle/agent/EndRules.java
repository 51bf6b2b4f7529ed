package dev.heddle.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;

import dev.heddle.conversation.Event.Finished;
import dev.heddle.conversation.Event.Limited;
import dev.heddle.conversation.Totals;
import org.jspecify.annotations.Nullable;

/**
 * When a run is over, and how. Pure.
 *
 * @param hang how long an agent may stay after it has said that it is done; what it said stands
 * @param stall how long an agent may be silent before it is done; null for ever
 */
public record EndRules(Duration hang, @Nullable Duration stall) {

    private static final Set<String> SAME_AGAIN = Set.of("error_max_turns", "error_max_budget_usd",
            "error_max_structured_output_retries");
    private static final Pattern DENIED = Pattern.compile(
            "(?i)\\b(401|403)\\b|invalid (x-)?api[- ]key|authentication_error|not logged in|permission_error");

    public EndRules {
        if (hang.isNegative() || (stall != null && !stall.isPositive())) {
            throw new IllegalArgumentException(
                    "times must not be negative, and the stall time longer than zero: " + hang
                            + ", " + stall);
        }
    }

    /** 30 s after the result, 10 min of silence. */
    public static EndRules standard() {
        return new EndRules(Duration.ofSeconds(30), Duration.ofMinutes(10));
    }

    /** What the run shows of itself while it goes on. */
    public record Signs(Instant lastOutput, boolean hasResult) {}

    /** What made a process end. */
    public sealed interface Cause {
        /** It did so by itself. */
        record Exited(int code) implements Cause {}

        /** It stayed after its result and was killed. */
        record Hung() implements Cause {}

        /** It fell silent and was killed. */
        record Stalled() implements Cause {}

        /** Somebody ended it. */
        record Stopped(String why) implements Cause {}
    }

    /** What to do about a run now: leave it until then, or end it. */
    public sealed interface Next {
        /**
         * Leave it.
         *
         * @param at until then; null for as long as nothing happens
         */
        record Look(@Nullable Instant at) implements Next {}

        record End(Cause cause) implements Next {}
    }

    public Next next(Signs signs, Instant now) {
        Duration patience = signs.hasResult ? hang : stall;
        if (patience == null) {
            return new Next.Look(null);
        }
        Instant over = signs.lastOutput.plus(patience);
        if (now.isBefore(over)) {
            return new Next.Look(over);
        }
        return new Next.End(signs.hasResult ? new Cause.Hung() : new Cause.Stalled());
    }

    /** How a run ended whose process has. What the agent said counts for more than its exit code. */
    public static Ending ending(Adapter adapter, Totals totals, Cause cause, Instant now) {
        Finished result = totals.result();
        if (result != null) {
            return result.success() ? new Ending.Succeeded(totals.text())
                    : failed(adapter, totals, result, now);
        }
        return switch (cause) {
            case Cause.Exited(int code) -> exited(adapter, totals, code);
            case Cause.Stalled() -> failure(Ending.Reason.STALLED,
                    adapter.name() + " fell silent and was ended" + resumable(totals));
            case Cause.Stopped(String why) -> failure(Ending.Reason.STOPPED,
                    adapter.name() + " was ended: " + why + resumable(totals));
            case Cause.Hung() ->
                throw new IllegalStateException("only a run with a result can hang after it");
        };
    }

    private static Ending exited(Adapter adapter, Totals totals, int code) {
        if (code == 0) {
            return adapter.saysWhenDone()
                    ? failure(Ending.Reason.NO_RESULT,
                            adapter.name() + " exited with 0 and never said that it was done"
                                    + resumable(totals))
                    : new Ending.Succeeded(totals.text());
        }
        String hopeless = adapter.hopeless(code);
        return hopeless != null ? failure(Ending.Reason.REFUSED, hopeless)
                : failure(Ending.Reason.EXIT, adapter.name() + " exited with " + code
                        + (adapter.saysWhenDone() ? " and no result" : ""));
    }

    private static Ending failed(Adapter adapter, Totals totals, Finished result, Instant now) {
        String text = result.text() == null ? "" : result.text().strip();
        String message = adapter.name() + " failed (" + result.how() + ")"
                + (text.isEmpty() ? "" : ": " + firstLine(text));
        boolean sameAgain = SAME_AGAIN.contains(result.how()) || DENIED.matcher(text).find();
        return new Ending.Failed(sameAgain ? Ending.Reason.REFUSED : Ending.Reason.REPORTED, message,
                wait(totals.limited(), now));
    }

    private static @Nullable Duration wait(@Nullable Limited limited, Instant now) {
        if (limited == null || limited.status().startsWith("allowed")) {
            return null;
        }
        Instant until = limited.until();
        return until != null && until.isAfter(now) ? Duration.between(now, until) : null;
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= 500 ? line : line.substring(0, 500) + "…";
    }

    private static String resumable(Totals totals) {
        return totals.session() == null ? "" : "; its session " + totals.session() + " can go on";
    }

    private static Ending failure(Ending.Reason reason, String message) {
        return new Ending.Failed(reason, message, null);
    }
}

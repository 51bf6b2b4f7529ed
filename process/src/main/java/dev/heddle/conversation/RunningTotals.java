package dev.heddle.conversation;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.heddle.conversation.Event.ConversationEvent;
import dev.heddle.conversation.Event.Message;
import dev.heddle.conversation.Event.RateLimit;
import dev.heddle.conversation.Event.Result;
import dev.heddle.conversation.Event.TokenUsage;
import dev.heddle.conversation.Event.UsageScope;
import org.jspecify.annotations.Nullable;

/**
 * Sums up a run while it is going, in constant memory.
 *
 * <p>Tokens are counted in two ways, and the larger sum counts. Usage that is reported along the way may be incomplete
 * if it arrives before its message is; usage that is reported at the end may leave out subagents.
 */
public final class RunningTotals {

    /** A message's usage repeats with each of its parts, interleaved with at most a few subagents. */
    private static final int MAX_REMEMBERED = 1_000;
    private static final int MAX_ANSWER = 256 * 1024;

    private final Map<String, TokenUsage> remembered = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenUsage> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private final Map<String, Tokens> byModel = new TreeMap<>();
    private final Tokens sessionBaseline;
    private final StringBuilder answer = new StringBuilder();
    private @Nullable String session;
    private @Nullable String model;
    private @Nullable Tokens sessionTokens;
    private Tokens finalTokens = Tokens.NONE;
    private @Nullable BigDecimal reportedUsd;
    private @Nullable Result result;
    private boolean continuedAfterResult;
    private @Nullable RateLimit rateLimit;
    private long events;

    /** Starts the totals of a new session. */
    public RunningTotals() {
        this(null, Tokens.NONE);
    }

    /**
     * Starts the totals of a run that may resume a session.
     *
     * @param model the model that was requested, for agents that do not report one
     * @param sessionBaseline what the session had used before this run, see {@link Totals#ofSession}
     */
    public RunningTotals(@Nullable String model, Tokens sessionBaseline) {
        this.model = model;
        this.sessionBaseline = sessionBaseline;
    }

    /** Adds the next event. */
    public void add(Event event) {
        events++;
        switch (event) {
            case Event.Started started -> {
                session = started.session() != null ? started.session() : session;
                model = started.model() != null ? started.model() : model;
            }
            case TokenUsage usage -> count(usage);
            case Result reported -> addResult(reported);
            case RateLimit limit -> rateLimit = limit;
            case ConversationEvent spoken -> {
                continuedAfterResult = true;
                collectAnswer(spoken);
            }
            case Event.Notice _, Event.Unknown _, Event.Noise _ -> {
                // These do not change the totals.
            }
        }
    }

    private void count(TokenUsage usage) {
        TokenUsage earlier = remembered.put(usage.key(), usage);
        if (earlier != null) {
            add(modelOf(earlier), Tokens.NONE.minus(ofThisRun(earlier)));
        }
        add(modelOf(usage), ofThisRun(usage));
        if (usage.scope() == UsageScope.SESSION) {
            sessionTokens = usage.tokens();
        }
    }

    private String modelOf(TokenUsage usage) {
        return usage.model() != null ? usage.model() : Objects.requireNonNullElse(model, "unknown");
    }

    /** A session that counts less than before this run has started its count again. */
    private Tokens ofThisRun(TokenUsage usage) {
        return usage.scope() == UsageScope.SESSION && usage.tokens().isAtLeast(sessionBaseline)
                ? usage.tokens().minus(sessionBaseline) : usage.tokens();
    }

    private void add(String name, Tokens tokens) {
        byModel.merge(name, tokens, Tokens::plus);
    }

    /** The first success counts, unless the agent continued after it. */
    private void addResult(Result reported) {
        if (result == null || !result.success() || continuedAfterResult) {
            result = reported;
        }
        continuedAfterResult = false;
        BigDecimal usd = reported.usd();
        if (usd != null && (reportedUsd == null || usd.compareTo(reportedUsd) >= 0)) {
            reportedUsd = usd;
        }
        Tokens tokens = reported.tokens();
        if (tokens != null && tokens.total() > finalTokens.total()) {
            finalTokens = tokens;
        }
    }

    private void collectAnswer(ConversationEvent event) {
        if (event instanceof Message(Speaker speaker, String text, boolean continues, String parentCall)
                && parentCall == null && speaker == Speaker.AGENT) {
            if (!continues) {
                answer.setLength(0);
            }
            answer.append(text, 0, Math.min(text.length(), MAX_ANSWER - answer.length()));
        }
    }

    /** Tells whether the agent has reported a result. */
    public boolean hasResult() {
        return result != null;
    }

    /** Returns the totals so far. */
    public Totals totals(Prices prices) {
        Tokens counted = byModel.values().stream().reduce(Tokens.NONE, Tokens::plus);
        return new Totals(session, model, finalTokens.total() > counted.total() ? finalTokens : counted, byModel,
                sessionTokens, reportedUsd != null ? Cost.reported(reportedUsd) : estimate(prices), result,
                answer.toString(), rateLimit, events);
    }

    private @Nullable Cost estimate(Prices prices) {
        return byModel.isEmpty() && finalTokens.total() > 0 && model != null
                ? prices.estimate(Map.of(model, finalTokens)) : prices.estimate(byModel);
    }
}

package dev.heddle.conversation;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.heddle.conversation.Event.Finished;
import dev.heddle.conversation.Event.Limited;
import dev.heddle.conversation.Event.Said;
import dev.heddle.conversation.Event.Span;
import dev.heddle.conversation.Event.Spoken;
import dev.heddle.conversation.Event.Used;
import org.jspecify.annotations.Nullable;

/**
 * Sums a run up as it goes on, in memory that does not grow with it.
 *
 * <p>Tokens are counted twice, and the larger sum is right. What an agent says along the way may be said before a message
 * is complete; what it says at its end may leave out its subagents.
 */
public final class Tally {

    /** A message's usage is repeated with each of its parts, among those of a few subagents at most. */
    private static final int REMEMBERED = 1_000;
    private static final int LONGEST_ANSWER = 256 * 1024;

    private final Map<String, Used> remembered = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Used> eldest) {
            return size() > REMEMBERED;
        }
    };
    private final Map<String, Tokens> byModel = new TreeMap<>();
    private final Tokens before;
    private final StringBuilder answer = new StringBuilder();
    private @Nullable String session;
    private @Nullable String model;
    private @Nullable Tokens ofSession;
    private Tokens toldAtEnd = Tokens.NONE;
    private @Nullable BigDecimal reported;
    private @Nullable Finished result;
    private boolean wentOn;
    private @Nullable Limited limited;
    private long events;

    /** Of a run that has its session for itself. */
    public Tally() {
        this(null, Tokens.NONE);
    }

    /**
     * @param model what the agent was told to use, for agents that do not say
     * @param before what the session had used when this run resumed it, see {@link Totals#ofSession}
     */
    public Tally(@Nullable String model, Tokens before) {
        this.model = model;
        this.before = before;
    }

    public void add(Event event) {
        events++;
        switch (event) {
            case Event.Started started -> {
                session = started.session() != null ? started.session() : session;
                model = started.model() != null ? started.model() : model;
            }
            case Used used -> count(used);
            case Finished finished -> finish(finished);
            case Limited now -> limited = now;
            case Spoken spoken -> {
                wentOn = true;
                listen(spoken);
            }
            case Event.Noticed _,Event.Unknown _,Event.Noise _ -> {
                // They say nothing about the whole.
            }
        }
    }

    private void count(Used used) {
        Used earlier = remembered.put(used.key(), used);
        if (earlier != null) {
            add(modelOf(earlier), Tokens.NONE.minus(counted(earlier)));
        }
        add(modelOf(used), counted(used));
        if (used.span() == Span.SESSION) {
            ofSession = used.tokens();
        }
    }

    private String modelOf(Used used) {
        return used.model() != null ? used.model() : Objects.requireNonNullElse(model, "unknown");
    }

    /** A session that counts less than before has begun to count anew. */
    private Tokens counted(Used used) {
        return used.span() == Span.SESSION && used.tokens().covers(before) ? used.tokens().minus(before)
                : used.tokens();
    }

    private void add(String name, Tokens tokens) {
        byModel.merge(name, tokens, Tokens::plus);
    }

    /** The first success stands, unless the agent went on after it. */
    private void finish(Finished finished) {
        if (result == null || !result.success() || wentOn) {
            result = finished;
        }
        wentOn = false;
        BigDecimal usd = finished.usd();
        reported = usd == null || (reported != null && reported.compareTo(usd) > 0) ? reported : usd;
        toldAtEnd = finished.tokens() != null && finished.tokens().total() > toldAtEnd.total()
                ? finished.tokens()
                : toldAtEnd;
    }

    private void listen(Spoken spoken) {
        if (spoken instanceof Said(Speaker speaker, String text, boolean goesOn, String under)
                && under == null
                && speaker == Speaker.AGENT) {
            if (!goesOn) {
                answer.setLength(0);
            }
            answer.append(text, 0, Math.min(text.length(), LONGEST_ANSWER - answer.length()));
        }
    }

    /** Whether the agent has said that it is done. */
    public boolean hasResult() {
        return result != null;
    }

    public Totals totals(Prices prices) {
        Tokens counted = byModel.values().stream().reduce(Tokens.NONE, Tokens::plus);
        return new Totals(session, model, toldAtEnd.total() > counted.total() ? toldAtEnd : counted, byModel,
                ofSession,
                reported != null ? Cost.reported(reported) : estimate(prices), result, answer.toString(),
                limited, events);
    }

    private @Nullable Cost estimate(Prices prices) {
        return byModel.isEmpty() && toldAtEnd.total() > 0 && model != null
                ? prices.estimate(Map.of(model, toldAtEnd))
                : prices.estimate(byModel);
    }
}

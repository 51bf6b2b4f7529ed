package dev.heddle.agent;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendBook;
import dev.heddle.budget.Standing;
import dev.heddle.job.JobId;
import dev.heddle.pool.Gate;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is to spend: writes down what was, and says whether more may be. It asks the store for budgets and for what other
 * nodes spent every few seconds and before each start, and knows at once what this one did. As a gate of the pool it holds back what has no budget left.
 */
public final class Purse implements Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Purse.class);
    private static final Duration FRESH = Duration.ofSeconds(2);
    /** Nodes' clocks may differ by this much. */
    private static final Duration OVERLAP = Duration.ofMinutes(1);
    /** A gate is asked at every claim, and a month of spending is not summed up for each. */
    private static final Duration SUM = Duration.ofMillis(100);
    private static final Duration BETWEEN_PRUNES = Duration.ofHours(1);

    private final SpendBook book;
    private final InstantSource clock;
    private final Map<Key, Spend> spending = new HashMap<>();
    private final Map<Budget, Standing.State> said = new ConcurrentHashMap<>();
    private List<Budget> budgets = List.of();
    private Instant askedAt = Instant.EPOCH;
    private Instant readAt = Instant.EPOCH;
    private Instant prunedAt = Instant.EPOCH;
    private List<Standing> summedUp = List.of();
    private Instant summedUpAt = Instant.EPOCH;

    private record Key(JobId job, int attempt) {}

    public Purse(SpendBook book, InstantSource clock) {
        this.book = book;
        this.clock = clock;
    }

    /** Writes down what an attempt has spent so far. */
    public void record(Spend spend) {
        book.record(spend);
        synchronized (this) {
            spending.put(new Key(spend.job(), spend.attempt()), spend);
            summedUpAt = Instant.EPOCH;
        }
    }

    /** Writes down that an attempt begins to spend. */
    void begin(JobId job, int attempt, String type, Set<String> tags) {
        Instant now = clock.instant();
        record(new Spend(job, attempt, type, tags, now, now, BigDecimal.ZERO, false, 0));
    }

    @Override
    public Optional<String> closed(String type) {
        return usedUp().filter(standing -> concerns(standing.budget().scope(), type)).findFirst()
                .map(Standing::toString);
    }

    /** The same tags for all types: whoever has one spends of its budget. */
    @Override
    public Map<String, String> closedTags(String type) {
        Map<String, String> closed = new HashMap<>();
        usedUp().forEach(standing -> {
            if (standing.budget().scope() instanceof Scope.Tag(String name)) {
                closed.putIfAbsent(name, standing.toString());
            }
        });
        return closed;
    }

    /** A budget that was set or used up elsewhere a moment ago holds for this start. */
    @Override
    public synchronized void aboutToStart(String type) {
        askedAt = Instant.EPOCH;
    }

    private Stream<Standing> usedUp() {
        return standings().stream().filter(standing -> standing.state() == Standing.State.CLOSED);
    }

    private static boolean concerns(Scope scope, String type) {
        return switch (scope) {
            case Scope.Pool() -> true;
            case Scope.Type(String name) -> name.equals(type);
            case Scope.Tag _ -> false;
        };
    }

    /** How all budgets stand. */
    public synchronized List<Standing> standings() {
        Instant now = clock.instant();
        refresh(now);
        if (!summedUpAt.plus(SUM).isBefore(now) && !now.isBefore(summedUpAt)) {
            return summedUp;
        }
        List<Standing> standings = budgets.stream().map(budget -> Standing.of(budget, spending.values(), now))
                .toList();
        standings.forEach(this::say);
        summedUp = standings;
        summedUpAt = now;
        return standings;
    }

    /** Where the store is away, what was known before holds. */
    private void refresh(Instant now) {
        if (now.isBefore(askedAt.plus(FRESH)) && !now.isBefore(askedAt)) {
            return;
        }
        askedAt = now;
        summedUpAt = Instant.EPOCH;
        Instant oldest = now.minus(SpendBook.KEPT);
        spending.values().removeIf(spend -> spend.at().isBefore(oldest));
        try {
            budgets = book.budgets();
            if (!budgets.isEmpty()) {
                Instant since = readAt.minus(OVERLAP);
                book.spentSince(since.isAfter(oldest) ? since : oldest)
                        .forEach(spend -> spending.put(new Key(spend.job(), spend.attempt()), spend));
                readAt = now;
            }
            if (prunedAt.plus(BETWEEN_PRUNES).isBefore(now)) {
                book.forgetSpending(oldest);
                prunedAt = now;
            }
        } catch (StoreException e) {
            LOG.warn("Cannot read what was spent; going by what is known: {}", e.getMessage());
        }
    }

    /** Each change once. */
    private void say(Standing standing) {
        Standing.State before = said.put(standing.budget(), standing.state());
        if (before == standing.state() || (before == null && standing.state() == Standing.State.OPEN)) {
            return;
        }
        switch (standing.state()) {
            case OPEN -> LOG.info("There is room in the budget again: {}", standing);
            case WARNING -> LOG.warn("80 % of a budget are used: {}", standing);
            case CLOSED -> LOG.warn("A budget is used up, and nothing more is started: {}", standing);
        }
    }
}

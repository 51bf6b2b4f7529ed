package dev.heddle.agent;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import dev.heddle.budget.Budget;
import dev.heddle.budget.BudgetStatus;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.job.JobId;
import dev.heddle.pool.Gate;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what agents spend, and holds back jobs whose budget is used up. Spending of this node counts at once. Budgets
 * and the spending of other nodes are read from the store every two seconds, and again right before each start.
 */
public final class BudgetGate implements Gate {

    private static final Logger LOG = LoggerFactory.getLogger(BudgetGate.class);
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(2);
    /** Read this much again on each refresh, because the clocks of nodes may differ. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);
    /** A gate is asked at every claim; summing up a month of spending each time would be too slow. */
    private static final Duration CACHE_TIME = Duration.ofMillis(100);
    private static final Duration PRUNE_INTERVAL = Duration.ofHours(1);

    private final SpendStore store;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Spend> spending = new HashMap<>();
    private final Map<Budget, BudgetStatus.State> logged = new ConcurrentHashMap<>();
    private List<Budget> budgets = List.of();
    private Instant refreshedAt = Instant.EPOCH;
    private Instant readUntil = Instant.EPOCH;
    private Instant prunedAt = Instant.EPOCH;
    private List<BudgetStatus> cached = List.of();
    private Instant cachedAt = Instant.EPOCH;

    private record Key(JobId job, int attempt) {}

    /** Creates a gate on the budgets and the spending in this store. */
    public BudgetGate(SpendStore store, InstantSource clock) {
        this.store = Objects.requireNonNull(store, "store");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Records what an attempt has spent so far, replacing the earlier record of the same attempt. */
    public void record(Spend spend) {
        store.record(spend);
        lock.lock();
        try {
            put(spend);
            cachedAt = Instant.EPOCH;
        } finally {
            lock.unlock();
        }
    }

    void recordStart(JobId job, int attempt, String type, Set<String> tags) {
        Instant now = clock.instant();
        record(new Spend(job, attempt, type, tags, now, now, BigDecimal.ZERO, false, 0));
    }

    private void put(Spend spend) {
        spending.put(new Key(spend.job(), spend.attempt()), spend);
    }

    @Override
    public String name() {
        return "budget";
    }

    @Override
    public Optional<String> holdReason(String type) {
        return usedUp().filter(status -> appliesTo(status.budget().scope(), type)).findFirst()
                .map(BudgetStatus::toString);
    }

    /** Returns the tags whose budget is used up. They are the same for all types. */
    @Override
    public Map<String, String> heldTags(String type) {
        Map<String, String> closed = new HashMap<>();
        usedUp().forEach(status -> {
            if (status.budget().scope() instanceof Scope.Tag(String name)) {
                closed.putIfAbsent(name, status.toString());
            }
        });
        return closed;
    }

    /** Forces a refresh: a budget that another node set or used up a moment ago applies to this start. */
    @Override
    public void beforeStart(String type) {
        lock.lock();
        try {
            refreshedAt = Instant.EPOCH;
        } finally {
            lock.unlock();
        }
    }

    private Stream<BudgetStatus> usedUp() {
        return statuses().stream().filter(status -> status.state() == BudgetStatus.State.CLOSED);
    }

    private static boolean appliesTo(Scope scope, String type) {
        return switch (scope) {
            case Scope.Pool() -> true;
            case Scope.Type(String name) -> name.equals(type);
            case Scope.Tag _ -> false;
        };
    }

    /** Returns the status of every budget. */
    public List<BudgetStatus> statuses() {
        lock.lock();
        try {
            return currentStatuses();
        } finally {
            lock.unlock();
        }
    }

    private List<BudgetStatus> currentStatuses() {
        Instant now = clock.instant();
        refresh(now);
        if (!cachedAt.plus(CACHE_TIME).isBefore(now) && !now.isBefore(cachedAt)) {
            return cached;
        }
        cached = budgets.stream().map(budget -> BudgetStatus.of(budget, spending.values(), now)).toList();
        cachedAt = now;
        cached.forEach(this::logChange);
        return cached;
    }

    /** If the store cannot be reached, the last known figures apply. */
    private void refresh(Instant now) {
        if (now.isBefore(refreshedAt.plus(REFRESH_INTERVAL)) && !now.isBefore(refreshedAt)) {
            return;
        }
        refreshedAt = now;
        cachedAt = Instant.EPOCH;
        Instant oldest = now.minus(SpendStore.RETENTION);
        spending.values().removeIf(spend -> spend.at().isBefore(oldest));
        try {
            budgets = store.budgets();
            if (!budgets.isEmpty()) {
                Instant since = readUntil.minus(CLOCK_SKEW);
                store.spentSince(since.isAfter(oldest) ? since : oldest).forEach(this::put);
                readUntil = now;
            }
            if (prunedAt.plus(PRUNE_INTERVAL).isBefore(now)) {
                store.deleteSpendingBefore(oldest);
                prunedAt = now;
            }
        } catch (StoreException e) {
            LOG.warn("Cannot read budgets from the store, using the last known figures: {}", e.getMessage());
        }
    }

    /** Logs each change once. */
    private void logChange(BudgetStatus status) {
        BudgetStatus.State before = logged.put(status.budget(), status.state());
        if (before == status.state() || (before == null && status.state() == BudgetStatus.State.OPEN)) {
            return;
        }
        switch (status.state()) {
            case OPEN -> LOG.info("A budget is open again: {}", status);
            case WARNING -> LOG.warn("80% of a budget is used: {}", status);
            case CLOSED -> LOG.warn("A budget is used up, its jobs are held back: {}", status);
        }
    }
}

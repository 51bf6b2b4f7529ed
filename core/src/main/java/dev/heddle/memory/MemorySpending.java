package dev.heddle.memory;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.job.JobId;

/** The budgets of a {@link MemoryStore}, and what attempts spent. */
final class MemorySpending {

    private record Key(JobId job, int attempt) {}

    private final Map<Key, Spend> spending = new HashMap<>();
    private final Map<String, Budget> budgets = new TreeMap<>();

    void record(Spend spend) {
        spending.put(new Key(spend.job(), spend.attempt()), spend);
    }

    List<Spend> since(Instant since) {
        return spending.values().stream().filter(spend -> !spend.at().isBefore(since))
                .sorted(Comparator.comparing(Spend::at).thenComparing(Spend::job)).toList();
    }

    void deleteBefore(Instant before) {
        spending.values().removeIf(spend -> spend.at().isBefore(before));
    }

    List<Budget> budgets() {
        return List.copyOf(budgets.values());
    }

    void set(Budget budget) {
        budgets.put(key(budget.scope(), budget.measure()), budget);
    }

    boolean remove(Scope scope, Measure measure) {
        return budgets.remove(key(scope, measure)) != null;
    }

    private static String key(Scope scope, Measure measure) {
        return scope + " " + measure;
    }
}

package dev.heddle.control.local;

import java.util.List;
import java.util.Objects;

import dev.heddle.budget.Budget;
import dev.heddle.budget.BudgetStatus;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/** Lists, sets and removes budgets. */
record Budgets(Backend backend) {

    List<BudgetView> list() {
        return views(book().budgets());
    }

    BudgetView set(BudgetDraft draft) {
        if (draft.measure() == null || draft.limit() == null) {
            throw ControlException.invalid("a budget needs a measure and a limit");
        }
        Budget budget = new Budget(scope(draft.scope()), Measure.of(draft.measure()), draft.limit());
        book().setBudgets(List.of(budget));
        return views(List.of(budget)).getFirst();
    }

    AffectedCount remove(@Nullable String scope, @Nullable String measure) {
        if (measure == null) {
            throw ControlException.invalid("name the budget to remove by its measure, such as usd/24h");
        }
        if (!book().removeBudget(scope(scope), Measure.of(measure))) {
            throw ControlException.notFound("there is no budget " + Limits.quoted(measure) + " for "
                    + scope(scope) + "; list the budgets to see which there are");
        }
        return new AffectedCount(1);
    }

    private static Scope scope(@Nullable String text) {
        return Scope.of(Objects.requireNonNullElse(text, "pool"));
    }

    private List<BudgetView> views(List<Budget> budgets) {
        List<Spend> spending = budgets.isEmpty() ? List.of()
                : book().spentSince(backend.now().minus(SpendStore.RETENTION));
        return budgets.stream().map(budget -> Views.budget(BudgetStatus.of(budget, spending, backend.now()))).toList();
    }

    private SpendStore book() {
        return backend.jobs().capability(SpendStore.class)
                .orElseThrow(() -> new ControlException(Kind.CONFLICT, "this store does not support budgets"));
    }
}

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
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;

/** Lists and sets budgets. */
record Budgets(Backend backend) {

    List<BudgetView> list() {
        return views(book().budgets());
    }

    BudgetView set(BudgetDraft draft) {
        if (draft.measure() == null || draft.limit() == null) {
            throw ControlException.invalid("a budget needs a measure and a limit");
        }
        Budget budget = new Budget(Scope.of(Objects.requireNonNullElse(draft.scope(), "pool")),
                Measure.of(draft.measure()), draft.limit());
        book().setBudgets(List.of(budget));
        return views(List.of(budget)).getFirst();
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

package dev.heddle.control;

import java.util.List;
import java.util.Objects;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendBook;
import dev.heddle.budget.Standing;
import dev.heddle.control.ControlException.Kind;

/** What may be spent. */
record Budgets(Ground ground) {

    List<BudgetView> list() {
        return views(book().budgets());
    }

    private List<BudgetView> views(List<Budget> budgets) {
        List<Spend> spending = budgets.isEmpty() ? List.of()
                : book().spentSince(ground.now().minus(SpendBook.KEPT));
        return budgets.stream().map(budget -> BudgetView.of(Standing.of(budget, spending, ground.now())))
                .toList();
    }

    BudgetView set(BudgetDraft draft) {
        Budget budget;
        try {
            if (draft.measure() == null || draft.limit() == null) {
                throw new IllegalArgumentException("a budget needs a measure and a limit");
            }
            budget = new Budget(Scope.of(Objects.requireNonNullElse(draft.scope(), "pool")),
                    Measure.of(draft.measure()),
                    draft.limit());
        } catch (IllegalArgumentException e) {
            throw ControlException.invalid(String.valueOf(e.getMessage()));
        }
        book().setBudgets(List.of(budget));
        return views(List.of(budget)).getFirst();
    }

    private SpendBook book() {
        return ground.feature(SpendBook.class)
                .orElseThrow(() -> new ControlException(Kind.CONFLICT, "this store keeps no budgets"));
    }
}

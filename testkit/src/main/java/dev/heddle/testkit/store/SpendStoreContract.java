package dev.heddle.testkit.store;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.job.JobId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Spending of attempts, and the budgets that limit it. */
abstract class SpendStoreContract extends StoreFixture {

    private static final Budget DAILY = budget("type:agent", Measure.USD_24H, "1.50");
    private static final Budget RATE = budget("pool", Measure.STARTS_PER_MINUTE, "10");

    SpendStoreContract(StoreContract contract) {
        super(contract);
    }

    private SpendStore book() {
        return capability(SpendStore.class);
    }

    private static Budget budget(String scope, Measure measure, String limit) {
        return new Budget(Scope.of(scope), measure, new BigDecimal(limit));
    }

    private static Spend spend(JobId job, int attempt, Instant at, String usd) {
        return new Spend(job, attempt, "agent", Set.of("blue", "it's \"odd\""), T0, at, new BigDecimal(usd), true,
                12_345);
    }

    @Test
    void keepsSpendingAcrossARestart() {
        Spend first = spend(JobId.next(), 1, at(20), "0.000001");
        Spend second = new Spend(first.job(), 2, "agent", Set.of(), at(5), at(10), new BigDecimal("1234567.89"), false,
                0);
        book().record(first);
        book().record(second);
        restart(at(30));
        assertThat(book().spentSince(T0)).containsExactly(second, first);
        assertThat(book().spentSince(at(20))).containsExactly(first);
        assertThat(book().spentSince(at(21))).isEmpty();
    }

    @Test
    void replacesTheAmountOfAnAttempt() {
        JobId job = JobId.next();
        book().record(spend(job, 1, at(10), "0.10"));
        book().record(spend(job, 1, at(20), "0.25"));
        assertThat(book().spentSince(T0)).containsExactly(spend(job, 1, at(20), "0.25"));
    }

    @Test
    void forgetsSpendingBeforeTheGivenTime() {
        Spend kept = spend(JobId.next(), 1, at(20), "1");
        book().record(spend(JobId.next(), 1, at(10), "1"));
        book().record(kept);
        book().deleteSpendingBefore(at(20));
        assertThat(book().spentSince(Instant.EPOCH)).containsExactly(kept);
    }

    @Test
    void keepsEachBudgetUntilItIsReplaced() {
        book().setBudgets(List.of(DAILY, RATE));
        restart(at(10));
        assertThat(book().budgets()).containsExactly(RATE, DAILY);
        Budget raised = budget("type:agent", Measure.USD_24H, "2");
        book().setBudgets(List.of(raised));
        assertThat(book().budgets()).containsExactly(RATE, raised);
    }

    @Test
    void removesABudgetAndKeepsTheOthers() {
        book().setBudgets(List.of(DAILY, RATE));
        assertThat(book().removeBudget(DAILY.scope(), DAILY.measure())).isTrue();
        assertThat(book().removeBudget(DAILY.scope(), DAILY.measure())).isFalse();
        restart(at(10));
        assertThat(book().budgets()).containsExactly(RATE);
    }
}

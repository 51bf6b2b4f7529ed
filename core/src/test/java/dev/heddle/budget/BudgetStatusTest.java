package dev.heddle.budget;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.budget.BudgetStatus.State;
import dev.heddle.job.JobId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BudgetStatusTest {

    private static final Instant T = Instant.parse("2026-03-01T12:00:00Z");

    private static Spend spend(String type, Duration ago, String usd, long tokens, String... tags) {
        Instant at = T.minus(ago);
        return new Spend(JobId.next(), 1, type, Set.of(tags), at.minusSeconds(30), at, new BigDecimal(usd), false,
                tokens);
    }

    private static Budget budget(String scope, String measure, String limit) {
        return new Budget(Scope.of(scope), Measure.of(measure), new BigDecimal(limit));
    }

    private static final List<Spend> SPENDING = List.of(spend("agent", Duration.ofHours(25), "5", 0),
            spend("agent", Duration.ofHours(23), "0.50", 0, "blue"), spend("agent", Duration.ofHours(2), "0.30", 0),
            spend("other", Duration.ofHours(1), "7", 0, "blue"), spend("agent", Duration.ofSeconds(20), "0.25", 900));

    @Test
    void countsOnlySpendingWithinTheWindow() {
        assertThat(BudgetStatus.of(budget("type:agent", "usd/24h", "2"), SPENDING, T).used())
                .isEqualByComparingTo("1.05");
        assertThat(BudgetStatus.of(budget("type:agent", "usd/7d", "2"), SPENDING, T).used())
                .isEqualByComparingTo("6.05");
        assertThat(BudgetStatus.of(budget("pool", "usd/30d", "2"), SPENDING, T).used()).isEqualByComparingTo("13.05");
        assertThat(BudgetStatus.of(budget("tag:blue", "usd/24h", "2"), SPENDING, T).used())
                .isEqualByComparingTo("7.50");
        assertThat(BudgetStatus.of(budget("pool", "tokens/min", "1000"), SPENDING, T).used())
                .isEqualByComparingTo("900");
        assertThat(BudgetStatus.of(budget("pool", "starts/min", "5"), SPENDING, T).used()).isEqualByComparingTo("1");
    }

    @Test
    void warnsFromEightyPercentAndClosesAtTheLimit() {
        assertThat(BudgetStatus.of(budget("type:agent", "usd/24h", "1.32"), SPENDING, T).state()).isEqualTo(State.OPEN);
        assertThat(BudgetStatus.of(budget("type:agent", "usd/24h", "1.3125"), SPENDING, T).state())
                .isEqualTo(State.WARNING);
        assertThat(BudgetStatus.of(budget("type:agent", "usd/24h", "1.06"), SPENDING, T).state())
                .isEqualTo(State.WARNING);
        assertThat(BudgetStatus.of(budget("type:agent", "usd/24h", "1.05"), SPENDING, T).state())
                .isEqualTo(State.CLOSED);
    }

    @Test
    void predictsWhenThereIsRoomAgain() {
        BudgetStatus closed = BudgetStatus.of(budget("type:agent", "usd/24h", "1"), SPENDING, T);
        assertThat(closed.opensAt()).isEqualTo(T.plus(Duration.ofHours(1)));
        assertThat(closed)
                .hasToString("$1.05 used of $1.00 in 24h for type:agent; reopens at 2026-03-01T13:00:00Z");
        Instant then = T.plus(Duration.ofHours(1));
        assertThat(BudgetStatus.of(closed.budget(), SPENDING, then.minusMillis(1)).state()).isEqualTo(State.CLOSED);
        assertThat(BudgetStatus.of(closed.budget(), SPENDING, then).state()).isEqualTo(State.OPEN);
    }

    @Test
    void aBudgetOfZeroNeverOpens() {
        BudgetStatus none = BudgetStatus.of(budget("pool", "usd/24h", "0"), List.of(), T);
        assertThat(none.state()).isEqualTo(State.CLOSED);
        assertThat(none.opensAt()).isNull();
        assertThat(none)
                .hasToString("$0.00 used of $0.00 in 24h for pool; closed until the limit is raised");
    }

    @Test
    void refusesInvalidBudgets() {
        assertThatIllegalArgumentException().isThrownBy(() -> budget("pool", "usd/24h", "-1"))
                .withMessage("a budget must not be negative: -1");
        assertThatIllegalArgumentException().isThrownBy(() -> budget("all", "usd/24h", "1"))
                .withMessage("'all' has no budget; there are pool, type:NAME and tag:NAME");
        assertThatIllegalArgumentException().isThrownBy(() -> budget("type:", "usd/24h", "1"));
        assertThatIllegalArgumentException().isThrownBy(() -> budget("pool", "usd/day", "1"))
                .withMessage("'usd/day' cannot be limited; there are usd/24h, usd/7d, usd/30d, starts/min, tokens/min");
    }

    @Test
    void parsesItsOwnTexts() {
        for (Measure measure : Measure.values()) {
            assertThat(Measure.of(measure.toString())).isEqualTo(measure);
        }
        for (String scope : List.of("pool", "type:a:b", "tag:x y")) {
            assertThat(Scope.of(scope)).hasToString(scope);
        }
    }
}

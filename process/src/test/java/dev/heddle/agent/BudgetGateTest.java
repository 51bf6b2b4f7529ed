package dev.heddle.agent;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.Standing;
import dev.heddle.job.JobId;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.store.MemoryStore;
import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetGateTest {

    private static final JobType<Integer, Void> UNIT = JobType.of("unit", Integer.class);
    private static final JobType<Integer, Void> FREE = JobType.of("free", Integer.class);
    private static final int WORKERS = 4;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final MemoryStore store = new MemoryStore();
    private final Purse purse = new Purse(store, clock);
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    private Pool pool() {
        return Pool.on(store).clock(clock).workers(WORKERS).gate(purse).handle(UNIT, (_, job) -> {
            started.incrementAndGet();
            running.incrementAndGet();
            purse.record(
                    new Spend(job.id(), job.attempt(), "unit", Set.of(), clock.instant(), clock.instant(),
                            new BigDecimal("0.10"), false, 100));
            running.decrementAndGet();
            return null;
        }).handle(FREE, (_, _) -> null).open();
    }

    private void awaitClosed(Pool pool) {
        Awaitility.await().until(() -> pool.stats().held().containsKey("unit") && running.get() == 0
                && pool.stats().active() == 0);
    }

    /** $1 over units of $0.10 with 4 at a time. */
    @Test
    void overshootsByNoMoreThanWhatRunsAndOpensByItself() throws Exception {
        store.setBudgets(List.of(new Budget(new Scope.Type("unit"), Measure.USD_24H, BigDecimal.ONE)));
        try (Pool pool = pool()) {
            IntStream.range(0, 40).forEach(i -> pool.submit(UNIT, i));
            awaitClosed(pool);
            assertThat(started.get()).isBetween(10, 10 + WORKERS);
            assertThat(pool.stats().held().get("unit")).contains("of $1 in 24h for type:unit are used",
                    "room again at 2026-03-02T12:00:00Z");
            pool.submit(FREE, 1).await(Duration.ofSeconds(30));
            int before = started.get();
            clock.advance(Duration.ofHours(24).minusSeconds(1));
            pool.submit(FREE, 2).await(Duration.ofSeconds(30));
            assertThat(started.get()).isEqualTo(before);
            clock.advance(Duration.ofSeconds(1));
            Awaitility.await().until(() -> started.get() > before);
            awaitClosed(pool);
            assertThat(started.get()).isBetween(before + 10, before + 10 + WORKERS);
        }
    }

    @Test
    void countsStartsByTheMinute() {
        store.setBudgets(List.of(new Budget(new Scope.Pool(), Measure.STARTS_PER_MINUTE, new BigDecimal(5))));
        try (Pool pool = pool()) {
            IntStream.range(0, 12).forEach(i -> pool.submit(UNIT, i));
            awaitClosed(pool);
            assertThat(started.get()).isBetween(5, 5 + WORKERS);
            clock.advance(Duration.ofMinutes(1));
            Awaitility.await().until(() -> started.get() >= 10);
        }
    }

    /** The other node's spending is seen, and what was known holds while it is looked up. */
    @Test
    void countsWhatOtherNodesSpend() {
        Purse other = new Purse(store, clock);
        store.setBudgets(List.of(new Budget(new Scope.Pool(), Measure.USD_7D, BigDecimal.TEN)));
        assertThat(purse.closed("unit")).isEmpty();
        other.record(new Spend(JobId.next(), 1, "unit", Set.of(), clock.instant(), clock.instant(),
                new BigDecimal("8.50"), false, 0));
        clock.advance(Duration.ofSeconds(3));
        assertThat(purse.standings()).singleElement().extracting(Standing::state)
                .isEqualTo(Standing.State.WARNING);
        other.record(new Spend(JobId.next(), 1, "unit", Set.of(), clock.instant(), clock.instant(),
                new BigDecimal("1.50"), false, 0));
        clock.advance(Duration.ofSeconds(3));
        assertThat(purse.closed("unit")).hasValueSatisfying(
                reason -> assertThat(reason).startsWith("$10 of $10 in 7d for pool are used; room again at"));
    }
}

package dev.heddle.agent;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetGateTest {

    private static final JobType<Integer, Void> UNIT = JobType.of("unit", Integer.class);
    private static final JobType<Integer, Void> FREE = JobType.of("free", Integer.class);
    private static final int WORKERS = 4;
    private static final Duration LONG = Duration.ofSeconds(30);

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
                    new Spend(job.id(), job.attempt(), "unit", job.tags(), clock.instant(), clock.instant(),
                            new BigDecimal("0.10"), false, 100));
            running.decrementAndGet();
            return null;
        }).handle(FREE, (_, _) -> null).open();
    }

    /** Until a budget is used up and nothing runs. */
    private void awaitClosed(Pool pool) {
        Awaitility.await().atMost(LONG).until(() -> !pool.stats().held().isEmpty() && running.get() == 0
                && pool.stats().active() == 0);
    }

    private void submit(Pool pool, int units) {
        IntStream.range(0, units).forEach(i -> pool.submit(UNIT.with(i).tags("blue", "night")));
    }

    /** $1 over units of $0.10 with 4 at a time. */
    @ParameterizedTest
    @ValueSource(strings = {"pool", "type:unit", "tag:blue"})
    void overshootsByNoMoreThanWhatRunsAndOpensByItself(String scope) {
        store.setBudgets(List.of(new Budget(Scope.of(scope), Measure.USD_24H, BigDecimal.ONE)));
        try (Pool pool = pool()) {
            submit(pool, 40);
            awaitClosed(pool);
            assertThat(started.get()).isBetween(10, 9 + WORKERS);
            assertThat(pool.held().reason("unit", Set.of("blue"))).hasValueSatisfying(
                    reason -> assertThat(reason).contains("of $1.00 in 24h for " + scope + " are used",
                            "room again at 2026-03-02T12:00:00Z"));
            int before = started.get();
            clock.advance(Duration.ofHours(24).minusSeconds(1));
            awaitClosed(pool);
            assertThat(started.get()).isEqualTo(before);
            clock.advance(Duration.ofSeconds(1));
            Awaitility.await().atMost(LONG).until(() -> started.get() > before);
            awaitClosed(pool);
            assertThat(started.get()).isBetween(before + 10, before + 9 + WORKERS);
        }
    }

    /** What a budget is not about goes on. */
    @Test
    void holdsBackNothingElse() throws Exception {
        store.setBudgets(List.of(new Budget(new Scope.Tag("blue"), Measure.USD_24H, BigDecimal.ZERO),
                new Budget(new Scope.Type("another"), Measure.USD_24H, BigDecimal.ZERO)));
        try (Pool pool = pool()) {
            submit(pool, 5);
            pool.submit(UNIT.with(1).tags("red")).await(LONG);
            pool.submit(FREE, 1).await(LONG);
            assertThat(started).hasValue(1);
            assertThat(pool.stats().held()).containsOnlyKeys("tag:blue");
            assertThat(pool.stats().held().get("tag:blue"))
                    .isEqualTo(
                            "$0.00 of $0.00 in 24h for tag:blue are used; there will be no room until it is raised");
            // Nobody has to be told that a budget was raised.
            store.setBudgets(List.of(new Budget(new Scope.Tag("blue"), Measure.USD_24H, BigDecimal.TEN)));
            clock.advance(Duration.ofSeconds(3));
            Awaitility.await().atMost(LONG).until(() -> started.get() == 6);
        }
    }

    /** The clock stands still: nothing but the start itself can have it look. */
    @Test
    void holdsForTheNextStartFromTheMomentItIsSet() {
        try (Pool pool = pool()) {
            pool.submit(FREE, 1).ending().join();
            store.setBudgets(List.of(new Budget(new Scope.Type("unit"), Measure.USD_24H, BigDecimal.ZERO)));
            submit(pool, 5);
            awaitClosed(pool);
            assertThat(started).hasValue(0);
        }
    }

    @ParameterizedTest
    @CsvSource({"pool, starts/min, 5, 5", "type:unit, starts/min, 5, 5", "tag:night, starts/min, 5, 5",
        "pool, tokens/min, 500, 5", "type:unit, tokens/min, 500, 5", "tag:night, tokens/min, 500, 5"})
    void countsByTheMinute(String scope, String measure, BigDecimal limit, int units) {
        store.setBudgets(List.of(new Budget(Scope.of(scope), Measure.of(measure), limit)));
        try (Pool pool = pool()) {
            submit(pool, 3 * (units + WORKERS));
            awaitClosed(pool);
            assertThat(started.get()).isBetween(units, units - 1 + WORKERS);
            int before = started.get();
            clock.advance(Duration.ofMinutes(1));
            Awaitility.await().atMost(LONG).until(() -> started.get() > before);
            awaitClosed(pool);
            assertThat(started.get()).isBetween(before + units, before + units - 1 + WORKERS);
        }
    }

    /** Once at 80 %, once when it is used up, and once when there is room again. */
    @Test
    void warnsOnceAtFourFifths() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(Purse.class);
        log.start();
        logger.addAppender(log);
        try {
            store.setBudgets(List.of(new Budget(new Scope.Tag("blue"), Measure.USD_24H, BigDecimal.ONE)));
            for (int cent = 0; cent <= 110; cent++) {
                purse.record(
                        new Spend(JobId.next(), 1, "unit", Set.of("blue"), clock.instant(), clock.instant(),
                                cent == 0 ? BigDecimal.ZERO : new BigDecimal("0.01"), false, 0));
                purse.standings();
                purse.closedTags("unit");
            }
            clock.advance(Duration.ofHours(25));
            purse.standings();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
                "80 % of a budget are used: $0.80 of $1.00 in 24h for tag:blue are used",
                "A budget is used up, and nothing more is started: $1.00 of $1.00 in 24h for tag:blue are used;"
                        + " room again at 2026-03-02T12:00:00Z",
                "There is room in the budget again: $0.00 of $1.00 in 24h for tag:blue are used");
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
                reason -> assertThat(reason)
                        .startsWith("$10.00 of $10.00 in 7d for pool are used; room again at"));
    }
}

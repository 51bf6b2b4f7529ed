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
import dev.heddle.budget.BudgetStatus;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.ManualClock;
import dev.heddle.waiting.WaitReason;
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
    private final BudgetGate gate = new BudgetGate(store, clock);
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    private Pool pool() {
        return Pool.on(store).clock(clock).workers(WORKERS).gate(gate).register(UNIT, (_, job) -> {
            started.incrementAndGet();
            running.incrementAndGet();
            gate.record(new Spend(job.id(), job.attempt(), "unit", job.tags(), clock.instant(), clock.instant(),
                    new BigDecimal("0.10"), false, 100));
            running.decrementAndGet();
            return null;
        }).register(FREE, (_, _) -> null).open();
    }

    /** Waits until a budget is used up and nothing runs. */
    private void awaitClosed(Pool pool) {
        Awaitility.await().atMost(LONG)
                .until(() -> !pool.stats().held().isEmpty() && running.get() == 0 && pool.stats().active() == 0);
    }

    private void submit(Pool pool, int units) {
        IntStream.range(0, units).forEach(i -> pool.submit(UNIT.with(i).tags("blue", "night")));
    }

    /** A budget of $1, and units of $0.10 of which 4 run at the same time. */
    @ParameterizedTest
    @ValueSource(strings = {"pool", "type:unit", "tag:blue"})
    void exceedsABudgetOnlyByRunningJobsAndReopensByItself(String scope) {
        store.setBudgets(List.of(new Budget(Scope.of(scope), Measure.USD_24H, BigDecimal.ONE)));
        try (Pool pool = pool()) {
            submit(pool, 40);
            awaitClosed(pool);
            assertThat(started.get()).isBetween(10, 9 + WORKERS);
            assertThat(pool.admin().holdReasons().reason("unit", Set.of("blue"))).hasValueSatisfying(
                    reason -> assertThat(reason).contains("used of $1.00 in 24h for " + scope,
                            "reopens at 2026-03-02T12:00:00Z"));
            JobId held = pool.admin().list(JobQuery.all().states(JobState.QUEUED).limit(1)).getFirst().id();
            assertThat(pool.admin().why(held).main()).isInstanceOfSatisfying(WaitReason.GateClosed.class,
                    closed -> assertThat(closed.gate()).isEqualTo("budget"));
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

    @Test
    void jobsOutsideOfTheBudgetContinue() throws Exception {
        store.setBudgets(List.of(new Budget(new Scope.Tag("blue"), Measure.USD_24H, BigDecimal.ZERO),
                new Budget(new Scope.Type("another"), Measure.USD_24H, BigDecimal.ZERO)));
        try (Pool pool = pool()) {
            submit(pool, 5);
            pool.submit(UNIT.with(1).tags("red")).await(LONG);
            pool.submit(FREE, 1).await(LONG);
            assertThat(started).hasValue(1);
            assertThat(pool.stats().held()).containsOnlyKeys("tag:blue");
            assertThat(pool.stats().held().get("tag:blue"))
                    .isEqualTo("$0.00 used of $0.00 in 24h for tag:blue; closed until the limit is raised");
            // The node notices by itself that the budget was raised.
            store.setBudgets(List.of(new Budget(new Scope.Tag("blue"), Measure.USD_24H, BigDecimal.TEN)));
            clock.advance(Duration.ofSeconds(3));
            Awaitility.await().atMost(LONG).until(() -> started.get() == 6);
        }
    }

    /** The clock does not move, so only the start itself can trigger a refresh. */
    @Test
    void aNewBudgetAppliesToTheNextStart() {
        try (Pool pool = pool()) {
            pool.submit(FREE, 1).completion().join();
            store.setBudgets(List.of(new Budget(new Scope.Type("unit"), Measure.USD_24H, BigDecimal.ZERO)));
            submit(pool, 5);
            awaitClosed(pool);
            assertThat(started).hasValue(0);
        }
    }

    @ParameterizedTest
    @CsvSource({"pool, starts/min, 5, 5", "type:unit, starts/min, 5, 5", "tag:night, starts/min, 5, 5",
        "pool, tokens/min, 500, 5", "type:unit, tokens/min, 500, 5", "tag:night, tokens/min, 500, 5"})
    void countsPerMinute(String scope, String measure, BigDecimal limit, int units) {
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

    @Test
    void logsEachChangeOfABudgetOnce() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(BudgetGate.class);
        log.start();
        logger.addAppender(log);
        try {
            store.setBudgets(List.of(new Budget(new Scope.Tag("blue"), Measure.USD_24H, BigDecimal.ONE)));
            for (int cent = 0; cent <= 110; cent++) {
                gate.record(new Spend(JobId.next(), 1, "unit", Set.of("blue"), clock.instant(), clock.instant(),
                        cent == 0 ? BigDecimal.ZERO : new BigDecimal("0.01"), false, 0));
                gate.statuses();
                gate.heldTags("unit");
            }
            clock.advance(Duration.ofHours(25));
            gate.statuses();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
                "80% of a budget is used: $0.80 used of $1.00 in 24h for tag:blue",
                "A budget is used up, its jobs are held back: $1.00 used of $1.00 in 24h for tag:blue;"
                        + " reopens at 2026-03-02T12:00:00Z",
                "A budget is open again: $0.00 used of $1.00 in 24h for tag:blue");
    }

    @Test
    void countsWhatOtherNodesSpend() {
        BudgetGate other = new BudgetGate(store, clock);
        store.setBudgets(List.of(new Budget(new Scope.Pool(), Measure.USD_7D, BigDecimal.TEN)));
        assertThat(gate.holdReason("unit")).isEmpty();
        other.record(new Spend(JobId.next(), 1, "unit", Set.of(), clock.instant(), clock.instant(),
                new BigDecimal("8.50"), false, 0));
        clock.advance(Duration.ofSeconds(3));
        assertThat(gate.statuses()).singleElement().extracting(BudgetStatus::state)
                .isEqualTo(BudgetStatus.State.WARNING);
        other.record(new Spend(JobId.next(), 1, "unit", Set.of(), clock.instant(), clock.instant(),
                new BigDecimal("1.50"), false, 0));
        clock.advance(Duration.ofSeconds(3));
        assertThat(gate.holdReason("unit")).hasValueSatisfying(
                reason -> assertThat(reason).startsWith("$10.00 used of $10.00 in 7d for pool; reopens at"));
    }
}

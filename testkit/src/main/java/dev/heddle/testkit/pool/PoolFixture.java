package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.StoreCapabilities;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.opentest4j.TestAbortedException;
import org.slf4j.LoggerFactory;

/** A pool on a new store, a manual clock, and access to the log. */
abstract class PoolFixture {

    static final Duration LONG = Duration.ofSeconds(30);

    record Note(String text) {}

    static final JobType<Note, String> NOTE = JobType.of("note", Note.class, String.class);

    final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final PoolContract contract;
    private final LogRecorder appender = new LogRecorder();
    @Nullable Pool pool;

    /** Records log events together with the MDC of the thread that logged them. */
    private static final class LogRecorder extends AppenderBase<ILoggingEvent> {
        final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    }

    PoolFixture(PoolContract contract) {
        this.contract = contract;
    }

    @BeforeEach
    void listen() {
        appender.start();
        root().addAppender(appender);
    }

    @AfterEach
    void closePool() {
        if (pool != null) {
            pool.close();
        }
        root().detachAppender(appender);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** Returns the formatted messages logged so far. */
    List<String> logged() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    List<ILoggingEvent> events() {
        return List.copyOf(appender.events);
    }

    /**
     * Returns a builder for a store that a crashed node left: the lease is short, but long enough for a busy machine.
     */
    PoolBuilder on(Store store) {
        return steered(quick(Pool.on(store))).lease(Duration.ofMillis(1_500)).renewEvery(Duration.ofMillis(300));
    }

    /** Lets the pool and its store go by the manual clock. */
    PoolBuilder steered(PoolBuilder builder) {
        follow(clock);
        return builder.clock(clock);
    }

    /** Lets a store that no pool uses yet go by the manual clock. */
    void steer(Store store) {
        follow(clock);
        store.capability(ClockedStore.class)
                .ifPresent(clocked -> clocked.useClock(Environment.system().withClock(clock)));
    }

    /** Lets the server of the store go by a clock, if it has one. */
    void follow(ManualClock server) {
        contract.follow(server);
    }

    Store newStore() {
        return contract.newStore();
    }

    /** Opens a new store that offers this capability; skips the test if the store does not. */
    Store newStoreWith(Class<?> capability) {
        Store store = newStore();
        try {
            StoreCapabilities.require(store, capability);
            return store;
        } catch (TestAbortedException e) {
            store.close();
            throw e;
        }
    }

    Store openAgain() {
        return contract.openAgain();
    }

    boolean isShared() {
        return contract.isShared();
    }

    /** Retries without delay and gives up on a stuck handler soon. */
    static PoolBuilder quick(PoolBuilder builder) {
        return builder.retry(RetryPolicy.linear(2, Duration.ZERO))
                .cancelGrace(Duration.ofMillis(50), Duration.ofMillis(50)).closeTimeout(Duration.ofMillis(500));
    }

    /** Returns a builder for a pool on a new store. */
    PoolBuilder builder() {
        return quick(Pool.on(newStore()));
    }

    /** Returns a builder for a pool on the store that the last pool closed. */
    PoolBuilder builderAgain() {
        return Pool.on(openAgain()).retry(RetryPolicy.linear(2, Duration.ZERO));
    }

    Pool open(PoolBuilder builder) {
        pool = builder.open();
        return pool;
    }

    Pool open(JobHandler<Note, String> handler) {
        return open(builder().register(NOTE, handler));
    }

    Pool pool() {
        if (pool == null) {
            throw new IllegalStateException("open a pool first");
        }
        return pool;
    }

    JobHandle<String> submit(String text) {
        return pool().submit(NOTE, new Note(text));
    }

    Job end(JobHandle<?> handle) {
        try {
            return handle.awaitEnd(LONG);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    JobState state(JobHandle<?> handle) {
        return state(handle.id());
    }

    JobState state(JobId id) {
        return pool().find(id).orElseThrow().state();
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(2));
    }
}

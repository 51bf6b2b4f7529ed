package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.Store;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.slf4j.LoggerFactory;

/** One pool at a time on a store of its own, a clock to move, and what was logged. */
abstract class PoolFixture {

    static final Duration LONG = Duration.ofSeconds(30);

    record Note(String text) {}

    static final JobType<Note, String> NOTE = JobType.of("note", Note.class, String.class);

    final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final PoolContract door;
    private final LogKeeper appender = new LogKeeper();
    @Nullable Pool pool;

    /** Keeps what is logged with the fields of the thread that logged it. */
    private static final class LogKeeper extends AppenderBase<ILoggingEvent> {
        final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    }

    PoolFixture(PoolContract door) {
        this.door = door;
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

    /** What was logged so far, formatted. */
    List<String> logged() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    List<ILoggingEvent> events() {
        return List.copyOf(appender.events);
    }

    /** On a store that a dead node has left: a lease that is soon over, and yet long enough for a busy machine. */
    PoolBuilder on(Store store) {
        return quick(Pool.on(store)).clock(clock).lease(Duration.ofMillis(1_500))
                .renewEvery(Duration.ofMillis(300));
    }

    Store newStore() {
        return door.newStore();
    }

    Store openAgain() {
        return door.openAgain();
    }

    boolean isShared() {
        return door.isShared();
    }

    /** Retries at once and gives up on a stuck handler soon. */
    static PoolBuilder quick(PoolBuilder builder) {
        return builder.retry(RetryPolicy.linear(2, Duration.ZERO))
                .cancelGrace(Duration.ofMillis(50), Duration.ofMillis(50))
                .closeTimeout(Duration.ofMillis(500));
    }

    /** A pool on a new store. */
    PoolBuilder builder() {
        return quick(Pool.on(newStore()));
    }

    /** A pool on what the last one left behind. */
    PoolBuilder builderAgain() {
        return Pool.on(openAgain()).retry(RetryPolicy.linear(2, Duration.ZERO));
    }

    Pool open(PoolBuilder builder) {
        pool = builder.open();
        return pool;
    }

    Pool open(JobHandler<Note, String> handler) {
        return open(builder().handle(NOTE, handler));
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
            return handle.end(LONG);
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

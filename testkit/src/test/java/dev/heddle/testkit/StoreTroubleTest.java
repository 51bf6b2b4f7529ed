package dev.heddle.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A store that fails for a while: the pool heals when the store does, and nothing is lost. */
class StoreTroubleTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    private final Set<String> broken = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refused = new AtomicInteger();
    private final Store store = failing(new MemoryStore());

    private Store failing(Store real) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (proxy, method, arguments) -> {
                    if (broken.contains(method.getName())) {
                        refused.incrementAndGet();
                        throw new StoreException(StoreException.Kind.UNREACHABLE,
                                "the disk is out for lunch");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void claimsAgainOnceTheStoreIsBack() throws Exception {
        try (Pool pool = Pool.on(store).handle(ECHO, (text, job) -> text).open()) {
            broken.add("claim");
            JobHandle<String> handle = pool.submit(ECHO, "patient");
            Awaitility.await().until(() -> refused.get() >= 3);
            broken.clear();

            assertThat(handle.await(LONG)).isEqualTo("patient");
        }
    }

    @Test
    void keepsAnOutcomeUntilItCanBeWritten() throws Exception {
        try (Pool pool = Pool.on(store).handle(ECHO, (text, job) -> {
            broken.add("apply");
            return text;
        }).open()) {
            JobHandle<String> handle = pool.submit(ECHO, "kept");
            Awaitility.await().until(() -> refused.get() >= 3);
            broken.clear();

            assertThat(handle.await(LONG)).isEqualTo("kept");
            assertThat(pool.story(handle.id()).orElseThrow().attempts()).hasSize(1);
        }
    }

    @Test
    void tellsASubmitterThatItsJobWasNotStored() {
        try (Pool pool = Pool.on(store).open()) {
            broken.add("insert");
            assertThatThrownBy(() -> pool.submit(ECHO, "x")).isInstanceOf(StoreException.class)
                    .hasMessageContaining("out for lunch");
            broken.clear();
            assertThat(pool.tally().live()).isEmpty();
        }
    }

    @Test
    void goesOnWhenRenewingAndPruningFail() throws Exception {
        ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
        try (Pool pool = Pool.on(store).clock(clock).retry(RetryPolicy.none())
                .handle(ECHO, (text, job) -> text)
                .open()) {
            broken.addAll(Set.of("renew", "prune"));
            clock.advance(Duration.ofMinutes(2));
            Awaitility.await().until(() -> refused.get() >= 2);

            assertThat(pool.submit(ECHO, "fine").await(LONG)).isEqualTo("fine");
        }
    }

    @Test
    void closesEvenIfTheStoreNeverComesBack() {
        Pool pool = Pool.on(store).closeTimeout(Duration.ofMillis(100)).handle(ECHO, (text, job) -> {
            broken.add("apply");
            return text;
        }).open();
        pool.submit(ECHO, "lost to the next opening");
        Awaitility.await().until(() -> refused.get() >= 1);

        pool.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("heddle-ledger"));
    }
}

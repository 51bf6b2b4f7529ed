package dev.heddle.control.local;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.heddle.control.Control;
import dev.heddle.control.ControlContract;
import dev.heddle.control.model.JobFilter;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalControlTest extends ControlContract {

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Control control(Pool pool) {
        return LocalControl.on(pool);
    }

    /** Wraps a store and notes which of its methods are called. */
    private static Store noting(List<String> calls) {
        Store real = new MemoryStore();
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    calls.add(method.getName());
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** With many jobs, counting them is what a question about statistics costs. */
    @Test
    void countsJobsOnlyOnceForStatistics() {
        List<String> calls = new CopyOnWriteArrayList<>();
        try (Pool pool = Pool.on(noting(calls)).open(); Control control = LocalControl.on(pool)) {
            calls.clear();
            control.stats();
            assertThat(calls).containsOnlyOnce("countJobs");
        }
    }

    @Test
    void asksTheStoreAsOftenForAPageOfDeadLettersAsForOne() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        JobType<String, String> bad = JobType.of("bad", String.class, String.class);
        try (Pool pool = Pool.on(noting(calls)).register(bad, (_, _) -> {
            throw JobException.permanent("no");
        }).open(); Control control = LocalControl.on(pool)) {
            for (JobHandle<String> handle : pool.submitAll(Stream.generate(() -> bad.with("x")).limit(20).toList())) {
                assertThat(handle.awaitEnd(Duration.ofSeconds(30)).state()).isEqualTo(JobState.FAILED);
            }
            calls.clear();
            assertThat(control.deadLetters(JobFilter.ALL).deadLetters()).hasSize(20);
            assertThat(calls).containsOnlyOnce("list", "firstFailures").doesNotContain("details", "find");
        }
    }
}

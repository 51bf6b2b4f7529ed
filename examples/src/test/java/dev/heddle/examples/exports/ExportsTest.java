package dev.heddle.examples.exports;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.examples.exports.Exports.Export;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static org.assertj.core.api.Assertions.assertThat;

class ExportsTest {

    @TempDir
    private Path directory;

    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final Map<String, Integer> most = new ConcurrentHashMap<>();
    private final List<String> started = new CopyOnWriteArrayList<>();

    private Integer export(Export export) {
        started.add(export.customer());
        AtomicInteger now = running.computeIfAbsent(export.customer(), _ -> new AtomicInteger());
        most.merge(export.customer(), now.incrementAndGet(), Math::max);
        return now.decrementAndGet();
    }

    @Test
    void runsAtMostTwoExportsOfACustomerAtOnceAndLetsCustomersTakeTurns() throws Exception {
        try (Pool pool = ExampleRunner.pool(directory).workers(6)
                .register(Exports.EXPORT, (export, _) -> export(export))
                .open()) {
            Exports.limit(pool);
            List<JobHandle<Integer>> exports = new ArrayList<>();
            for (int month = 1; month <= 60; month++) {
                exports.add(pool.submit(Exports.EXPORT, new Export("big", month)));
            }
            exports.add(pool.submit(Exports.EXPORT, new Export("small", 1)));
            for (JobHandle<Integer> export : exports) {
                export.await(LONG);
            }
        }
        assertThat(most.values()).allMatch(count -> count <= 2);
        assertThat(started).hasSize(61);
    }
}

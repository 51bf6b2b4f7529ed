package dev.heddle.engine.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.env.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class MonitorTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private final Monitor monitor = new Monitor(Environment.system());

    /** Runs on a daemon thread, which a test that fails leaves behind. */
    private static Future<Boolean> inBackground(Callable<Boolean> action) {
        FutureTask<Boolean> task = new FutureTask<>(action);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    @Test
    void doesNotWaitIfTheConditionHolds() throws Exception {
        assertThat(monitor.await(Duration.ZERO, () -> true)).isTrue();
    }

    @Test
    void returnsFalseIfTheTimeIsOverFirst() throws Exception {
        assertThat(monitor.await(Duration.ofMillis(1), () -> false)).isFalse();
    }

    @Test
    void checksTheConditionAgainAfterAChange() throws Exception {
        AtomicInteger checks = new AtomicInteger();
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        Future<Boolean> result = inBackground(() -> monitor.await(LONG, () -> {
            checks.incrementAndGet();
            waiting.countDown();
            return done.get();
        }));
        waiting.await();
        // The waiting thread leaves the monitor only to wait, so from here on it sees the change.
        try (var _ = monitor.enter()) {
            done.set(true);
            monitor.changed();
        }

        assertThat(result.get()).isTrue();
        assertThat(checks).hasValue(2);
    }

    @Test
    void keepsOtherThreadsOutUntilItsExitIsClosed() throws Exception {
        AtomicBoolean left = new AtomicBoolean();
        Future<Boolean> leftFirst;
        try (var _ = monitor.enter()) {
            CountDownLatch started = new CountDownLatch(1);
            leftFirst = inBackground(() -> {
                started.countDown();
                return monitor.await(LONG, () -> true) && left.get();
            });
            started.await();
            left.set(true);
        }

        assertThat(leftFirst.get()).isTrue();
    }

    @Test
    void endsTheWaitOfAnInterruptedThread() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> monitor.await(LONG, () -> false)).isInstanceOf(InterruptedException.class);
    }
}

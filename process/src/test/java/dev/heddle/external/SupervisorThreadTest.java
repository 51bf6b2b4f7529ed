package dev.heddle.external;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SupervisorThreadTest {

    private final SupervisorThread thread = new SupervisorThread("work");

    @AfterEach
    void shutDown() {
        thread.shutDown();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void repeatsATaskEvenIfItFails() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);

        thread.scheduleEvery(Duration.ofMillis(1), () -> {
            runs.countDown();
            throw new IllegalStateException("fails every time");
        });

        await(runs);
    }

    @Test
    void returnsTheResultOfACall() {
        assertThat(thread.call(() -> Thread.currentThread().getName())).isEqualTo("heddle-supervisor of work");
    }

    @Test
    void throwsTheExceptionOfACall() {
        assertThatThrownBy(() -> thread.call(() -> {
            throw new IllegalArgumentException("no such command");
        })).isInstanceOf(IllegalArgumentException.class).hasMessage("no such command");
    }

    @Test
    void ignoresTasksAfterItHasShutDown() {
        thread.shutDown();

        thread.execute(() -> {
            throw new AssertionError("must not run");
        });
    }
}

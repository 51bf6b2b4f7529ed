package dev.heddle.engine.support;

import java.time.Duration;

import dev.heddle.engine.testing.ManualClock;
import dev.heddle.env.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A wakeup that fails to wake hangs the test, and the time limit fails it. */
@Timeout(30)
class WakeupTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock();
    private final Environment env = Environment.system().withClock(clock);

    @Test
    void keepsARaiseForTheNextAwait() {
        Wakeup wakeup = new Wakeup(env);
        wakeup.raise();
        wakeup.raise();

        wakeup.await(LONG);
    }

    @Test
    void usesUpARaise() {
        Wakeup wakeup = new Wakeup(env);
        wakeup.raise();
        wakeup.await();

        long from = System.nanoTime();
        wakeup.await(Duration.ofMillis(2));

        assertThat(System.nanoTime() - from).as("the second await sleeps").isGreaterThanOrEqualTo(2_000_000);
    }

    @Test
    void wakesASleepingThread() throws Exception {
        Wakeup wakeup = new Wakeup(env);
        Thread sleeper = Thread.ofPlatform().daemon().start(wakeup::await);
        awaitSleep(sleeper);

        wakeup.raise();

        sleeper.join();
    }

    @Test
    void wakesAThreadThatLooksAtAClockWhenTheClockMoves() throws Exception {
        Wakeup wakeup = Wakeup.byClock(env);
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> wakeup.await(LONG));
        awaitSleep(sleeper);

        clock.advance(Duration.ofMillis(1));

        sleeper.join();
    }

    @Test
    void returnsWithoutSleepIfTheTimeIsOver() {
        Wakeup wakeup = new Wakeup(env);

        wakeup.await(Duration.ZERO);
    }

    @Test
    void returnsToAnInterruptedThreadAndKeepsItsInterrupt() {
        Wakeup wakeup = new Wakeup(env);
        Thread.currentThread().interrupt();

        wakeup.await();
        wakeup.await(LONG);

        assertThat(Thread.interrupted()).isTrue();
    }

    private static void awaitSleep(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}

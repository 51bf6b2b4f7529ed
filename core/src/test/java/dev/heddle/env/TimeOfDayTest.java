package dev.heddle.env;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TimeOfDayTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Machine machine = new Machine();
    private final TimeOfDay clock = new TimeOfDay(machine);

    /** The clocks of a machine, and threads that may be stopped between two readings. */
    private static final class Machine implements Environment {

        Instant now = Instant.parse("2026-03-01T12:00:00Z");
        Duration elapsed = Duration.ofDays(3);
        Duration suspended = Duration.ofMinutes(5);
        Runnable stop = () -> {};

        void pass(Duration time) {
            now = now.plus(time);
            elapsed = elapsed.plus(time);
        }

        void suspend(Duration time) {
            now = now.plus(time);
            suspended = suspended.plus(time);
        }

        @Override
        public InstantSource clock() {
            return () -> {
                Instant read = now;
                Runnable next = stop;
                stop = () -> {};
                next.run();
                return read;
            };
        }

        @Override
        public Duration elapsed() {
            return elapsed;
        }

        @Override
        public Duration suspended() {
            return suspended;
        }

        @Override
        public long nanoTime() {
            return elapsed.toNanos();
        }

        @Override
        public RandomGenerator random() {
            return RandomGenerator.getDefault();
        }

        @Override
        public ThreadFactory threads(String prefix, boolean virtual) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Thread start(String name, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ExecutorService threadPool(String prefix, boolean virtual) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean join(Thread thread, Duration atMost) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long awaitNanos(Lock lock, Condition condition, long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void yieldThread() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nextStamp(long candidate) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sleep(Duration duration) {
            throw new UnsupportedOperationException();
        }
    }

    private Duration jump() {
        TimeOfDay.Reading reading = clock.read();
        assertThat(reading.now()).isEqualTo(machine.now);
        return reading.jump();
    }

    @Test
    void seesNoJumpWhileTimePasses() {
        machine.pass(HOUR);
        assertThat(jump()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, -3600, 1, -1})
    void tellsOnceThatTheClockWasSet(long seconds) {
        machine.pass(HOUR);
        machine.now = machine.now.plusSeconds(seconds);

        assertThat(jump()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(jump()).isZero();
    }

    @Test
    void neverAddsUpDifferencesThatAreTooSmall() {
        for (int i = 0; i < 100; i++) {
            machine.now = machine.now.plusMillis(999);
            assertThat(jump()).isZero();
        }
    }

    @Test
    void seesNoJumpAfterASuspend() {
        machine.suspend(HOUR);
        assertThat(jump()).isZero();
        assertThat(jump()).isZero();
    }

    @Test
    void seesAJumpDuringASuspend() {
        machine.suspend(HOUR);
        machine.now = machine.now.minus(Duration.ofMinutes(1));

        assertThat(jump()).isEqualTo(Duration.ofMinutes(-1));
        machine.suspend(HOUR);
        assertThat(jump()).isZero();
    }

    @Test
    void seesNoJumpIfItsThreadIsStoppedWhileItReads() {
        machine.stop = () -> machine.pass(HOUR);
        assertThat(jump()).isZero();
        assertThat(jump()).isZero();
    }

    @Test
    void tellsAgainOfAJumpThatWasTakenBack() {
        machine.now = machine.now.plus(HOUR);
        jump();
        clock.unread();
        machine.pass(HOUR);

        assertThat(jump()).isEqualTo(HOUR);
        assertThat(jump()).isZero();
        clock.unread();
        assertThat(jump()).as("the last reading told of none").isZero();
    }
}

package dev.heddle.engine.support;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.heddle.env.Environment;
import dev.heddle.job.Limits;

/**
 * A lock with one condition, like an object's own monitor, except that waits follow the {@link Environment}.
 *
 * {@snippet :
 * try (var _ = monitor.enter()) {
 *     count++;
 *     monitor.changed();
 * }
 * }
 */
public final class Monitor {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private final Exit exit = lock::unlock;
    private final Environment env;

    /** Leaves the monitor when it is closed. */
    public interface Exit extends AutoCloseable {
        @Override
        void close();
    }

    /** Creates a monitor whose waits follow this environment. */
    public Monitor(Environment env) {
        this.env = env;
    }

    /** Enters the monitor; close the result to leave it. */
    public Exit enter() {
        lock.lock();
        return exit;
    }

    /** Makes all waiting threads check their conditions again. Call it inside the monitor. */
    public void changed() {
        condition.signalAll();
    }

    /**
     * Waits until the condition holds; returns false if the time is over first. The condition is evaluated inside the
     * monitor.
     */
    public boolean await(Duration timeout, BooleanSupplier holds) throws InterruptedException {
        lock.lock();
        try {
            long left = Limits.waitNanos(timeout);
            while (!holds.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = env.awaitNanos(lock, condition, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}

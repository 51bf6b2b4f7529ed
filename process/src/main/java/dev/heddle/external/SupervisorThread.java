package dev.heddle.external;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single thread that supervises the workers of a job type. A task that fails is logged and does not stop the
 * others.
 */
final class SupervisorThread {

    private static final Logger LOG = LoggerFactory.getLogger(SupervisorThread.class);

    private final String type;
    private final ScheduledExecutorService thread;

    SupervisorThread(String type) {
        this.type = type;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("heddle-supervisor of " + type).factory());
    }

    /** Runs a task soon. Does nothing after {@link #shutDown}. */
    void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    /** Runs a task after the delay. Does nothing after {@link #shutDown}. */
    void schedule(Duration delay, Runnable task) {
        try {
            var _ = thread.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The supervisor of {} has shut down", type, e);
        }
    }

    /** Runs a task again and again. */
    void scheduleEvery(Duration interval, Runnable task) {
        var _ = thread.scheduleWithFixedDelay(guarded(task), interval.toNanos(), interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Runs a task, waits for its result, and throws what it throws. */
    <T> T call(Callable<T> task) {
        try {
            return thread.submit(task).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for the supervisor of " + type);
        }
    }

    /** Returns the task with its exceptions logged instead of thrown. */
    Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("Supervision of the workers of {} failed; it will be tried again", type, e);
            }
        };
    }

    void shutDown() {
        thread.shutdown();
    }
}

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

/** The one thread that looks after the workers of a type. One failure there does not end the watch over the others. */
final class Crew {

    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    private final String type;
    private final ScheduledExecutorService thread;

    Crew(String type) {
        this.type = type;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("heddle-crew of " + type).factory());
    }

    void execute(Runnable task) {
        later(Duration.ZERO, task);
    }

    void later(Duration delay, Runnable task) {
        try {
            var _ = thread.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The crew of {} has gone home", type, e);
        }
    }

    void every(Duration interval, Runnable task) {
        var _ = thread.scheduleWithFixedDelay(guarded(task), interval.toNanos(), interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Waits for the task, and throws what it throws. */
    <T> T await(Callable<T> task) {
        try {
            return thread.submit(task).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for the workers of " + type);
        }
    }

    /** The same task, whose failure is logged and goes no further. */
    Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("The workers of {} could not be looked after", type, e);
            }
        };
    }

    void goHome() {
        thread.shutdown();
    }
}

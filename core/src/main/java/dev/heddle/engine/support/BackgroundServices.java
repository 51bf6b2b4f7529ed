package dev.heddle.engine.support;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.env.Environment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the background services of a node, each on a daemon thread, and supervises them. A service that throws, or
 * returns before it was stopped, is restarted after a pause. Until then the node is not ready.
 */
public final class BackgroundServices {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundServices.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Environment env;
    private final Map<String, Supervised> services = new LinkedHashMap<>();

    /** Creates the set; services start in the order given. */
    public BackgroundServices(Environment env, List<BackgroundService> ordered) {
        this.env = env;
        ordered.forEach(service -> services.put(service.name(), new Supervised(service)));
    }

    /** Starts all services in order. */
    public void start() {
        services.values().forEach(Supervised::start);
    }

    /** Returns the names of the services that have failed and are not running again yet. */
    public List<String> down() {
        return services.values().stream().filter(service -> service.down).map(service -> service.service.name())
                .toList();
    }

    /** Stops a service and waits for its thread; returns whether the thread ended in time. */
    public boolean stop(BackgroundService service, Duration atMost) {
        supervised(service).stop();
        return join(service, atMost);
    }

    /** Waits for the thread of a service that was asked to stop; returns whether it ended in time. */
    public boolean join(BackgroundService service, Duration atMost) {
        Thread thread = supervised(service).thread;
        if (thread == null) {
            return true;
        }
        try {
            return env.join(thread, atMost.isPositive() ? atMost : Duration.ofMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Stops all services: asks every one first, then waits up to this long for each. */
    public void stopAll(Duration each) {
        services.values().forEach(Supervised::stop);
        services.values().forEach(service -> join(service.service, each));
    }

    private Supervised supervised(BackgroundService service) {
        Supervised found = services.get(service.name());
        if (found == null) {
            throw new IllegalArgumentException("no such background service: " + service.name());
        }
        return found;
    }

    private final class Supervised {

        private final BackgroundService service;
        private final Wakeup stopping = new Wakeup(env);
        private volatile @Nullable Thread thread;
        private volatile boolean stopped;
        private volatile boolean down;

        Supervised(BackgroundService service) {
            this.service = service;
        }

        void start() {
            thread = env.start("heddle-" + service.name(), this::supervise);
        }

        void stop() {
            stopped = true;
            service.stop();
            stopping.raise();
        }

        /** Runs the service at least once, even if it is stopped before its thread begins: it may have work to finish. */
        private void supervise() {
            Duration pause = FIRST_PAUSE;
            while (true) {
                long startedAt = env.nanoTime();
                runOnce();
                if (stopped) {
                    return;
                }
                down = true;
                boolean ranLong = env.nanoTime() - startedAt > LONGEST_PAUSE.toNanos();
                pause = ranLong ? FIRST_PAUSE : pause;
                stopping.await(pause);
                Duration doubled = pause.multipliedBy(2);
                pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
                down = false;
            }
        }

        // Whatever a service throws, even an Error, must be logged and must not end the service for good.
        @SuppressWarnings("CatchingThrowable")
        private void runOnce() {
            try {
                service.run();
                if (!stopped) {
                    LOG.error("Background service '{}' ended by itself; restarting it", service.name());
                }
            } catch (Throwable e) {
                LOG.error("Background service '{}' failed; restarting it", service.name(), e);
            }
        }
    }
}

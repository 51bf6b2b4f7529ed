package dev.heddle.server;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.env.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs wrong tokens and login codes by address. The right token is accepted at any time: clients behind one
 * proxy share an address, and one of them must not be able to lock out the others.
 */
final class FailedLogins {

    static final int MAX_FAILURES = 20;
    static final Duration WINDOW = Duration.ofMinutes(1);
    /** More addresses than this are not counted separately, so that the memory they take is bounded. */
    private static final int MAX_ADDRESSES = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(HeddleServer.class);

    private final Environment env;
    private final Map<String, Window> windows = new LinkedHashMap<>();

    /** Ends at an {@link Environment#elapsed} time. */
    private record Window(Duration until, int failures) {}

    FailedLogins(Environment env) {
        this.env = env;
    }

    /** Records a failure, and returns whether the address has had too many within a minute. */
    synchronized boolean record(String address) {
        Duration now = env.elapsed();
        windows.values().removeIf(window -> now.compareTo(window.until) >= 0);
        Window before = windows.get(address);
        if (before == null && windows.size() == MAX_ADDRESSES) {
            windows.remove(windows.keySet().iterator().next());
        }
        Window window = before == null ? new Window(now.plus(WINDOW), 1)
                : new Window(before.until, before.failures + 1);
        windows.put(address, window);
        if (window.failures == 1) {
            LOG.warn("A request from {} had a wrong token or login code", address);
        } else if (window.failures == MAX_FAILURES + 1) {
            LOG.warn("{} requests from {} had a wrong token or login code within a minute; refusing more of them",
                    window.failures, address);
        }
        return window.failures > MAX_FAILURES;
    }
}

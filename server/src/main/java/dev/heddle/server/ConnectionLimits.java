package dev.heddle.server;

import java.lang.management.ManagementFactory;
import java.time.Duration;

import com.sun.management.UnixOperatingSystemMXBean;

/**
 * Limits for connections. A node needs files for its store and its processes too, so connections must not use up all
 * that the process may open.
 *
 * @param total the most connections at once; default 4,096, but no more than half of the files the process may open
 * @param perAddress the most connections from one address; default three quarters of the total
 * @param headerTimeout how long the header of a request may take to arrive; default 10 s
 * @param bodyTimeout how long the body of a request may take to arrive; default 60 s
 */
record ConnectionLimits(int total, int perAddress, Duration headerTimeout, Duration bodyTimeout) {

    private static final int MOST = 4_096;

    static ConnectionLimits standard() {
        int total = (int) Math.min(MOST, fileLimit() / 2);
        return new ConnectionLimits(total, total * 3 / 4, Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    ConnectionLimits {
        if (perAddress < 1 || perAddress > total || !headerTimeout.isPositive() || !bodyTimeout.isPositive()) {
            throw new IllegalArgumentException("the limits for connections must be positive, and perAddress at most"
                    + " total: total " + total + ", perAddress " + perAddress + ", headerTimeout " + headerTimeout
                    + ", bodyTimeout " + bodyTimeout);
        }
        if (total >= fileLimit()) {
            throw new IllegalArgumentException(
                    "the process may open " + fileLimit() + " files, which is not enough for "
                            + total + " connections; allow fewer, or raise the limit (ulimit -n)");
        }
    }

    /** Returns how many files this process may open. */
    private static long fileLimit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() : Long.MAX_VALUE;
    }
}

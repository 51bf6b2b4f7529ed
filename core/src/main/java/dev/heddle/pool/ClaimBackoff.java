package dev.heddle.pool;

import java.time.Duration;

/** How long the claiming loop waits after errors of its own in a row; errors of jobs do not count. */
final class ClaimBackoff {

    static final int THRESHOLD = 5;
    static final Duration BELOW = Duration.ofMillis(200);
    static final Duration MAX = Duration.ofSeconds(30);

    private ClaimBackoff() {}

    /** Short below the threshold; from there one second, doubling. */
    static Duration delay(int errorsInARow) {
        if (errorsInARow < THRESHOLD) {
            return BELOW;
        }
        int doublings = Math.min(errorsInARow - THRESHOLD, 5);
        Duration delay = Duration.ofSeconds(1L << doublings);
        return delay.compareTo(MAX) > 0 ? MAX : delay;
    }
}

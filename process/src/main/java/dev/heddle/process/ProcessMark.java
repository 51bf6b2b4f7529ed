package dev.heddle.process;

import java.security.SecureRandom;

/**
 * A random number that all processes of one launch carry and no other process does.
 *
 * <p>On Linux, every descendant inherits the mark twice: as an environment variable, which a daemon may clear, and as
 * its soft limit of real-time CPU time in microseconds (RLIMIT_RTTIME), which nothing clears. The limit has no other
 * effect: it applies only to threads with real-time scheduling, and amounts to more than two thousand years.
 */
record ProcessMark(long value) {

    /** The name of the environment variable. */
    static final String VARIABLE = "HEDDLE_MARK";

    private static final SecureRandom RANDOM = new SecureRandom();
    /** The upper bits of every mark. They distinguish a mark from a limit that another program has set. */
    private static final long SIGNATURE = 0x0EDD1EL << 36;
    private static final long RANDOM_BITS = (1L << 36) - 1;

    static ProcessMark random() {
        return new ProcessMark(SIGNATURE | (RANDOM.nextLong() & RANDOM_BITS));
    }

    static ProcessMark parse(String text) {
        return new ProcessMark(Long.parseLong(text, 36));
    }

    /** Returns whether the value of a limit is a mark. */
    static boolean isMark(long limit) {
        return (limit & ~RANDOM_BITS) == SIGNATURE;
    }

    /** Returns a short word that is safe in file names. */
    @Override
    public String toString() {
        return Long.toString(value, 36);
    }
}

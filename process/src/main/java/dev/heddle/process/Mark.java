package dev.heddle.process;

import java.security.SecureRandom;

/**
 * What all processes of one run have in common, however far they get from each other, and no other process has.
 *
 * <p>On Linux every process of the run inherits it twice: as an environment variable, which a daemon may drop, and as
 * its soft limit of real-time CPU time in microseconds (RLIMIT_RTTIME), which nobody drops. The limit does nothing else:
 * it holds only for threads that are scheduled in real time, and is more than two thousand years.
 */
record Mark(long value) {

    /** The environment variable that carries it. */
    static final String VARIABLE = "HEDDLE_MARK";

    private static final SecureRandom RANDOM = new SecureRandom();
    /** In the upper bits of every mark, so that a limit somebody else has set is none. */
    private static final long SIGN = 0x0EDD1EL << 36;
    private static final long OWN_BITS = (1L << 36) - 1;

    static Mark random() {
        return new Mark(SIGN | (RANDOM.nextLong() & OWN_BITS));
    }

    static Mark parse(String text) {
        return new Mark(Long.parseLong(text, 36));
    }

    /** Whether a limit is a mark at all. */
    static boolean isMark(long limit) {
        return (limit & ~OWN_BITS) == SIGN;
    }

    /** A short word: names of files have it in them. */
    @Override
    public String toString() {
        return Long.toString(value, 36);
    }
}

package dev.heddle.benchmarks;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Submits at random moments, 10 to 40 ms apart, without waiting for the job before. A loop of "submit, wait, submit"
 * would fall into step with a poll and see only its worst or its best case; 200 jobs also span the longest poll interval
 * there is here, 5 s, just once.
 */
final class Gaps {

    private Gaps() {}

    /** Submits the jobs 0 to {@code jobs - 1}; when each was. */
    static long[] submit(Session session, int jobs, LongSupplier clock) throws InterruptedException {
        long[] submitted = new long[jobs];
        Random gaps = new Random(jobs);
        for (int number = 0; number < jobs; number++) {
            TimeUnit.MICROSECONDS.sleep(10_000 + gaps.nextInt(30_000));
            submitted[number] = clock.getAsLong();
            session.submit(number);
        }
        return submitted;
    }
}

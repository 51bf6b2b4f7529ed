package dev.heddle.benchmarks.trial;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.heddle.benchmarks.contender.ContenderSession;

/**
 * Submits at random intervals of 10 to 40 ms without waiting for earlier jobs. A loop of "submit, wait, submit" would
 * synchronize with a poll and measure only its best or its worst case. 200 jobs also cover the longest poll interval
 * here, which is 5 s.
 */
final class RandomArrivals {

    private RandomArrivals() {}

    /** Submits the jobs 0 to {@code jobs - 1}; returns the time of each submit. */
    static long[] submit(ContenderSession session, int jobs, LongSupplier clock) throws InterruptedException {
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

package dev.heddle.benchmarks.trial;

/**
 * The number of jobs in each part of a trial.
 *
 * @param jobs drained, and submitted in bulk
 * @param submits submitted one by one from one thread
 * @param latencies submitted to an idle pool
 * @param warmUp submitted each way and drained before the measurement, or 0 for none. It equals the measured number,
 *     because a short warm-up teaches the compiler less about a fast product
 */
public record TrialPlan(int jobs, int submits, int latencies, int warmUp) {

    private static final int LEAST = 40;

    public static TrialPlan of(int jobs, boolean smoke) {
        return smoke ? new TrialPlan(jobs, jobs, 20, 0) : new TrialPlan(jobs, jobs / 4, 200, jobs);
    }

    /** Returns the number of jobs that eight threads submit one by one; they are faster than a single thread. */
    int crowdSubmits() {
        return 4 * submits;
    }

    /**
     * Scales the number of jobs. The number of latencies stays the same, because waiting takes the same time for every
     * product. The number of submits never grows, because no product submits fast enough to need more.
     */
    public TrialPlan times(double share) {
        return new TrialPlan(part(jobs, share), part(submits, Math.min(1, share)), latencies, part(warmUp, share));
    }

    private static int part(int number, double share) {
        return (int) Math.max(Math.min(number, LEAST), Math.round(number * share));
    }
}

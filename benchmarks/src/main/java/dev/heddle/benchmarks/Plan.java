package dev.heddle.benchmarks;

/**
 * How much a trial does.
 *
 * @param jobs drained, and submitted in bulk
 * @param submits submitted one by one from one thread
 * @param latencies submitted to an idle pool
 * @param warmUp submitted each way and drained before anything counts: as much as is measured, since the faster
 *        a product is, the less a short warm-up teaches the compiler; 0 for none
 */
record Plan(int jobs, int submits, int latencies, int warmUp) {

    private static final int LEAST = 40;

    static Plan of(int jobs, boolean smoke) {
        return smoke ? new Plan(jobs, jobs, 20, 0)
                : new Plan(jobs, jobs / 4, 200, jobs);
    }

    /** Submitted one by one from eight threads, which together are faster than one. */
    int crowdSubmits() {
        return 4 * submits;
    }

    /**
     * The same with a part of the jobs, or with more. Latencies stay, since waiting takes as long for all; nobody submits so
     * fast that it would need more of them.
     */
    Plan times(double share) {
        return new Plan(part(jobs, share), part(submits, Math.min(1, share)), latencies, part(warmUp, share));
    }

    private static int part(int number, double share) {
        return (int) Math.max(Math.min(number, LEAST), Math.round(number * share));
    }
}

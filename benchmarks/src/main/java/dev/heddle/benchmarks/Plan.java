package dev.heddle.benchmarks;

/**
 * How much a trial does.
 *
 * @param jobs drained, and submitted in bulk
 * @param submits submitted one by one, from one thread and again from eight
 * @param latencies submitted to an idle pool
 * @param warmUp submitted each way and drained before anything counts: as much as is measured, since the faster
 *        a product is, the less a short warm-up teaches the compiler
 */
record Plan(int jobs, int submits, int latencies, int warmUp) {

    static Plan of(int jobs, boolean smoke) {
        return smoke ? new Plan(jobs, jobs, 20, Math.min(jobs, 200))
                : new Plan(jobs, jobs / 4, 200, jobs);
    }
}

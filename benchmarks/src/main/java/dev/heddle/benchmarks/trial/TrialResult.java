package dev.heddle.benchmarks.trial;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of one trial: rates in jobs per second, latencies in milliseconds.
 *
 * @param drain rate from the start of the first job until the completion of the last one is stored
 * @param drainFromSwitch rate from the moment processing is switched on; includes the first poll of a product that
 *     polls
 * @param latency from submit to start in an idle pool
 * @param outside the same if another process submits
 */
public record TrialResult(double drain, double drainFromSwitch, double submitOne, double submitEight, double submitBulk,
        Latency latency, Latency outside) {

    /** Returns the median of each figure separately. */
    public static TrialResult medianOf(List<TrialResult> rounds) {
        return new TrialResult(median(rounds, TrialResult::drain), median(rounds, TrialResult::drainFromSwitch),
                median(rounds, TrialResult::submitOne), median(rounds, TrialResult::submitEight),
                median(rounds, TrialResult::submitBulk),
                new Latency(median(rounds, figures -> figures.latency().p50()),
                        median(rounds, figures -> figures.latency().p99())),
                new Latency(median(rounds, figures -> figures.outside().p50()),
                        median(rounds, figures -> figures.outside().p99())));
    }

    public static <T> double median(List<T> rounds, ToDoubleFunction<T> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

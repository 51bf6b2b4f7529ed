package dev.heddle.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one trial measured; rates are jobs a second, latencies milliseconds.
 *
 * @param drain from the first job's start until the last one's completion is stored
 * @param drainFromSwitch the same from the moment processing is switched on: for a product that polls, its
 *            first poll is in it
 * @param latency from submit to start in an idle pool
 * @param outside the same where another process submits
 */
record Figures(double drain, double drainFromSwitch, double submitOne, double submitEight, double submitBulk,
        Latency latency, Latency outside) {

    /** Each figure's median by itself. */
    static Figures medianOf(List<Figures> rounds) {
        return new Figures(median(rounds, Figures::drain), median(rounds, Figures::drainFromSwitch),
                median(rounds, Figures::submitOne), median(rounds, Figures::submitEight),
                median(rounds, Figures::submitBulk),
                new Latency(median(rounds, figures -> figures.latency().p50()),
                        median(rounds, figures -> figures.latency().p99())),
                new Latency(median(rounds, figures -> figures.outside().p50()),
                        median(rounds, figures -> figures.outside().p99())));
    }

    static <T> double median(List<T> rounds, ToDoubleFunction<T> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

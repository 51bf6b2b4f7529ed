package dev.heddle.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one trial measured; rates are jobs a second, latencies milliseconds.
 *
 * @param drain from the first job's start until the last one's completion is stored
 * @param drainFromSwitch the same from the moment processing is switched on: for a product that polls, its
 *            first poll is in it
 */
record Figures(double drain, double drainFromSwitch, double submitOne, double submitEight, double submitBulk,
        double latencyP50, double latencyP99) {

    /** Each figure's median by itself. */
    static Figures medianOf(List<Figures> rounds) {
        return new Figures(median(rounds, Figures::drain), median(rounds, Figures::drainFromSwitch),
                median(rounds, Figures::submitOne), median(rounds, Figures::submitEight),
                median(rounds, Figures::submitBulk), median(rounds, Figures::latencyP50),
                median(rounds, Figures::latencyP99));
    }

    private static double median(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

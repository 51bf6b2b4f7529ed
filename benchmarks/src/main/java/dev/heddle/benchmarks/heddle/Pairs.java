package dev.heddle.benchmarks.heddle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Ratios of measurements that were made in pairs, one right after the other and in alternating order: whatever disturbs
 * the machine for longer than that disturbs both of a pair. The interval has the true median with 95% confidence,
 * whatever the distribution is; with fewer than six pairs it is only the range.
 */
final class Pairs {

    private static final double ONE_SIDE = 0.025;

    private final List<Double> ratios = new ArrayList<>();

    /** Measures once. */
    @FunctionalInterface
    interface Measurement<T> {
        T measure() throws Exception;
    }

    /** What was measured in one pair. */
    record Pair<T>(T one, T other) {}

    private Pairs(List<Double> ratios) {
        this.ratios.addAll(ratios);
        this.ratios.sort(null);
    }

    static <T> List<Pair<T>> measure(int pairs, Measurement<T> one, Measurement<T> other) throws Exception {
        List<Pair<T>> measured = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            T first = (i % 2 == 0 ? one : other).measure();
            T second = (i % 2 == 0 ? other : one).measure();
            measured.add(i % 2 == 0 ? new Pair<>(first, second) : new Pair<>(second, first));
        }
        return measured;
    }

    /** Returns the ratios of one to the other in a figure. */
    static <T> Pairs ratios(List<Pair<T>> pairs, ToDoubleFunction<T> figure) {
        return new Pairs(pairs.stream()
                .map(pair -> figure.applyAsDouble(pair.one) / figure.applyAsDouble(pair.other)).toList());
    }

    double median() {
        int middle = ratios.size() / 2;
        return ratios.size() % 2 == 1 ? ratios.get(middle) : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
    }

    /** Returns how many of the least and greatest ratios are outside of the interval. */
    static int outside(int pairs) {
        double chance = Math.pow(0.5, pairs);
        double sum = chance;
        int outside = 0;
        while (sum <= ONE_SIDE) {
            outside++;
            chance = chance * (pairs - outside + 1) / outside;
            sum += chance;
        }
        return Math.max(0, outside - 1);
    }

    /** Returns the median and its interval as text. */
    @Override
    public String toString() {
        int outside = outside(ratios.size());
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median(), ratios.get(outside),
                ratios.get(ratios.size() - 1 - outside));
    }
}

package dev.heddle.benchmarks.report;

import java.util.Collection;
import java.util.Locale;
import java.util.OptionalDouble;

import dev.heddle.benchmarks.trial.TrialResult;

/** A column of the result table: how to format a figure, and whether more is better. */
public enum Column {

    DRAIN("drain/s", true), FROM_SWITCH("from switch", true), ONE("submit 1", true), EIGHT("submit 8", true), BULK(
            "bulk", true), P50("p50 ms",
                    false), P99("p99 ms", false), OUTSIDE_P50("outside p50", false), OUTSIDE_P99("outside p99", false);

    final String title;
    private final boolean moreIsBetter;

    Column(String title, boolean moreIsBetter) {
        this.title = title;
        this.moreIsBetter = moreIsBetter;
    }

    private double of(TrialResult figures) {
        return switch (this) {
            case DRAIN -> figures.drain();
            case FROM_SWITCH -> figures.drainFromSwitch();
            case ONE -> figures.submitOne();
            case EIGHT -> figures.submitEight();
            case BULK -> figures.submitBulk();
            case P50 -> figures.latency().p50();
            case P99 -> figures.latency().p99();
            case OUTSIDE_P50 -> figures.outside().p50();
            case OUTSIDE_P99 -> figures.outside().p99();
        };
    }

    /** Returns whether the figure was measured. */
    boolean isIn(TrialResult figures) {
        return !Double.isNaN(of(figures));
    }

    public String text(TrialResult figures) {
        double value = of(figures);
        return String.format(Locale.ROOT, moreIsBetter || value >= 100 ? "%,.0f" : "%.1f", value);
    }

    /** Returns the ratio to the best of the others: 2.0x is twice the rate or half the latency. */
    String ratio(TrialResult figures, Collection<TrialResult> others) {
        OptionalDouble best = moreIsBetter ? others.stream().mapToDouble(this::of).max()
                : others.stream().mapToDouble(this::of).min();
        if (best.isEmpty()) {
            return "-";
        }
        double ratio = moreIsBetter ? of(figures) / best.getAsDouble() : best.getAsDouble() / of(figures);
        return String.format(Locale.ROOT, ratio >= 0.095 ? "%.1fx" : "%.3fx", ratio);
    }
}

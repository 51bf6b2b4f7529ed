package dev.heddle.benchmarks;

import java.util.Collection;
import java.util.Locale;
import java.util.OptionalDouble;

/** A figure in the table: how it reads, and which of two is better. */
enum Column {

    DRAIN("drain/s", true), FROM_SWITCH("from switch", true), ONE("submit 1", true), EIGHT("submit 8",
            true), BULK("bulk", true), P50("p50 ms", false), P99("p99 ms", false), OUTSIDE_P50("outside p50",
                    false), OUTSIDE_P99("outside p99", false);

    final String title;
    private final boolean moreIsBetter;

    Column(String title, boolean moreIsBetter) {
        this.title = title;
        this.moreIsBetter = moreIsBetter;
    }

    private double of(Figures figures) {
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

    /** Whether it was measured. */
    boolean isIn(Figures figures) {
        return !Double.isNaN(of(figures));
    }

    String text(Figures figures) {
        double value = of(figures);
        return String.format(Locale.ROOT, moreIsBetter || value >= 100 ? "%,.0f" : "%.1f", value);
    }

    /** How often better than the best of the others: 2.0 is twice the rate, or half the latency. */
    String ratio(Figures figures, Collection<Figures> others) {
        OptionalDouble best = moreIsBetter ? others.stream().mapToDouble(this::of).max()
                : others.stream().mapToDouble(this::of).min();
        if (best.isEmpty()) {
            return "-";
        }
        double ratio = moreIsBetter ? of(figures) / best.getAsDouble() : best.getAsDouble() / of(figures);
        return String.format(Locale.ROOT, ratio >= 0.095 ? "%.1fx" : "%.3fx", ratio);
    }
}

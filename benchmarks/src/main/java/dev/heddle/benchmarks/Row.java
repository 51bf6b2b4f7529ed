package dev.heddle.benchmarks;

import java.util.List;

/** The results of a contender: its plan, the median, and every round. */
record Row(ContenderInfo card, TrialPlan plan, TrialResult median, List<TrialResult> rounds) {

    static Row of(ContenderInfo card, TrialPlan plan, List<TrialResult> rounds) {
        return new Row(card, plan, TrialResult.medianOf(rounds), List.copyOf(rounds));
    }
}

package dev.heddle.benchmarks.report;

import java.util.List;

import dev.heddle.benchmarks.contender.ContenderInfo;
import dev.heddle.benchmarks.trial.TrialPlan;
import dev.heddle.benchmarks.trial.TrialResult;

/** The results of a contender: its plan, the median, and every round. */
public record Row(ContenderInfo card, TrialPlan plan, TrialResult median, List<TrialResult> rounds) {

    public static Row of(ContenderInfo card, TrialPlan plan, List<TrialResult> rounds) {
        return new Row(card, plan, TrialResult.medianOf(rounds), List.copyOf(rounds));
    }
}

package dev.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.heddle.benchmarks.contender.ContenderInfo;
import dev.heddle.benchmarks.trial.TrialResult;

/**
 * The throughput of a number of processes on one queue.
 *
 * @param jobs on the queue
 * @param median jobs per second of all processes together
 */
public record MultiNodeRow(ContenderInfo card, int nodes, int jobs, double median, List<Double> rounds) {

    public static MultiNodeRow of(ContenderInfo card, int nodes, int jobs, List<Double> rounds) {
        return new MultiNodeRow(card, nodes, jobs, TrialResult.median(rounds, rate -> rate), List.copyOf(rounds));
    }

    /** Formats the rows as a table; ratios are relative to a single process of the same contender. */
    public static String table(List<MultiNodeRow> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("contender", "processes", "jobs", "drain/s in total", "of one"));
        double one = Double.NaN;
        for (MultiNodeRow row : rows) {
            one = row.nodes() == 1 ? row.median() : one;
            lines.add(List.of(row.card().id(), Integer.toString(row.nodes()), format("%,d", row.jobs()),
                    format("%,.0f", row.median()), format("%.2fx", row.median() / one)));
        }
        return ResultTable.aligned(lines, 1);
    }

    private static String format(String pattern, Object value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}

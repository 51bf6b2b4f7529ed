package dev.heddle.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What so many processes drained together.
 *
 * @param jobs that they shared
 * @param median jobs a second, all processes together
 */
record NodesRow(Card card, int nodes, int jobs, double median, List<Double> rounds) {

    static NodesRow of(Card card, int nodes, int jobs, List<Double> rounds) {
        return new NodesRow(card, nodes, jobs, Figures.median(rounds, rate -> rate), List.copyOf(rounds));
    }

    /** All rows as a table; each contender's ratios are to its own single process. */
    static String table(List<NodesRow> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("contender", "processes", "jobs", "drain/s in total", "of one"));
        double one = Double.NaN;
        for (NodesRow row : rows) {
            one = row.nodes() == 1 ? row.median() : one;
            lines.add(List.of(row.card().id(), Integer.toString(row.nodes()), format("%,d", row.jobs()),
                    format("%,.0f", row.median()), format("%.2fx", row.median() / one)));
        }
        return Table.aligned(lines, 1);
    }

    private static String format(String pattern, Object value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}

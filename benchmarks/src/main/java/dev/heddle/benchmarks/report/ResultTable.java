package dev.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.benchmarks.contender.ContenderInfo;
import dev.heddle.benchmarks.trial.TrialResult;

/** Formats rows as text: figures, ratios to the best durable peer, and settings. */
public record ResultTable(List<Row> rows) {

    private static final List<String> WHO = List.of("contender", "store", "workers", "in flight", "jobs");
    private static final int LEFT = 3;

    public String text() {
        List<TrialResult> peers = rows.stream().filter(row -> row.card().peer() && row.card().durable())
                .map(Row::median).toList();
        StringBuilder text = new StringBuilder();
        text.append(figures(row -> column -> column.text(row.median())));
        if (!peers.isEmpty()) {
            text.append(
                    "\ncompared with the best durable peer of each column (2.0x: twice the rate, half the latency)\n");
            text.append(figures(row -> column -> column.ratio(row.median(), peers)));
        }
        text.append("\nsettings\n");
        for (Row row : rows) {
            text.append("  ").append(row.card().product()).append(" on ").append(row.card().store()).append(": ")
                    .append(row.card().settings()).append('\n');
        }
        return text.toString();
    }

    private String figures(Function<Row, Function<Column, String>> figure) {
        List<Column> columns = Stream.of(Column.values())
                .filter(column -> rows.stream().anyMatch(row -> column.isIn(row.median()))).toList();
        List<List<String>> lines = new ArrayList<>();
        lines.add(Stream.concat(WHO.stream(), columns.stream().map(column -> column.title)).toList());
        for (Row row : rows) {
            lines.add(Stream.concat(who(row), columns.stream().map(figure.apply(row))).toList());
        }
        return aligned(lines, LEFT);
    }

    private static Stream<String> who(Row row) {
        ContenderInfo card = row.card();
        return Stream.of(card.product(), card.store(), card.workers(), card.inFlight(),
                String.format(Locale.ROOT, "%,d", row.plan().jobs()));
    }

    /** Aligns the cells in columns; the first {@code left} columns are left-aligned, the others right-aligned. */
    public static String aligned(List<List<String>> lines, int left) {
        return lines.stream().map(line -> aligned(line, lines, left)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String aligned(List<String> line, List<List<String>> all, int left) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < line.size(); at++) {
            int column = at;
            int width = all.stream().mapToInt(other -> other.get(column).length()).max().orElse(0);
            String padding = " ".repeat(width - line.get(at).length());
            text.append(at == 0 ? "" : "  ").append(at < left ? line.get(at) + padding : padding + line.get(at));
        }
        return text.toString();
    }
}

package dev.heddle.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rows as text: figures, ratios against the best durable peer, and the settings behind them. */
record Table(List<Row> rows) {

    private static final List<String> WHO = List.of("contender", "store", "workers", "in flight");

    String text() {
        List<Figures> peers = rows.stream().filter(row -> row.card().peer() && row.card().durable())
                .map(Row::median)
                .toList();
        StringBuilder text = new StringBuilder();
        text.append(
                aligned(rows.stream().map(row -> cells(row, column -> column.text(row.median()))).toList()));
        if (!peers.isEmpty()) {
            text.append(
                    "\nagainst the best durable peer, column by column (2.0x: twice the rate, half the latency)\n");
            text.append(aligned(
                    rows.stream().map(row -> cells(row, column -> column.ratio(row.median(), peers)))
                            .toList()));
        }
        text.append("\nsettings\n");
        for (Row row : rows) {
            text.append("  ").append(row.card().product()).append(" on ").append(row.card().store())
                    .append(": ")
                    .append(row.card().settings()).append('\n');
        }
        return text.toString();
    }

    private static List<String> cells(Row row, Function<Column, String> figure) {
        Card card = row.card();
        return Stream.concat(Stream.of(card.product(), card.store(), card.workers(), card.inFlight()),
                Stream.of(Column.values()).map(figure)).toList();
    }

    private static String aligned(List<List<String>> lines) {
        List<List<String>> all = new ArrayList<>();
        all.add(Stream.concat(WHO.stream(), Stream.of(Column.values()).map(column -> column.title)).toList());
        all.addAll(lines);
        return all.stream().map(line -> aligned(line, all)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String aligned(List<String> line, List<List<String>> all) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < line.size(); at++) {
            int column = at;
            int width = all.stream().mapToInt(other -> other.get(column).length()).max().orElse(0);
            String padding = " ".repeat(width - line.get(at).length());
            boolean left = at < WHO.size() - 1;
            text.append(at == 0 ? "" : "  ").append(left ? line.get(at) + padding : padding + line.get(at));
        }
        return text.toString();
    }
}

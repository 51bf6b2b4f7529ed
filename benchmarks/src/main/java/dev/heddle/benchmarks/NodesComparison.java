package dev.heddle.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One, two and four processes on one queue, in turns. */
final class NodesComparison {

    private static final List<Integer> COUNTS = List.of(1, 2, 4);
    /** More jobs than a drain of one process has: time is short otherwise. */
    private static final int TIMES = 5;

    private NodesComparison() {}

    /** Of our own products the first, as it ships; also prints it. */
    static List<NodesRow> run(List<Contender> contenders, Options options) throws Exception {
        List<NodesRow> rows = new ArrayList<>();
        for (Contender contender : contenders.stream().filter(one -> !one.card().peer()).limit(1).toList()) {
            rows.addAll(run(contender, options));
        }
        if (!rows.isEmpty()) {
            System.out.println();
            System.out.print(NodesRow.table(rows));
        }
        return rows;
    }

    private static List<NodesRow> run(Contender contender, Options options) throws Exception {
        int jobs = options.plan(contender).jobs() * (options.smoke() ? 1 : TIMES);
        Nodes nodes = new Nodes(contender, options.inFlight(),
                new ServerPlaces(options.server().orElseThrow(), contender.card().id()), jobs);
        Map<Integer, List<Double>> rates = new TreeMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (int count : options.smoke() ? COUNTS.subList(0, 2) : COUNTS) {
                double rate = nodes.drain(count);
                rates.computeIfAbsent(count, key -> new ArrayList<>()).add(rate);
                System.err.printf("round %d  %s in %d processes  %,.0f drained/s%n", round,
                        contender.card().id(), count, rate);
            }
        }
        return rates.entrySet().stream()
                .map(entry -> NodesRow.of(contender.card(), entry.getKey(), jobs, entry.getValue())).toList();
    }
}

package dev.heddle.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.PostgresLocations;
import dev.heddle.benchmarks.report.MultiNodeRow;
import dev.heddle.benchmarks.trial.MultiNodeDrain;

/** Compares one, two and four processes on one queue, in alternating rounds. */
final class MultiNodeComparison {

    private static final List<Integer> COUNTS = List.of(1, 2, 4);
    /** A multiple of the jobs of a single process, because four processes would be done too soon. */
    private static final int TIMES = 5;

    private MultiNodeComparison() {}

    /** Runs all rounds for the first Heddle contender, prints the table, and returns its rows. */
    static List<MultiNodeRow> run(List<Contender> contenders, Options options) throws Exception {
        List<MultiNodeRow> rows = new ArrayList<>();
        for (Contender contender : contenders.stream().filter(one -> !one.card().peer()).limit(1).toList()) {
            rows.addAll(run(contender, options));
        }
        if (!rows.isEmpty()) {
            System.out.println();
            System.out.print(MultiNodeRow.table(rows));
        }
        return rows;
    }

    private static List<MultiNodeRow> run(Contender contender, Options options) throws Exception {
        int jobs = options.plan(contender).jobs() * (options.smoke() ? 1 : TIMES);
        MultiNodeDrain nodes = new MultiNodeDrain(contender, options.inFlight(),
                new PostgresLocations(options.server().orElseThrow(), contender.card().id()), jobs);
        Map<Integer, List<Double>> rates = new TreeMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (int count : options.smoke() ? COUNTS.subList(0, 2) : COUNTS) {
                double rate = nodes.drain(count);
                rates.computeIfAbsent(count, key -> new ArrayList<>()).add(rate);
                System.err.printf("round %d  %s in %d processes  %,.0f drained/s%n", round, contender.card().id(),
                        count, rate);
            }
        }
        return rates.entrySet().stream()
                .map(entry -> MultiNodeRow.of(contender.card(), entry.getKey(), jobs, entry.getValue())).toList();
    }
}

package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs contenders in turns, A B C A B C: what disturbs the machine for a while disturbs them all. */
record Comparison(List<Contender> contenders, Options options) {

    /** Also prints them. */
    List<Row> run(Path directory) throws IOException, InterruptedException {
        Map<Contender, List<Figures>> figures = new LinkedHashMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (Contender contender : contenders) {
                Path own = Files.createDirectory(directory.resolve("trial"));
                Figures trial = new ChildTrial(contender, options).run(own);
                Directories.delete(own);
                figures.computeIfAbsent(contender, key -> new ArrayList<>()).add(trial);
                System.err.println("round " + round + "  " + contender.card().id() + "  "
                        + Column.DRAIN.text(trial) + " drained/s");
            }
        }
        List<Row> rows = figures.entrySet().stream().map(entry -> Row.of(entry.getKey().card(),
                options.plan(entry.getKey()), entry.getValue())).toList();
        System.out.println();
        System.out.print(new Table(rows).text());
        return rows;
    }
}

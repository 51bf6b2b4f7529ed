package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.report.Column;
import dev.heddle.benchmarks.report.ResultTable;
import dev.heddle.benchmarks.report.Row;
import dev.heddle.benchmarks.trial.ChildProcess;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.benchmarks.trial.TrialResult;

/** Runs the contenders in alternating rounds, A B C A B C: whatever disturbs the machine disturbs all of them. */
record Comparison(List<Contender> contenders, Options options) {

    /** Smoke trials that run in parallel, since some only wait for their next poll. */
    private static final int SMOKE_AT_ONCE = 3;

    /** Runs all rounds, prints the result table, and returns its rows. */
    List<Row> run(Path directory) throws ExecutionException, InterruptedException {
        Map<Contender, List<TrialResult>> figures = new LinkedHashMap<>();
        try (ExecutorService turns = Executors.newFixedThreadPool(options.smoke() ? SMOKE_AT_ONCE : 1)) {
            Map<Future<TrialResult>, Contender> trials = new LinkedHashMap<>();
            for (int round = 1; round <= options.rounds(); round++) {
                String label = "round " + round;
                for (Contender contender : contenders) {
                    trials.put(turns.submit(() -> turn(contender, label, directory)), contender);
                }
            }
            try {
                for (Map.Entry<Future<TrialResult>, Contender> trial : trials.entrySet()) {
                    figures.computeIfAbsent(trial.getValue(), key -> new ArrayList<>()).add(trial.getKey().get());
                }
            } catch (ExecutionException e) {
                turns.shutdownNow();
                ChildProcess.killAll();
                throw e;
            }
        }
        List<Row> rows = figures.entrySet().stream()
                .map(entry -> Row.of(entry.getKey().card(), options.plan(entry.getKey()), entry.getValue())).toList();
        System.out.println();
        System.out.print(new ResultTable(rows).text());
        return rows;
    }

    private TrialResult turn(Contender contender, String round, Path directory)
            throws IOException, InterruptedException {
        Path own = Files.createTempDirectory(directory, "trial");
        TrialResult trial = new IsolatedTrial(contender, options).run(own);
        Directories.delete(own);
        System.err.println(round + "  " + contender.card().id() + "  " + Column.DRAIN.text(trial) + " drained/s");
        return trial;
    }
}

package dev.heddle.benchmarks;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.PostgresLocations;
import dev.heddle.benchmarks.contender.StoreChoice;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.benchmarks.trial.TrialPlan;

/**
 * The options of the command line.
 *
 * @param jobs drained in each round
 * @param rounds of which the median counts
 * @param stores on which contenders run
 * @param only a part of the ids of the contenders to run, or empty for all
 * @param inFlight jobs that the peers hold in flight, or empty for the best number of each
 * @param json where to write the report
 * @param smoke whether to check only that everything runs
 * @param trial the output file of a child process, which runs the one contender that {@code only} names
 * @param server the JDBC URL of the server for a child process
 */
public record Options(int jobs, int rounds, StoreChoice stores, String only, OptionalInt inFlight, Optional<Path> json,
        boolean smoke, Optional<Path> trial, Optional<String> server) {

    static final String USAGE = """
            usage: benchmarks/run [--store NAME] [--only NAME] [--jobs N] [--rounds K] [--in-flight N] [--json FILE] [--smoke]
                   benchmarks/run --scale [--store NAME] [--smoke]
                   benchmarks/run --limits [--store NAME] [--smoke]
                   benchmarks/run --logs [--store NAME] [--smoke]
                   benchmarks/run --schedules [--store NAME] [--smoke]
                   benchmarks/run --opening
                   benchmarks/run --timeline FILE.svg JOBS
              --store NAME   sqlite, postgres or all (all)
              --only NAME    contenders whose id contains NAME, such as jobrunr, heddle/postgres or db-scheduler/h2
              --jobs N       no-op jobs to drain in each round (20000; 500 with --smoke)
              --rounds K     rounds, of which the medians are printed (3; 1 with --smoke)
              --in-flight N  let the peers hold N jobs in flight instead of the best number of each
              --json FILE    write the machine, settings, every round and the medians to FILE
              --smoke        check that everything runs; the figures mean nothing
              --scale        measure Heddle with a million queued jobs and a million ended jobs""";

    public static Options parse(List<String> arguments) {
        OptionalInt jobs = OptionalInt.empty();
        OptionalInt rounds = OptionalInt.empty();
        OptionalInt inFlight = OptionalInt.empty();
        StoreChoice stores = StoreChoice.ALL;
        String only = "";
        Optional<Path> json = Optional.empty();
        Optional<Path> trial = Optional.empty();
        Optional<String> server = Optional.empty();
        boolean smoke = false;
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--jobs" -> jobs = OptionalInt.of(number(option, rest));
                case "--rounds" -> rounds = OptionalInt.of(number(option, rest));
                case "--in-flight" -> inFlight = OptionalInt.of(number(option, rest));
                case "--store" -> stores = StoreChoice.of(value(option, rest));
                case "--only" -> only = value(option, rest);
                case "--json" -> json = Optional.of(Path.of(value(option, rest)));
                case "--trial" -> trial = Optional.of(Path.of(value(option, rest)));
                case "--server" -> server = Optional.of(value(option, rest));
                case "--smoke" -> smoke = true;
                default -> throw new IllegalArgumentException("unknown option " + option + "\n" + USAGE);
            }
        }
        return new Options(jobs.orElse(smoke ? 500 : 20_000), rounds.orElse(smoke ? 1 : 3), stores, only, inFlight,
                json, smoke, trial, server);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
        }
        return rest.next();
    }

    private static int number(String option, Iterator<String> rest) {
        String value = value(option, rest);
        if (!value.matches("[1-9][0-9]{0,7}")) {
            throw new IllegalArgumentException(option + " needs a whole number above 0, not " + value + "\n" + USAGE);
        }
        return Integer.parseInt(value);
    }

    TrialPlan plan(Contender contender) {
        return TrialPlan.of(jobs, smoke).times(contender.share());
    }

    /** Returns the same options with a server. */
    Options on(String url) {
        return new Options(jobs, rounds, stores, only, inFlight, json, smoke, trial, Optional.of(url));
    }

    /** Returns the locations in which a child process measures a contender. */
    StoreLocations places(Contender contender, Path directory) {
        return contender.database().hasServer() ? new PostgresLocations(server.orElseThrow(), contender.card().id())
                : StoreLocations.in(directory);
    }
}

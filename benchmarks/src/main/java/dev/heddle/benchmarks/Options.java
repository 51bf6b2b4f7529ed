package dev.heddle.benchmarks;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The command line.
 *
 * @param jobs drained in each round
 * @param rounds of which the median counts
 * @param only part of the id of those that take part, or empty for all
 * @param inFlight jobs the peers hold in flight, or empty for what suits them best
 * @param json where to write the report
 * @param smoke whether to look only if everything runs
 * @param trial the output file of a child process, which runs the one contender that {@code only} names
 */
record Options(int jobs, int rounds, String only, OptionalInt inFlight, Optional<Path> json, boolean smoke,
        Optional<Path> trial) {

    static final String USAGE = """
            usage: benchmarks/run [--jobs N] [--rounds K] [--only NAME] [--in-flight N] [--json FILE] [--smoke]
              --jobs N       no-op jobs to drain in each round (20000; 500 with --smoke)
              --rounds K     rounds, of which the medians are printed (3; 1 with --smoke)
              --only NAME    contenders whose id contains NAME, such as jobrunr, sqlite or db-scheduler/h2
              --in-flight N  make the peers hold N jobs in flight, not the number that is best for them
              --json FILE    write machine, settings, every round and the medians there
              --smoke        see that everything runs; the figures mean nothing""";

    static Options parse(List<String> arguments) {
        OptionalInt jobs = OptionalInt.empty();
        OptionalInt rounds = OptionalInt.empty();
        OptionalInt inFlight = OptionalInt.empty();
        String only = "";
        Optional<Path> json = Optional.empty();
        Optional<Path> trial = Optional.empty();
        boolean smoke = false;
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--jobs" -> jobs = OptionalInt.of(number(option, rest));
                case "--rounds" -> rounds = OptionalInt.of(number(option, rest));
                case "--in-flight" -> inFlight = OptionalInt.of(number(option, rest));
                case "--only" -> only = value(option, rest);
                case "--json" -> json = Optional.of(Path.of(value(option, rest)));
                case "--trial" -> trial = Optional.of(Path.of(value(option, rest)));
                case "--smoke" -> smoke = true;
                default -> throw new IllegalArgumentException("unknown option " + option + "\n" + USAGE);
            }
        }
        return new Options(jobs.orElse(smoke ? 500 : 20_000), rounds.orElse(smoke ? 1 : 3), only, inFlight,
                json,
                smoke, trial);
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
            throw new IllegalArgumentException(
                    option + " needs a whole number above 0, not " + value + "\n" + USAGE);
        }
        return Integer.parseInt(value);
    }

    Plan plan() {
        return Plan.of(jobs, smoke);
    }
}

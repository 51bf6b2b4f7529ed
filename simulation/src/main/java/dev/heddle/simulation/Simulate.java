package dev.heddle.simulation;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plays seeds from the command line: {@code --seed=N --runs=N}, or one plan in full. Prints what was violated, the
 * smallest plan that still shows it, and how to play that again, and stops; with {@code --all}, it goes on. With
 * {@code --twice}, each run is played again and compared; with {@code --trace}, everything that happens is printed.
 */
public final class Simulate {

    private static final long RUNS_BETWEEN_NOTES = 1_000;

    private Simulate() {}

    /** Plays what the arguments say; exits with 1 if something was violated. */
    public static void main(String[] args) {
        Map<String, String> options = Arrays.stream(args).map(arg -> arg.replaceFirst("^--", "").split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length > 1 ? pair[1] : ""));
        long first = Long.parseLong(options.getOrDefault("seed", "1"));
        long runs = Long.parseLong(options.getOrDefault("runs", "1"));
        boolean trace = options.containsKey("trace");
        long violated = 0;
        for (long done = 1; done <= runs; done++) {
            Plan plan = plan(first + done - 1, options);
            Simulation.Result result = Simulation.play(plan);
            if (trace) {
                result.trace().forEach(System.out::println);
            }
            String failure = failure(plan, result, options.containsKey("twice"));
            if (!failure.isEmpty()) {
                violated++;
                System.out.println(failure);
                if (!options.containsKey("all")) {
                    System.exit(1);
                }
            } else if (runs == 1 || trace) {
                System.out.printf("%s: nothing violated, %d steps, fingerprint %x%n", plan, result.steps(),
                        result.fingerprint());
            }
            if (runs > 1 && !trace && (done % RUNS_BETWEEN_NOTES == 0 || done == runs)) {
                System.out.println(progress(done, violated));
            }
        }
        System.exit(violated == 0 ? 0 : 1);
    }

    private static String progress(long done, long violated) {
        double seconds = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
        return String.format("%d runs, %s violated, %.1f runs per second of CPU time", done,
                violated == 0 ? "nothing" : violated, done / seconds);
    }

    /** Plays seeds from 1 on; returns what the first violation is and how many runs it took, empty if there is none. */
    public static String firstViolation(long runs) {
        for (long seed = 1; seed <= runs; seed++) {
            Simulation.Result result = Simulation.play(Plan.of(seed));
            if (!result.isClean()) {
                return "found in run " + seed + ": " + result.violations().getFirst();
            }
        }
        return "";
    }

    /** Returns how a run failed; empty if it did not. */
    private static String failure(Plan plan, Simulation.Result result, boolean twice) {
        if (!result.isClean()) {
            return FailureReport.of(plan, result);
        }
        Simulation.Result again = twice ? Simulation.play(plan) : result;
        return again.equals(result) ? "" : FailureReport.ofDifference(plan, result, again);
    }

    private static Plan plan(long seed, Map<String, String> options) {
        return !options.containsKey("nodes") ? Plan.of(seed)
                : new Plan(seed, Integer.parseInt(options.getOrDefault("nodes", "1")),
                        Integer.parseInt(options.getOrDefault("operations", "10")),
                        Plan.Sharing.valueOf(options.getOrDefault("sharing", "SHARED")),
                        some(Work.class, options.getOrDefault("work", "")),
                        some(Order.class, options.getOrDefault("orders", "")),
                        some(Plan.Fault.class, options.getOrDefault("faults", "")));
    }

    private static <E extends Enum<E>> Set<E> some(Class<E> type, String names) {
        Set<E> chosen = EnumSet.noneOf(type);
        Stream.of(names.split(",", -1)).filter(name -> !name.isEmpty())
                .forEach(name -> chosen.add(Enum.valueOf(type, name)));
        return chosen;
    }
}

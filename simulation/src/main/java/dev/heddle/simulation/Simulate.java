package dev.heddle.simulation;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plays seeds from the command line: {@code --seed=N --runs=N}, or one plan in full. Prints what was violated, the
 * smallest plan that still shows it, and how to play that again.
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
        long started = System.nanoTime();
        for (long done = 1; done <= runs; done++) {
            long seed = first + done - 1;
            Plan plan = options.containsKey("nodes") ? plan(seed, options) : Plan.of(seed);
            Simulation.Result result = Simulation.play(plan);
            if (!result.isClean()) {
                report(plan, result, done);
                System.exit(1);
            }
            if (runs == 1) {
                System.out.printf("%s: nothing violated, %d steps, fingerprint %x%n", plan, result.steps(),
                        result.fingerprint());
            } else if (done % RUNS_BETWEEN_NOTES == 0 || done == runs) {
                System.out.printf("%d runs, nothing violated, %.1f runs/s%n", done,
                        done / ((System.nanoTime() - started) / 1e9));
            }
        }
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

    private static void report(Plan plan, Simulation.Result result, long runs) {
        Plan small = new Shrinker(candidate -> !Simulation.play(candidate).isClean()).shrink(plan);
        Simulation.Result again = Simulation.play(small);
        again.trace().forEach(System.out::println);
        System.out.println("seed " + plan.seed() + " violated after " + runs + " runs: " + result.violations());
        System.out.println("the smallest plan that violates something: " + again.violations());
        System.out.println("play it again: simulation/simulate " + small);
    }

    private static Plan plan(long seed, Map<String, String> options) {
        return new Plan(seed, Integer.parseInt(options.getOrDefault("nodes", "1")),
                Integer.parseInt(options.getOrDefault("operations", "10")),
                some(Work.class, options.getOrDefault("work", "")),
                some(Plan.Fault.class, options.getOrDefault("faults", "")));
    }

    private static <E extends Enum<E>> Set<E> some(Class<E> type, String names) {
        Set<E> chosen = EnumSet.noneOf(type);
        Stream.of(names.split(",", -1)).filter(name -> !name.isEmpty())
                .forEach(name -> chosen.add(Enum.valueOf(type, name)));
        return chosen;
    }
}

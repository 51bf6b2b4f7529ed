package dev.heddle.simulation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows that the simulation finds faults: breaks the product in one way after the other and plays seeds until something
 * is violated. Arguments: the directory of the project, {@code --runs=N}, and names of mutations; by default all.
 */
public final class Mutate {

    private static final String RUNS = "--runs=";

    private Mutate() {}

    /** Plays the mutations; exits with 1 if one of them was not found. */
    public static void main(String[] args) {
        long runs = 10_000;
        List<String> names = new ArrayList<>();
        for (String arg : List.of(args).subList(1, args.length)) {
            if (arg.startsWith(RUNS)) {
                runs = Long.parseLong(arg.substring(RUNS.length()));
            } else {
                names.add(arg);
            }
        }
        List<Mutation> mutations = Mutation.all(Path.of(args[0])).stream()
                .filter(mutation -> names.isEmpty() || names.contains(mutation.name())).toList();
        int missed = 0;
        for (Mutation mutation : mutations) {
            long started = System.nanoTime();
            String found = mutation.play(runs);
            missed += found.isEmpty() ? 1 : 0;
            System.out.printf("%-26s %4d s  %s%n", mutation.name(), (System.nanoTime() - started) / 1_000_000_000,
                    found.isEmpty() ? "NOT FOUND in " + runs + " runs" : found);
        }
        System.out.printf("%d of %d mutations found%n", mutations.size() - missed, mutations.size());
        if (missed > 0 || mutations.isEmpty()) {
            System.exit(1);
        }
    }
}

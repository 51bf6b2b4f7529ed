package dev.heddle.simulation;

/** Describes a run that violated something: the smallest plan that still does, what happens in it, how to play it. */
final class FailureReport {

    private FailureReport() {}

    static String of(Plan plan, Simulation.Result result) {
        Plan small = new Shrinker(candidate -> !Simulation.play(candidate).isClean()).shrink(plan);
        Simulation.Result again = Simulation.play(small);
        return String.join("\n", again.trace()) + "\nseed " + plan.seed() + " violated: " + result.violations()
                + "\nthe smallest plan that violates something: " + again.violations()
                + "\nplay it again: simulation/simulate " + small;
    }

    /** Describes a plan that did not play the same way again. */
    static String ofDifference(Plan plan, Simulation.Result first, Simulation.Result second) {
        int same = 0;
        while (same < Math.min(first.trace().size(), second.trace().size())
                && first.trace().get(same).equals(second.trace().get(same))) {
            same++;
        }
        return "seed " + plan.seed() + " did not play the same way twice; after " + same + " equal events: "
                + event(first, same) + " and then " + event(second, same) + "\nplay it again: simulation/simulate "
                + plan + " --twice";
    }

    private static String event(Simulation.Result result, int index) {
        return index < result.trace().size() ? "'" + result.trace().get(index) + "'"
                : "nothing, with the fingerprint " + Long.toHexString(result.fingerprint());
    }
}

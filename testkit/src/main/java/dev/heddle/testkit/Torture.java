package dev.heddle.testkit;

import java.util.Random;

/** The length and the seed of torture tests, set by {@code -Dheddle.torture=long} and {@code -Dheddle.seed=N}. */
public final class Torture {

    private Torture() {}

    /** Returns the first number for {@code ./check} and the second for {@code ./check --long}. */
    public static int rounds(int shortForm, int longForm) {
        return isLong() ? longForm : shortForm;
    }

    /** Returns whether this is a long run, which also measures. */
    public static boolean isLong() {
        return "long".equals(System.getProperty("heddle.torture"));
    }

    /** Returns a generator and prints its seed, to repeat a run that failed. */
    public static Random random(String test) {
        String given = System.getProperty("heddle.seed", "");
        long seed = given.isBlank() ? System.nanoTime() : Long.parseLong(given);
        System.out.println(test + ": seed " + seed + " (repeat with -Dheddle.seed=" + seed + ")");
        return new Random(seed);
    }
}

package dev.heddle.testkit;

import java.util.Random;

/** How long and with which seed torture tests run: {@code -Dheddle.torture=long}, {@code -Dheddle.seed=N}. */
public final class Torture {

    private Torture() {}

    /** The first number in {@code ./check}, the second in {@code ./check --long}. */
    public static int rounds(int shortForm, int longForm) {
        return isLong() ? longForm : shortForm;
    }

    /** Whether there is time to measure, too. */
    public static boolean isLong() {
        return "long".equals(System.getProperty("heddle.torture"));
    }

    /** A generator whose seed is printed, so that a failing run can be repeated. */
    public static Random random(String test) {
        String given = System.getProperty("heddle.seed", "");
        long seed = given.isBlank() ? System.nanoTime() : Long.parseLong(given);
        System.out.println(test + ": seed " + seed + " (repeat with -Dheddle.seed=" + seed + ")");
        return new Random(seed);
    }
}

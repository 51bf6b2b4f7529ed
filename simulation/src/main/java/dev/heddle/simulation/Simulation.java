package dev.heddle.simulation;

import java.time.Duration;
import java.util.List;

/**
 * Plays plans. A run is over when every job that was acknowledged has ended, which must happen within an hour after the
 * last fault.
 */
final class Simulation {

    private static final Duration PATIENCE = Duration.ofHours(1);
    /** A store that goes by the clock of a machine waits as much longer if that was set back while no node ran. */
    private static final Duration LONGEST_CLOCK_CHANGE = Duration.ofHours(2);
    private static final long MOST_STEPS = 3_000_000;
    /** How many steps to run between looks at the store. */
    private static final int STEPS_AT_ONCE = 200;

    private Simulation() {}

    /**
     * How a run went.
     *
     * @param violations what was wrong; empty if nothing was
     * @param trace what happened
     * @param fingerprint tells whether two runs were the same, step by step
     * @param steps how many steps it took
     */
    record Result(List<String> violations, List<String> trace, long fingerprint, long steps) {

        boolean isClean() {
            return violations.isEmpty();
        }
    }

    private static Duration patience(World world) {
        return world.isSingle() && world.mayMisjudgeTime() ? PATIENCE.plus(LONGEST_CLOCK_CHANGE) : PATIENCE;
    }

    static Result play(Plan plan) {
        return play(new World(plan));
    }

    static Result play(World world) {
        Scheduler scheduler = world.scheduler();
        world.begin();
        long calmBy = -1;
        boolean settled = false;
        while (world.violations().isEmpty() && !settled) {
            long until = scheduler.steps() + STEPS_AT_ONCE;
            boolean moved = scheduler.runUntil(() -> scheduler.steps() >= until || !world.violations().isEmpty(),
                    STEPS_AT_ONCE + 1L);
            if (world.isCalm()) {
                world.release();
            }
            settled = world.isSettled();
            calmBy = calmBy < 0 && world.isCalm() ? scheduler.now() + patience(world).toNanos() : calmBy;
            if (!moved || scheduler.steps() > MOST_STEPS || (calmBy >= 0 && scheduler.now() > calmBy)) {
                break;
            }
        }
        if (world.violations().isEmpty()) {
            if (!settled) {
                world.violated("not settled " + (scheduler.steps() > MOST_STEPS
                        ? "after too many steps, the last by " + scheduler.recent() : "in time"));
            }
            world.checkEnd();
        }
        return new Result(world.violations(), world.trace(), scheduler.fingerprint(), scheduler.steps());
    }
}

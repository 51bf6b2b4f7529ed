package dev.heddle.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.Function;

import dev.heddle.testkit.Torture;

import static org.assertj.core.api.Assertions.assertThat;

/** Plays plans on real stores, each with a store of its own: one in the short form, many in the long one. */
final class RealStoreRuns {

    private RealStoreRuns() {}

    /**
     * Plays plans and fails if one violates something.
     *
     * @param newStore returns an empty store, which may use the directory
     */
    static void play(String test, Path directory, Function<Path, RealStore> newStore) throws Exception {
        Random random = Torture.random(test);
        long started = System.nanoTime();
        RealResult total = RealResult.none();
        for (int i = 1; i <= Torture.rounds(1, 20); i++) {
            Path place = newDirectory(directory, i);
            RealStore store = newStore.apply(place);
            RealPlan plan = RealPlan.of(random.nextLong(), store, Torture.rounds(3, 10));
            RealResult result = new RealWorld(plan, store, place).play();
            total = total.plus(result);
            System.out.println(test + ": " + plan + ": " + result);

            assertThat(result.violations()).as("%s; reports and output are in %s", plan, place).isEmpty();
            assertThat(result.acknowledged()).as("jobs acknowledged").isGreaterThan(plan.kills());
            assertThat(result.executions()).as("calls of handlers").isPositive();
        }
        System.out.println(test + ": " + total + " in " + Duration.ofNanos(System.nanoTime() - started).toSeconds()
                + " s");
    }

    private static Path newDirectory(Path directory, int number) throws IOException {
        return Files.createDirectory(directory.resolve("run-" + number));
    }
}

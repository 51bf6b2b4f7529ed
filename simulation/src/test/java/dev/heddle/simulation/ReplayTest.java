package dev.heddle.simulation;

import java.time.Duration;
import java.util.List;

import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayTest {

    private static final int FIRST_SEED = 60;
    private static final int SEEDS = 20;
    /** As in the script that starts simulations. */
    private static final String FLAGS = "JDK_JAVA_OPTIONS=--add-opens java.base/java.lang=ALL-UNNAMED"
            + " -Djdk.trackAllThreads=false -XX:+UnlockExperimentalVMOptions -XX:hashCode=2";

    private static ChildJvm play(String... options) {
        return ChildJvm.startIn(List.of("env", FLAGS), Simulate.class, options);
    }

    private static List<String> output(ChildJvm jvm) {
        assertThat(jvm.exitCode(Duration.ofMinutes(8))).as(() -> String.join("\n", jvm.lines())).isZero();
        return jvm.lines();
    }

    /** The order of immutable sets and maps differs between JVMs. */
    @Test
    void playsTheSameWayInEveryJvm() {
        try (ChildJvm first = play("--seed=" + FIRST_SEED, "--runs=" + SEEDS, "--trace", "--twice");
                ChildJvm second = play("--seed=" + FIRST_SEED, "--runs=" + SEEDS, "--trace")) {
            List<String> lines = output(first);

            assertThat(lines).filteredOn(line -> line.contains("fingerprint")).hasSize(SEEDS);
            assertThat(output(second)).isEqualTo(lines);
        }
    }

    @Test
    void tellsWhereTwoRunsDiffer() {
        Plan plan = Plan.of(7);
        Simulation.Result first = new Simulation.Result(List.of(), List.of("one", "two"), 1, 10);
        Simulation.Result second = new Simulation.Result(List.of(), List.of("one", "three"), 2, 10);
        Simulation.Result longer = new Simulation.Result(List.of(), List.of("one", "two", "three"), 1, 10);

        assertThat(FailureReport.ofDifference(plan, first, second))
                .contains("after 1 equal events: 'two' and then 'three'").contains("simulation/simulate " + plan);
        assertThat(FailureReport.ofDifference(plan, first, longer)).contains("nothing").contains("'three'");
    }
}

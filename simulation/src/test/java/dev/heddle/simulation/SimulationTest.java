package dev.heddle.simulation;

import java.util.EnumSet;
import java.util.Set;

import dev.heddle.simulation.Plan.Fault;
import dev.heddle.simulation.Plan.Sharing;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SimulationTest {

    @Test
    void violatesNothing() {
        int seeds = Torture.rounds(300, 10_000);
        for (long seed = 1; seed <= seeds; seed++) {
            Plan plan = Plan.of(seed);
            Simulation.Result result = Simulation.play(plan);

            assertThat(result.violations()).as(() -> FailureReport.of(plan, result)).isEmpty();
        }
    }

    @Test
    void playsTheSamePlanTheSameWay() {
        for (long seed = 1; seed <= 20; seed++) {
            Plan plan = Plan.of(seed);
            Simulation.Result first = Simulation.play(plan);
            Simulation.Result second = Simulation.play(plan);

            assertThat(second.trace()).as(plan.toString()).isEqualTo(first.trace());
            assertThat(second.fingerprint()).as(plan.toString()).isEqualTo(first.fingerprint());
        }
    }

    @Test
    void playsOtherSeedsOtherwise() {
        Plan plan = Plan.of(1);
        Plan other = new Plan(2, plan.nodes(), plan.operations(), plan.sharing(), plan.work(), plan.orders(),
                plan.faults());

        assertThat(Simulation.play(other).fingerprint()).isNotEqualTo(Simulation.play(plan).fingerprint());
    }

    @Test
    void leavesOutWhatAFailureDoesNotNeed() {
        Plan all = new Plan(1, 3, 50, Sharing.SHARED, EnumSet.allOf(Work.class), EnumSet.allOf(Order.class),
                EnumSet.allOf(Fault.class));
        Shrinker shrinker = new Shrinker(plan -> plan.has(Fault.CRASH) && plan.work().contains(Work.STEPS)
                && plan.nodes() >= 2 && plan.operations() >= 7);

        assertThat(shrinker.shrink(all))
                .isEqualTo(new Plan(1, 2, 7, Sharing.SHARED, Set.of(Work.STEPS), Set.of(), Set.of(Fault.CRASH)));
    }
}

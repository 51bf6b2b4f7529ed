package dev.heddle.simulation;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Makes a failing plan smaller, by leaving out one thing after the other as long as it still fails. */
final class Shrinker {

    private final Predicate<Plan> fails;

    Shrinker(Predicate<Plan> fails) {
        this.fails = fails;
    }

    Plan shrink(Plan failing) {
        Plan smallest = failing;
        for (Plan next = smallest; next != null; next = smaller(smallest)) {
            smallest = next;
        }
        return smallest;
    }

    private @Nullable Plan smaller(Plan plan) {
        return candidates(plan).stream().filter(fails).findFirst().orElse(null);
    }

    private static List<Plan> candidates(Plan plan) {
        Stream<Plan> faults = plan.faults().stream().map(plan::without);
        Stream<Plan> work = plan.work().size() == 1 ? Stream.empty() : plan.work().stream().map(plan::without);
        Stream<Plan> orders = plan.orders().stream().map(plan::without);
        Stream<Plan> nodes = plan.nodes() == 1 ? Stream.empty() : Stream.of(plan.withNodes(plan.nodes() - 1));
        Stream<Plan> operations = Stream.of(plan.operations() / 2, plan.operations() - 1).filter(count -> count > 0)
                .map(plan::withOperations);
        return Stream.of(faults, orders, work, nodes, operations).flatMap(each -> each).toList();
    }
}

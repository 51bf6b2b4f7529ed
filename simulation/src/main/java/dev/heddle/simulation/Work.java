package dev.heddle.simulation;

import java.util.function.Function;

/** The kinds of jobs. A new feature adds a class and a line here. */
enum Work {
    ECHO(Workloads.Echo::new), FLAKY(Workloads.Flaky::new), DELAYED(Workloads.Delayed::new), STEPS(
            Workloads.Steps::new), CHECKPOINTS(Workloads.Checkpoints::new), ONCE(Workloads.Once::new), TIMEOUT(
                    Workloads.TimesOut::new), FAMILY(Workloads.Family::new), KILLER(Workloads.Killer::new), DEDUPE(
                            Workloads.Dedupe::new), SEQUEL(Workloads.Followed::new), SESSION(Workloads.InSession::new);

    @SuppressWarnings("ImmutableEnumChecker") // a constructor
    private final Function<World, Workload> create;

    Work(Function<World, Workload> create) {
        this.create = create;
    }

    Workload in(World world) {
        return create.apply(world);
    }
}

package dev.heddle.simulation;

/** The kinds of jobs. A new feature adds a class and a line here. */
enum Work {
    ECHO(new Workloads.Echo()), FLAKY(new Workloads.Flaky()), DELAYED(new Workloads.Delayed()), STEPS(
            new Workloads.Steps()), CHECKPOINTS(new Workloads.Checkpoints()), ONCE(new Workloads.Once()), TIMEOUT(
                    new Workloads.TimesOut()), FAMILY(new Workloads.Family()), KILLER(new Workloads.Killer()), DEDUPE(
                            new Workloads.Dedupe()), SEQUEL(
                                    new Workloads.Followed()), SESSION(new Workloads.InSession());

    @SuppressWarnings("ImmutableEnumChecker") // workloads have no state
    private final Workload workload;

    Work(Workload workload) {
        this.workload = workload;
    }

    Workload workload() {
        return workload;
    }
}

package dev.heddle.simulation;

/** The kinds of jobs. A new feature adds a class and a line here. */
enum Work {
    /** Completes. */
    ECHO(new Workloads.Echo()),
    /** Fails, at first or for good. */
    FLAKY(new Workloads.Flaky()),
    /** Starts later. */
    DELAYED(new Workloads.Delayed()),
    /** Has steps. */
    STEPS(new Workloads.Steps()),
    /** Saves checkpoints. */
    CHECKPOINTS(new Workloads.Checkpoints()),
    /** Is not idempotent. */
    ONCE(new Workloads.Once()),
    /** Takes too long. */
    TIMEOUT(new Workloads.TimesOut()),
    /** Has children. */
    FAMILY(new Workloads.Family()),
    /** Kills its node. */
    KILLER(new Workloads.Killer()),
    /** Has a dedupe key. */
    DEDUPE(new Workloads.Dedupe()),
    /** Is followed by another job. */
    SEQUEL(new Workloads.Followed()),
    /** Belongs to a session. */
    SESSION(new Workloads.InSession()),
    /** Has a priority. */
    PRIORITY(new Workloads.Prioritized()),
    /** Runs on workers that are processes. */
    EXTERNAL(new ExternalWork()),
    /** Outlives its node. */
    ADOPTED(new AdoptedWork()),
    /** Spends money of a budget. */
    BUDGET(new BudgetWork()),
    /** Shares the slots of limits. */
    LIMITED(new LimitedWork()),
    /** Starts at the pace of a limit. */
    PACED(new PacedWork()),
    /** Has itself run again. */
    RESCHEDULING(new ReschedulingWork()),
    /** Is submitted by schedules, too. */
    SCHEDULED(new ScheduledWork()),
    /** Has a dedupe key with a mode. */
    KEYED(new KeyedWork());

    @SuppressWarnings("ImmutableEnumChecker") // workloads have no state
    private final Workload workload;

    Work(Workload workload) {
        this.workload = workload;
    }

    Workload workload() {
        return workload;
    }
}

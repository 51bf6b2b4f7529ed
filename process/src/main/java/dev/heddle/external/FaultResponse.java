package dev.heddle.external;

/** What to do with a worker after a {@link WorkerFault}. */
enum FaultResponse {
    /** Keep the worker. */
    KEEP,
    /** Give it no work until it answers a ping. */
    DEGRADE,
    /** Ask it to end, and start another one. */
    REPLACE,
    /** Kill it without asking, and start another one. */
    KILL_AND_REPLACE;

    /** The number of consecutive faults at which a degraded worker is replaced. */
    private static final int MAX_CONSECUTIVE = 3;

    static FaultResponse to(WorkerFault fault) {
        return switch (fault) {
            case WorkerFault.JobFailed() -> KEEP;
            case WorkerFault.HealthCheckFailed(int consecutive) -> degradeOrReplace(consecutive);
            case WorkerFault.ProtocolViolated(int consecutive) -> degradeOrReplace(consecutive);
            case WorkerFault.Exited(),WorkerFault.NotStarted(),WorkerFault.Fatal() -> REPLACE;
            case WorkerFault.JobNotStopped() -> KILL_AND_REPLACE;
        };
    }

    private static FaultResponse degradeOrReplace(int consecutive) {
        return consecutive < MAX_CONSECUTIVE ? DEGRADE : REPLACE;
    }
}

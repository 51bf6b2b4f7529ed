package dev.heddle.external;

/** What is done about a {@link Trouble}: with the worker, and with the job it had. */
record Remedy(ForWorker worker, ForJob job) {

    enum ForWorker {
        /** Nothing is wrong with it. */
        STAY,
        /** Takes no work until it has answered a ping. */
        DEGRADE,
        /** Ended; another one takes its place at once. */
        REPLACE,
        /** Ended; another one takes its place after the restart delay. */
        REPLACE_LATER,
        /** Killed without being asked to end; another one takes its place at once. */
        KILL_AND_REPLACE
    }

    enum ForJob {
        /** It had none. */
        NONE,
        /** Failed as lost with its worker; tried again. */
        WORKER_LOST,
        /** Goes to another worker as if nothing had been. */
        ELSEWHERE,
        /** Timed out; tried again. */
        TIMED_OUT,
        /** Failed; tried again. */
        TRANSIENT,
        /** Failed as the worker said. */
        BY_CATEGORY
    }

    static Remedy of(Trouble trouble) {
        return switch (trouble) {
            case Trouble.Exited() -> new Remedy(ForWorker.REPLACE, ForJob.WORKER_LOST);
            case Trouble.HealthCheckFailed(int inARow) -> new Remedy(unless(inARow), ForJob.NONE);
            case Trouble.NotStarted() -> new Remedy(ForWorker.REPLACE_LATER, ForJob.ELSEWHERE);
            case Trouble.JobTimedOut() -> new Remedy(ForWorker.KILL_AND_REPLACE, ForJob.TIMED_OUT);
            case Trouble.ProtocolBroken(int inARow) -> new Remedy(unless(inARow), ForJob.TRANSIENT);
            case Trouble.JobFailed() -> new Remedy(ForWorker.STAY, ForJob.BY_CATEGORY);
            case Trouble.Fatal() -> new Remedy(ForWorker.REPLACE, ForJob.BY_CATEGORY);
        };
    }

    private static ForWorker unless(int inARow) {
        return inARow < Trouble.TOO_MANY ? ForWorker.DEGRADE : ForWorker.REPLACE;
    }
}

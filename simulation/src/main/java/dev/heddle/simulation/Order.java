package dev.heddle.simulation;

import java.time.Duration;
import java.util.concurrent.CompletionException;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolAdmin;

/** What a client can ask of a job that was submitted before, through any node. A new feature adds a line here. */
enum Order {
    /** Cancels it. */
    CANCEL((admin, job) -> admin.cancel(job, "enough")),
    /** Holds it back. */
    PAUSE((admin, job) -> admin.pause(job, "not now")),
    /** Lets it run again. */
    RESUME(PoolAdmin::resume),
    /** Deletes it. */
    DELETE(PoolAdmin::delete),
    /** Retries it after it failed for good. */
    RETRY((admin, job) -> admin.deadLetters().retry(job)),
    /** Holds back all jobs. */
    PAUSE_QUEUE((admin, _) -> admin.pauseQueue(Order.QUEUE)),
    /** Lets all jobs run again. */
    RESUME_QUEUE((admin, _) -> admin.resumeQueue(Order.QUEUE)),
    /** Runs it as soon as a worker is free. */
    RUN_NOW(PoolAdmin::runNow),
    /** Runs it after a while. */
    RESCHEDULE((admin, job) -> admin.reschedule(job, Duration.ofSeconds(5))),
    /** Waits for the end of the job. */
    AWAIT((_, _) -> {});

    /** The queue of all jobs that name no other. */
    static final String QUEUE = "default";

    private interface Command {
        void give(PoolAdmin admin, JobId job);
    }

    @SuppressWarnings("ImmutableEnumChecker") // a call of a method
    private final Command command;

    Order(Command command) {
        this.command = command;
    }

    /** Returns whether the order can do anything to a job in this state. */
    boolean suits(JobState state) {
        return switch (this) {
            case CANCEL -> !state.isFinal();
            case RUN_NOW, RESCHEDULE -> state == JobState.QUEUED || state == JobState.SCHEDULED
                    || state == JobState.PAUSED;
            case PAUSE -> state == JobState.QUEUED || state == JobState.SCHEDULED;
            case RESUME -> state == JobState.PAUSED;
            case DELETE -> !state.isHeld();
            case RETRY -> state == JobState.FAILED;
            case PAUSE_QUEUE, RESUME_QUEUE, AWAIT -> true;
        };
    }

    /** Gives the order, and tells so before and after. What it throws if it is refused, it throws to the caller. */
    void give(Pool pool, Story story, Host host) {
        JobId job = story.id();
        if (this == AWAIT) {
            await(pool, story, host);
            return;
        }
        host.report(job, 0, new Report.Ordered(this));
        command.give(pool.admin(), job);
        host.report(job, 0, new Report.Obeyed(this));
    }

    private static void await(Pool pool, Story story, Host host) {
        JobId job = story.id();
        int number = host.env().random().nextInt(Integer.MAX_VALUE);
        host.report(job, 0, new Report.Awaits(number));
        try {
            var _ = pool.job(job, story.workload().type()).completion()
                    .whenComplete((ended, failure) -> host.report(job, 0, new Report.Answered(number,
                            failure == null ? ended.state().name() : name(failure))));
        } catch (RuntimeException e) {
            host.report(job, 0, new Report.Answered(number, name(e)));
            throw e;
        }
    }

    private static String name(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause()
                : failure;
        return cause.getClass().getSimpleName();
    }
}

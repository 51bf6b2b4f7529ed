package dev.heddle.engine.session;

import dev.heddle.job.JobException;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;

/** A group of workers whose jobs have sessions. */
public interface SessionWorkers {

    /** Returns the name of the group. */
    String name();

    /** Returns a claim to the store without having started it. */
    default void release(Claim claim, String reason) {
        release(claim, reason, () -> {});
    }

    /** Returns a claim to the store without having started it, then runs the action before this node claims again. */
    void release(Claim claim, String reason, Runnable then);

    /** Fails a claim without having started it. */
    void fail(Claim claim, JobException cause);

    /** Tells a worker that it no longer has this session. */
    void sessionEnded(Worker worker, String session, String reason);

    /** Publishes an event. */
    void publish(WorkerEvent event);
}

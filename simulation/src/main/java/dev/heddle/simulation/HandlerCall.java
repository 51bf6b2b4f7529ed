package dev.heddle.simulation;

import java.time.Duration;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * One call of the handler of a workload.
 *
 * @param host the node
 * @param job the attempt
 * @param behavior how the job behaves, as its workload decides
 */
record HandlerCall(Host host, JobContext job, int behavior) {

    /** What the handler of a workload does. */
    interface Body {
        @Nullable String handle(HandlerCall call) throws Exception;
    }

    void tell(Report.Event event) {
        host.report(job.id(), job.attempt(), event);
    }

    /** Sleeps for a time that depends on the behavior. */
    void sleep(long millis) {
        job.sleep(Duration.ofMillis(behavior * millis));
    }

    private boolean isHeld() {
        return host.observer().find(job.id()).filter(now -> now.counts().attempt() == job.attempt())
                .filter(now -> now.state().isHeld() || now.state() == JobState.CANCELLED).isPresent();
    }

    /** Runs the handler, and tells when it starts and ends. */
    @Nullable String watched(Body body) throws Exception {
        tell(new Report.Started(isHeld()));
        try {
            return body.handle(this);
        } finally {
            tell(new Report.Ended());
        }
    }
}

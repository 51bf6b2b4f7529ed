package dev.heddle.simulation;

import java.time.Duration;

import dev.heddle.job.JobContext;
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

    /** Runs the handler, and tells when it starts and ends. */
    @Nullable String watched(Body body) throws Exception {
        tell(new Report.Started());
        try {
            return body.handle(this);
        } finally {
            tell(new Report.Ended());
        }
    }
}

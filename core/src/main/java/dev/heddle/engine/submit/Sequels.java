package dev.heddle.engine.submit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.engine.support.UserCode;
import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Sequel;
import dev.heddle.store.NewJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the jobs that follow when a job ends, as registered for its type. */
public final class Sequels {

    private static final Logger LOG = LoggerFactory.getLogger(Sequels.class);

    private final Map<String, Sequel> byType = new ConcurrentHashMap<>();
    private final Intake intake;

    public Sequels(Map<String, Sequel> known, Intake intake) {
        byType.putAll(known);
        this.intake = intake;
    }

    /** Sets the sequel of a type. */
    public void put(String type, Sequel sequel) {
        byType.put(type, sequel);
    }

    /** Returns the jobs to store in the same commit as the end of this job; none if the job has not ended. */
    public List<NewJob> jobsAfter(Job job) {
        return UserCode.call(() -> requestsAfter(job).stream().map(intake::encode).toList(), List.of(),
                e -> logFailure(job, e));
    }

    /** Submits the sequel of a job whose end is already stored. */
    public void submit(Job ended) {
        UserCode.run(() -> {
            List<? extends JobRequest<?, ?>> jobs = requestsAfter(ended);
            if (!jobs.isEmpty()) {
                intake.submit(jobs);
            }
        }, e -> logFailure(ended, e));
    }

    private List<? extends JobRequest<?, ?>> requestsAfter(Job job) {
        Sequel sequel = byType.get(job.type());
        return sequel == null || !job.state().isFinal() ? List.of() : sequel.after(job);
    }

    private static void logFailure(Job job, Throwable cause) {
        LOG.atError().setCause(cause).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                .log("The sequel of job {} failed; the job ends without one", job.id());
    }
}

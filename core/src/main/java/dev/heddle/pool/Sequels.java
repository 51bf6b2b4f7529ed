package dev.heddle.pool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.store.NewJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows the ends of which job types. */
final class Sequels {

    private static final Logger LOG = LoggerFactory.getLogger(Sequels.class);

    private final Map<String, Sequel> byType = new ConcurrentHashMap<>();
    private final Intake intake;

    Sequels(Map<String, Sequel> known, Intake intake) {
        byType.putAll(known);
        this.intake = intake;
    }

    void put(String type, Sequel sequel) {
        byType.put(type, sequel);
    }

    /** What is to be stored with the end of this job; none where it goes on. */
    List<NewJob> with(Job job) {
        try {
            return after(job).stream().map(intake::enrol).toList();
        } catch (RuntimeException e) {
            lost(job, e);
            return List.of();
        }
    }

    /** Submits what follows a job whose end is stored. */
    void submit(Job ended) {
        try {
            List<? extends JobRequest<?, ?>> jobs = after(ended);
            if (!jobs.isEmpty()) {
                intake.submit(jobs);
            }
        } catch (RuntimeException e) {
            lost(ended, e);
        }
    }

    private List<? extends JobRequest<?, ?>> after(Job job) {
        Sequel sequel = byType.get(job.type());
        return sequel == null || !job.state().isFinal() ? List.of() : sequel.after(job);
    }

    private static void lost(Job job, RuntimeException why) {
        LOG.atError().setCause(why).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                .log("What should follow job {} cannot be made; it ends without", job.id());
    }
}

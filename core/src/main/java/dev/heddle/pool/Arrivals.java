package dev.heddle.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.JobId;

/** What follows the commit of new jobs: counts, who observes, a claim if they can run here. */
record Arrivals(Registry registry, Meter meter, Observers observers, Demand demand) {

    /** A job that is new in the store. */
    record Arrival(JobId id, String type, String queue) {}

    /** @param total all jobs that were asked for: with those that another one stands in for */
    void came(int total, List<Arrival> made) {
        meter.submitted(total);
        meter.queued(total);
        if (!observers.isEmpty()) {
            announce(made);
        }
        if (made.stream().anyMatch(job -> registry.find(job.type) != null)) {
            demand.newWork();
        }
    }

    /** One event for all jobs of a type in a queue, so that a large submission is no flood. */
    private void announce(List<Arrival> made) {
        record Kind(String type, String queue) {}
        Map<Kind, List<JobId>> kinds = new LinkedHashMap<>();
        made.forEach(job -> kinds.computeIfAbsent(new Kind(job.type, job.queue), _ -> new ArrayList<>())
                .add(job.id));
        kinds.forEach((kind, jobs) -> observers.tell(
                () -> new PoolEvent.Submitted(kind.type(), kind.queue(), jobs.getFirst(), jobs.size())));
    }
}

package dev.heddle.engine.submit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.engine.support.PoolCounters;
import dev.heddle.job.JobId;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.NewJob;

/** Runs after new jobs are committed: counts them, publishes them, and wakes the dispatcher if they can run here. */
public record AfterSubmit(HandlerRegistry registry, PoolCounters counters, EventPublisher events, Demand demand) {

    /** Reports jobs that were created and are now committed. */
    public void committed(List<NewJob> created) {
        counters.submitted(created.size());
        counters.addQueued(created.stream().filter(NewJob::startsAtOnce).count());
        if (!events.isEmpty()) {
            announce(created);
        }
        changed(created);
    }

    /** Wakes the dispatcher, because jobs are new or waiting jobs were changed. */
    public void changed(List<NewJob> jobs) {
        if (jobs.stream().anyMatch(job -> registry.find(job.spec().type()) != null)) {
            demand.jobsSubmitted();
        }
    }

    /** Publishes one event for all jobs of a type in a queue, so a large submission does not flood observers. */
    private void announce(List<NewJob> created) {
        record Group(String type, String queue) {}
        Map<Group, List<JobId>> groups = new LinkedHashMap<>();
        created.stream().map(NewJob::spec).forEach(job -> groups
                .computeIfAbsent(new Group(job.type(), job.queue()), _ -> new ArrayList<>()).add(job.id()));
        groups.forEach((group, jobs) -> events
                .publish(() -> new PoolEvent.Submitted(group.type(), group.queue(), jobs.getFirst(), jobs.size())));
    }
}

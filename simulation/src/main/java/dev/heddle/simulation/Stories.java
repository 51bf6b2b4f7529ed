package dev.heddle.simulation;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.heddle.job.JobId;

/** The stories of all jobs of a run, in the order of their submission. */
final class Stories {

    private final Map<JobId, Story> byId = new LinkedHashMap<>();

    /** Adds a report; returns the story that it belongs to, or nothing if nobody told that the job was submitted. */
    Optional<Story> add(Report report) {
        if (report.event() instanceof Report.Submitted submitted) {
            byId.computeIfAbsent(report.job(), _ -> new Story(report, byId.size() + 1, submitted));
        }
        Optional<Story> story = Optional.ofNullable(byId.get(report.job()));
        story.ifPresent(known -> known.add(report));
        return story;
    }

    Optional<Story> find(JobId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Collection<Story> all() {
        return Collections.unmodifiableCollection(byId.values());
    }
}

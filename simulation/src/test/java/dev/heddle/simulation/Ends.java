package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;

/** The ends of jobs that were seen so far: an end is final. */
final class Ends {

    private final Map<JobId, JobState> seen = new HashMap<>();

    /** Looks at all jobs; returns which of them had another end before. */
    List<String> wrong(Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        for (Story story : evidence.stories().all()) {
            JobState now = evidence.observer().find(story.id()).map(Job::state).orElse(null);
            JobState before = seen.get(story.id());
            if (before != null && now != before) {
                wrong.add(story + " was " + before + " and is " + now);
            } else if (now != null && now.isFinal()) {
                seen.put(story.id(), now);
            }
        }
        return wrong;
    }
}

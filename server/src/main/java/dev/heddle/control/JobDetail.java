package dev.heddle.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobState;
import dev.heddle.pool.Held;
import dev.heddle.run.Run;
import dev.heddle.store.Story;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job with everything that happened to it.
 *
 * @param payload what it was submitted with
 * @param result what its handler returned; null where it has not, or returned nothing
 * @param failure what the last failed attempt said, with its stack trace
 * @param checkpoint where its next attempt goes on
 * @param steps the results of the steps that are done, by name
 * @param attempts the ended ones, oldest first
 * @param runs what those left that ran as processes, oldest first
 * @param history what happened to it off the ordinary way, oldest first
 * @param children how many it has in each state
 */
public record JobDetail(JobView job, JsonNode payload, @Nullable JsonNode result, @Nullable Failure failure,
        @Nullable JsonNode checkpoint, Map<String, JsonNode> steps, List<Attempt> attempts,
        List<Run> runs, List<HistoryEntry> history, Map<JobState, Long> children) {

    static JobDetail of(Story story, List<Run> runs, Held held) {
        var job = story.job();
        Map<String, JsonNode> steps = new LinkedHashMap<>();
        story.saved().steps().forEach((name, json) -> steps.put(name, ControlJson.tree(json)));
        return new JobDetail(JobView.of(job, held), ControlJson.tree(job.spec().payload()),
                job.result().map(ControlJson::tree).orElse(null), job.failure().orElse(null),
                story.saved().checkpoint().map(ControlJson::tree).orElse(null), steps, story.attempts(),
                runs, story.history(), story.children());
    }
}

package dev.heddle.control;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import dev.heddle.store.Story;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A unit of a batch.
 *
 * @param id of its job
 * @param unit its payload
 * @param attempt the number of the last one; 0 before the first
 * @param result what came of it
 * @param error what the last failed attempt said
 * @param usd what all its attempts cost; null where nobody knows
 * @param session what to resume the agent by
 * @param startedAt when the last attempt did
 */
public record UnitView(String id, JsonNode unit, JobState state, int attempt, @Nullable JsonNode result,
        @Nullable String error, @Nullable BigDecimal usd, long tokens, @Nullable String session,
        @Nullable Instant startedAt, @Nullable Instant endedAt) {

    /** A unit with what its attempts left. */
    static UnitView of(Story story, List<Run> runs) {
        return of(story.job(), startedAt(story), runs);
    }

    /** A unit that ends in this moment: its last attempt is not written down yet. */
    public static UnitView of(Job ending, List<Run> runs) {
        return of(ending, ending.status().startedAt(), runs);
    }

    private static UnitView of(Job job, @Nullable Instant startedAt, List<Run> runs) {
        List<Run.Usage> usages = runs.stream().map(Run::usage).filter(Objects::nonNull).toList();
        BigDecimal usd = usages.stream().map(Run.Usage::usd).filter(Objects::nonNull).reduce(BigDecimal::add)
                .orElse(null);
        return new UnitView(job.id().toString(), ControlJson.tree(job.spec().payload()), job.state(),
                job.counts().attempt(), job.result().map(ControlJson::tree).orElse(null),
                job.failure().map(Failure::message).orElse(null), usd,
                usages.stream().mapToLong(Run.Usage::tokens).sum(),
                usages.isEmpty() ? null : usages.getLast().session(),
                startedAt, job.status().endedAt());
    }

    /** A job knows it while it runs, its attempts know it afterwards. */
    private static @Nullable Instant startedAt(Story story) {
        Instant now = story.job().status().startedAt();
        return now != null || story.attempts().isEmpty() ? now : story.attempts().getLast().startedAt();
    }
}

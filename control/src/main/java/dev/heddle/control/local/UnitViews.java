package dev.heddle.control.local;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.control.model.UnitView;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.run.Run;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;

/** Creates the views of units from their jobs. */
public final class UnitViews {

    private UnitViews() {}

    /** Returns the view of a stored unit. */
    static UnitView of(JobDetails story, List<Run> runs) {
        return of(story.job(), startedAt(story), runs);
    }

    /** Returns the view of a unit whose end is being committed: its last attempt is not stored yet. */
    public static UnitView of(Job ending, List<Run> runs) {
        return of(ending, ending.status().startedAt(), runs);
    }

    private static UnitView of(Job job, @Nullable Instant startedAt, List<Run> runs) {
        List<Run.Usage> usages = runs.stream().map(Run::usage).filter(Objects::nonNull).toList();
        BigDecimal usd = usages.stream().map(Run.Usage::usd).filter(Objects::nonNull).reduce(BigDecimal::add)
                .orElse(null);
        return new UnitView(job.id().toString(), StoredJson.shown(job.spec().payload()), job.state(),
                job.counts().attempt(), job.result().map(StoredJson::shown).orElse(null),
                job.failure().map(Failure::message).orElse(null), usd,
                usages.stream().mapToLong(Run.Usage::tokens).sum(),
                usages.isEmpty() ? null : usages.getLast().session(), startedAt, job.status().endedAt());
    }

    /** Returns the start of the last attempt, which the job has while it runs and the attempts have afterwards. */
    private static @Nullable Instant startedAt(JobDetails story) {
        Instant now = story.job().status().startedAt();
        return now != null || story.attempts().isEmpty() ? now : story.attempts().getLast().startedAt();
    }
}

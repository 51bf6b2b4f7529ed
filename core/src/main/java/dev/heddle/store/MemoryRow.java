package dev.heddle.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import org.jspecify.annotations.Nullable;

/**
 * One job in a {@link MemoryStore}, with everything of its. Whatever {@link MemoryTable} sorts by (state, node,
 * times, suspect) changes only inside {@link MemoryTable#change}.
 */
final class MemoryRow {

    final long seq;
    final JobSpec spec;
    /** Null where it has no parent. */
    final @Nullable Long parentSeq;
    final List<Attempt> attempts = new ArrayList<>(1);
    final List<HistoryEntry> history = new ArrayList<>(0);

    JobState state;
    /** Not the same as a final state: a job cancelled while it ran ends only with its attempt. */
    boolean ended;
    boolean suspect;
    Care care = Care.NONE;
    int attempt;
    int failures;
    int crashes;
    Phase phase = Phase.INGEST;
    /** The worker whose session it belongs to, and for which alone it waits. */
    @Nullable String parkedFor;
    @Nullable Instant dueAt;
    @Nullable String node;
    @Nullable Instant assignedAt;
    @Nullable Instant startedAt;
    @Nullable Progress progress;
    @Nullable String reason;
    @Nullable String result;
    @Nullable Failure failure;
    @Nullable Instant endedAt;
    @Nullable String checkpoint;
    /** For whom its attempt is kept should its node end. */
    AdoptionStore.@Nullable Reservation reservation;

    private Map<String, String> steps = Map.of();

    MemoryRow(long seq, NewJob job, @Nullable Long parentSeq) {
        JobSpec asked = job.spec();
        this.seq = seq;
        this.parentSeq = parentSeq;
        this.spec = new JobSpec(asked.id(), asked.type(), asked.queue(), asked.priority(), asked.payload(),
                millis(asked.createdAt()), withOwnTags(asked.extras()));
        this.state = job.dueAt() == null ? JobState.QUEUED : JobState.SCHEDULED;
        this.dueAt = job.dueAt() == null ? null : millis(job.dueAt());
    }

    /** Every store keeps milliseconds, so that a job looks the same whichever store has it. */
    static Instant millis(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS);
    }

    private static JobSpec.Extras withOwnTags(JobSpec.Extras extras) {
        return new JobSpec.Extras(extras.maxRetries(), extras.timeout(), extras.parent(), extras.session(),
                extras.subject(), Set.copyOf(extras.tags()), extras.dedupeKey(), extras.outlivesParent());
    }

    boolean isHeldUnder(Fence fence) {
        return !ended && attempt == fence.attempt() && fence.node().equals(node);
    }

    /** Takes the job from whoever held it. */
    void release(JobState to) {
        state = to;
        dueAt = null;
        node = null;
        assignedAt = null;
        startedAt = null;
        care = Care.NONE;
        progress = null;
        reason = null;
        reservation = null;
    }

    void end(JobState to, @Nullable String why, Instant at) {
        release(to);
        reason = why;
        endedAt = millis(at);
        ended = true;
    }

    void note(JobState from, String why, String actor, Instant at) {
        history.add(new HistoryEntry(from, state, why, actor, millis(at)));
    }

    void saveStep(String name, String json) {
        if (steps.isEmpty()) {
            steps = new LinkedHashMap<>();
        }
        steps.put(name, json);
    }

    boolean hasSaved() {
        return checkpoint != null || !steps.isEmpty();
    }

    void forgetSaved() {
        checkpoint = null;
        steps = Map.of();
    }

    Saved saved() {
        return hasSaved()
                ? new Saved(checkpoint, Collections.unmodifiableMap(new LinkedHashMap<>(steps)))
                : Saved.NOTHING;
    }

    Job job() {
        boolean failureTells = state != JobState.COMPLETED && state != JobState.CANCELLED;
        return new Job(seq, spec, state, phase, new Job.Counts(attempt, failures, crashes),
                new Job.Status(dueAt, node, assignedAt, startedAt, progress, reason, result,
                        failureTells ? failure : null, endedAt));
    }

    Story story(Map<JobState, Long> children) {
        return new Story(job(), List.copyOf(attempts), List.copyOf(history), saved(), children);
    }
}

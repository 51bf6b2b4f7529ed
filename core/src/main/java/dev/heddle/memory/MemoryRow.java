package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import dev.heddle.log.LogChunk;
import dev.heddle.log.LogPosition;
import dev.heddle.query.JobFacts;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NewJob;
import dev.heddle.store.SavedState;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Suspicion;
import org.jspecify.annotations.Nullable;

/**
 * One job in a {@link MemoryStore}, with everything stored for it. Fields that {@link MemoryTable} sorts by (state,
 * node, times, suspicion) change only within {@link MemoryTable#change}.
 */
final class MemoryRow {

    final long seq;
    /** Changes only within {@link MemoryTable#change}. */
    JobSpec spec;
    /** Null if the job has no parent. */
    final @Nullable Long parentSeq;
    final List<Attempt> attempts = new ArrayList<>(1);
    final List<HistoryEntry> history = new ArrayList<>(0);

    JobState state;
    /** Not the same as a final state: a job that is cancelled while it runs ends with its attempt. */
    boolean ended;
    Suspicion suspicion = Suspicion.NONE;
    /** When the current attempt took its share of rates, in nanoseconds since 1970. */
    long ratesTakenAt;
    StartGuarantee guarantee = StartGuarantee.NONE;
    int attempt;
    int failures;
    int crashes;
    Phase phase = Phase.INGEST;
    /** The worker that the job is parked for, because it has the job's session. */
    @Nullable String parkedFor;
    @Nullable Instant dueAt;
    /** Whether the job waits for some time to pass, such as a delay, and not for a time of day. */
    boolean isDueAfterSpan;
    /** When the job was submitted or retried by hand, by the clock of the store; null if it has no session. */
    private @Nullable Instant submittedAt;
    @Nullable String node;
    @Nullable Instant assignedAt;
    @Nullable Instant startedAt;
    @Nullable Progress progress;
    @Nullable String reason;
    @Nullable String result;
    @Nullable Failure failure;
    /** Of the failure of a dead letter. */
    @Nullable String fingerprint;
    @Nullable Instant endedAt;
    @Nullable String checkpoint;
    /** The job that can be claimed once this one has ended, if it has not been dropped meanwhile. */
    @Nullable MemoryRow successor;
    /** The job with the same dedupe key that has to end before this one can be claimed. */
    @Nullable MemoryRow behind;
    /** The machine that may take the attempt over if the node ends. */
    MemoryAdoptions.@Nullable Reserved reservation;

    private Map<String, SavedStep> steps = Map.of();
    private @Nullable NavigableMap<LogPosition, LogChunk> log;

    /** The result of a step as JSON, and when it was saved. */
    private record SavedStep(String json, Instant at) {}

    MemoryRow(long seq, NewJob job, @Nullable Long parentSeq, Instant now) {
        JobSpec submitted = job.spec();
        this.seq = seq;
        this.parentSeq = parentSeq;
        this.spec = new JobSpec(submitted.id(), submitted.type(), submitted.queue(), submitted.priority(),
                submitted.payload(), millis(submitted.createdAt()), submitted.extras());
        this.state = JobState.QUEUED;
        noteSubmission(now);
        job.start().dueAt(now).ifPresent(due -> {
            state = JobState.SCHEDULED;
            dueAt = millis(due);
            isDueAfterSpan = job.start() instanceof Start.After;
        });
    }

    /** All stores keep milliseconds, so a job looks the same in every store. */
    static Instant millis(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Takes the payload and options of a submit with the same dedupe key, and starts from the beginning. */
    void take(NewJob job, Instant now) {
        boolean paused = state == JobState.PAUSED;
        @Nullable String pausedFor = reason;
        spec = spec.replacedBy(job.spec());
        release(paused ? JobState.PAUSED : JobState.QUEUED);
        reason = paused ? pausedFor : null;
        failures = 0;
        crashes = 0;
        suspicion = Suspicion.NONE;
        parkedFor = null;
        forgetSaved();
        noteSubmission(now);
        job.start().dueAt(now).ifPresent(due -> {
            state = paused ? JobState.PAUSED : JobState.SCHEDULED;
            dueAt = millis(due);
            isDueAfterSpan = job.start() instanceof Start.After;
        });
    }

    /** Returns the job that runs after this one; null if there is none. */
    @Nullable MemoryRow liveSuccessor() {
        MemoryRow next = successor;
        return next != null && !next.ended && next.behind == this ? next : null;
    }

    void noteSubmission(Instant now) {
        submittedAt = spec.session().isEmpty() ? null : millis(now);
    }

    void moveSubmission(Duration by) {
        if (submittedAt != null) {
            submittedAt = submittedAt.plus(by);
        }
    }

    ClaimResult.Claim claim(Duration elapsed, Instant now) {
        ClaimResult.Claim claim = new ClaimResult.Claim(job(), suspicion);
        return submittedAt == null ? claim
                : claim.submittedAt(elapsed.minus(Duration.between(submittedAt, millis(now))));
    }

    boolean isHeldUnder(Fence fence) {
        return !ended && attempt == fence.attempt() && fence.node().equals(node);
    }

    boolean isLimited() {
        return !spec.limits().isEmpty();
    }

    /** Takes the job from the node that holds it. */
    void release(JobState to) {
        state = to;
        dueAt = null;
        node = null;
        assignedAt = null;
        startedAt = null;
        guarantee = StartGuarantee.NONE;
        progress = null;
        reason = null;
        reservation = null;
    }

    void retryAt(Instant due) {
        release(JobState.SCHEDULED);
        dueAt = millis(due);
        isDueAfterSpan = true;
    }

    /** Has the job run again from the beginning. */
    void runAgain(Transition.Reschedule again, Instant now) {
        release(JobState.SCHEDULED);
        dueAt = millis(again.dueAt(now));
        isDueAfterSpan = !(again.start() instanceof Start.At);
        failures = 0;
        crashes = 0;
        suspicion = Suspicion.NONE;
        forgetSaved();
        checkpoint = again.checkpoint();
        if (attempts.removeIf(old -> old.number() <= attempt - Transition.Reschedule.KEPT_ATTEMPTS)) {
            log().headMap(new LogPosition(attempts.getFirst().number(), 0)).clear();
            Instant oldest = attempts.getFirst().endedAt();
            history.removeIf(entry -> entry.at().isBefore(oldest));
            failure = attempts.stream().map(Attempt::failure).filter(Objects::nonNull).reduce((_, last) -> last)
                    .orElse(null);
        }
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

    /** Returns the chunks of its log, by the positions of their last lines. */
    NavigableMap<LogPosition, LogChunk> log() {
        if (log == null) {
            log = new TreeMap<>();
        }
        return log;
    }

    /** Saves the result of a step. A step that is saved again keeps its place. */
    void saveStep(String name, String json, Instant at) {
        if (steps.isEmpty()) {
            steps = new LinkedHashMap<>();
        }
        steps.merge(name, new SavedStep(json, millis(at)), (old, now) -> new SavedStep(now.json(), old.at()));
    }

    /** Returns the names of the saved steps, in the order in which they were saved. */
    List<String> stepNames() {
        return List.copyOf(steps.keySet());
    }

    void forgetSteps(List<String> names) {
        if (!names.isEmpty()) {
            steps.keySet().removeAll(names);
        }
    }

    boolean hasSaved() {
        return checkpoint != null || !steps.isEmpty();
    }

    void forgetSaved() {
        checkpoint = null;
        steps = Map.of();
    }

    SavedState saved() {
        if (!hasSaved()) {
            return SavedState.EMPTY;
        }
        Map<String, String> results = new LinkedHashMap<>();
        steps.forEach((name, step) -> results.put(name, step.json()));
        return new SavedState(checkpoint, Collections.unmodifiableMap(results),
                steps.values().stream().map(SavedStep::at).reduce((_, last) -> last).orElse(null));
    }

    Job job() {
        boolean showsFailure = state != JobState.COMPLETED && state != JobState.CANCELLED;
        JobStatus status = new JobStatus.Columns(dueAt, node, assignedAt, startedAt, progress, reason, result, endedAt)
                .in(state);
        return new Job(seq, spec, phase, new Job.Counts(attempt, failures, crashes), status,
                showsFailure ? failure : null);
    }

    /** Returns what conditions of queries are about. */
    JobFacts facts() {
        return new JobFacts(job(), node, startedAt, attempts);
    }

    JobDetails details(Map<JobState, Long> children) {
        return new JobDetails(job(), List.copyOf(attempts), List.copyOf(history), saved(), children);
    }
}

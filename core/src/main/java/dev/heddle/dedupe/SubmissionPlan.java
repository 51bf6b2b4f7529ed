package dev.heddle.dedupe;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.KeyState.Stage;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.SubmitEffect;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * What a submission does whose jobs have dedupe modes, decided before anything is written: a store can then refuse all
 * of it.
 */
public final class SubmissionPlan {

    private final List<Planned> jobs = new ArrayList<>();
    private final Set<JobId> ids = new HashSet<>();
    private final Map<KeyName, KeyState> keys = new HashMap<>();

    private SubmissionPlan() {}

    /**
     * A dedupe key, which is unique within a type.
     *
     * @param type the name of the type
     * @param key the key
     */
    public record KeyName(String type, String key) {

        /** Returns the key of a job; null if it has none. */
        public static @Nullable KeyName of(JobSpec job) {
            String key = job.extras().dedupeKey();
            return key == null ? null : new KeyName(job.type(), key);
        }
    }

    /**
     * What happens to one job of the submission.
     *
     * @param job the job, with the start that its mode sets
     * @param decision what is done
     * @param needsLimits whether the limits that drop new jobs must have room for it
     */
    public record Planned(NewJob job, KeyDecision decision, boolean needsLimits) {

        /** Returns whether it adds a job to a queue with a capacity. */
        boolean needsRoom() {
            return decision.effect().isNew() && job.capacity() != NewJob.UNLIMITED && job.startsAtOnce();
        }
    }

    /**
     * A queue that has to have room.
     *
     * @param queue the name of the queue
     * @param jobs for how many jobs
     * @param capacity the most jobs that may wait there
     */
    public record Demand(String queue, int jobs, int capacity) {}

    /** Returns whether a job of the submission has a mode, so that the submission needs a plan. */
    public static boolean isNeeded(Submission submission) {
        return submission.jobs().stream().anyMatch(job -> !job.spec().dedupe().isDefault());
    }

    /**
     * Plans what a submission does.
     *
     * @param exists whether a job is stored
     * @param states what the store knows of a key
     * @param now the time by the clock of the store
     */
    public static SubmissionPlan of(List<NewJob> submitted, Predicate<JobId> exists, Function<KeyName, KeyState> states,
            Instant now) {
        SubmissionPlan plan = new SubmissionPlan();
        for (NewJob job : submitted) {
            plan.jobs.add(plan.planned(job, exists, states, now));
        }
        return plan;
    }

    private Planned planned(NewJob job, Predicate<JobId> exists, Function<KeyName, KeyState> states, Instant now) {
        JobId id = job.spec().id();
        KeyName key = KeyName.of(job.spec());
        if (ids.contains(id) || exists.test(id)) {
            return new Planned(job, new KeyDecision(id, SubmitEffect.UNCHANGED, job.start(), List.of(), null, null),
                    false);
        }
        if (key == null) {
            ids.add(id);
            return new Planned(job, new KeyDecision(id, SubmitEffect.CREATED, job.start(), List.of(), null, null),
                    true);
        }
        KeyState before = keys.computeIfAbsent(key, states);
        KeyDecision decision = DedupeRules.decide(job, before, now);
        keys.put(key, DedupeRules.after(decision, job, before));
        if (decision.effect().isNew()) {
            ids.add(id);
        }
        return new Planned(new NewJob(job.spec(), decision.start(), job.capacity()), decision,
                needsLimits(job, decision, before));
    }

    /** A job that takes the place of another under the same limits needs no room of its own. */
    private static boolean needsLimits(NewJob job, KeyDecision decision, KeyState before) {
        Long group = DedupeRules.limitGroup(job.spec());
        if (group == null || decision.effect() == SubmitEffect.UNCHANGED) {
            return false;
        }
        if (decision.changesJob()) {
            return !group.equals(Objects.requireNonNull(before.newest()).limitGroup());
        }
        return decision.cancelled().stream()
                .noneMatch(member -> member.stage() == Stage.UNCLAIMED && group.equals(member.limitGroup()));
    }

    /** Returns what happens to each job, in order. */
    public List<Planned> jobs() {
        return jobs;
    }

    /** Returns the ids of the jobs that are created. */
    public Set<JobId> created() {
        return ids;
    }

    /** Returns the queues with a capacity that get more QUEUED jobs, and how many. */
    public List<Demand> demands() {
        Map<String, Integer> added = new HashMap<>();
        Map<String, Integer> capacities = new HashMap<>();
        for (Planned planned : jobs) {
            if (planned.needsRoom()) {
                String queue = planned.job().spec().queue();
                added.merge(queue, 1, Integer::sum);
                capacities.merge(queue, planned.job().capacity(), Math::min);
            }
        }
        for (Planned planned : jobs) {
            for (Member member : planned.decision().cancelled()) {
                String queue = member.queue();
                if (queue != null) {
                    added.computeIfPresent(queue, (_, count) -> count - 1);
                }
            }
        }
        return added.entrySet().stream().filter(entry -> entry.getValue() > 0).map(entry -> new Demand(entry.getKey(),
                entry.getValue(), Objects.requireNonNull(capacities.get(entry.getKey())))).toList();
    }
}

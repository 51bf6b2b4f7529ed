package dev.heddle.dedupe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.KeyState.Stage;
import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.SubmitEffect;
import dev.heddle.limit.LimitIds;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;

/** Decides what a submit with a dedupe key does. */
public final class DedupeRules {

    private DedupeRules() {}

    /** The reason for which a job is cancelled that a newer one supersedes. */
    public static String supersededBy(JobId newer) {
        return "superseded by job " + newer;
    }

    /** The reason for which a job is cancelled that would wait to run again although it has a successor. */
    public static String gaveWayTo(JobId successor) {
        return "replaced by job " + successor;
    }

    /** Who cancels jobs that a submit supersedes, as their history names it. */
    public static final String ACTOR = "submit";

    /**
     * Returns what a submit does. The job has a dedupe key, and its id is not stored yet.
     *
     * @param now the time by the clock of the store
     */
    public static KeyDecision decide(NewJob job, KeyState key, Instant now) {
        KeyMemory memory = key.memory();
        if (memory != null && memory.submission().equals(job.spec().id())) {
            return unchanged(memory.job(), null);
        }
        return switch (job.spec().dedupe()) {
            case Dedupe.WhileActive _ -> whileActive(job, key);
            case Dedupe.Within(Duration time) -> within(job, key, time, now);
            case Dedupe.Replace _ -> replace(job, key, now);
            case Dedupe.Debounce debounce -> debounce(job, key, debounce, now);
            case Dedupe.Supersede _ -> supersede(job, key, now);
        };
    }

    private static KeyDecision unchanged(JobId job, @Nullable KeyMemory memory) {
        return new KeyDecision(job, SubmitEffect.UNCHANGED, new Start.AtOnce(), List.of(), null, memory);
    }

    private static KeyDecision created(NewJob job, Start start, @Nullable KeyMemory memory) {
        return new KeyDecision(job.spec().id(), SubmitEffect.CREATED, start, List.of(), null, memory);
    }

    private static KeyDecision whileActive(NewJob job, KeyState key) {
        Member newest = key.newest();
        return newest == null ? created(job, job.start(), null) : unchanged(newest.id(), null);
    }

    private static KeyDecision within(NewJob job, KeyState key, Duration time, Instant now) {
        Member newest = key.newest();
        KeyMemory memory = key.memory();
        JobId id = job.spec().id();
        Instant until = now.plus(time);
        boolean remembered = memory != null && memory.until() != null && memory.until().isAfter(now);
        if (newest == null && !remembered) {
            return created(job, job.start(), new KeyMemory(id, id, now, until));
        }
        JobId stands = newest == null ? Objects.requireNonNull(memory).job() : newest.id();
        Instant longer = remembered ? later(until, Objects.requireNonNull(memory).until()) : until;
        return unchanged(stands, new KeyMemory(id, stands, memory == null ? now : memory.since(), longer));
    }

    private static Instant later(Instant one, @Nullable Instant other) {
        return other != null && other.isAfter(one) ? other : one;
    }

    private static KeyDecision replace(NewJob job, KeyState key, Instant now) {
        Member newest = key.newest();
        return newest != null && newest.stage() == Stage.UNCLAIMED
                ? new KeyDecision(newest.id(), SubmitEffect.REPLACED, job.start(), List.of(), null,
                        remembered(job, newest.id(), key, now))
                : added(job, job.start(), key, now);
    }

    private static KeyDecision debounce(NewJob job, KeyState key, Dedupe.Debounce debounce, Instant now) {
        Member newest = key.newest();
        if (newest == null || newest.stage() != Stage.UNCLAIMED) {
            return added(job, new Start.After(debounce.delay()), key, now);
        }
        KeyMemory memory = key.memory();
        Instant since = memory != null && memory.job().equals(newest.id()) ? memory.since() : now;
        Duration left = Duration.between(now, since.plus(debounce.max()));
        Duration wait = left.compareTo(debounce.delay()) < 0 ? left : debounce.delay();
        return new KeyDecision(newest.id(), SubmitEffect.DEBOUNCED,
                wait.isPositive() ? new Start.After(wait) : new Start.AtOnce(), List.of(), null,
                new KeyMemory(job.spec().id(), newest.id(), since, until(key, now)));
    }

    /** A new job: the only one of its key, or the successor of the one that a node holds or has begun. */
    private static KeyDecision added(NewJob job, Start start, KeyState key, Instant now) {
        KeyMemory memory = remembered(job, job.spec().id(), key, now);
        Member holder = key.holder();
        return holder == null ? created(job, start, memory)
                : new KeyDecision(job.spec().id(), SubmitEffect.SUCCEEDS, start, List.of(), holder.id(), memory);
    }

    private static KeyDecision supersede(NewJob job, KeyState key, Instant now) {
        Member holder = key.holder();
        Member successor = key.successor();
        if (holder == null) {
            return created(job, job.start(), remembered(job, job.spec().id(), key, now));
        }
        boolean running = holder.stage() == Stage.HELD || holder.stage() == Stage.STOPPING;
        List<Member> cancelled = new ArrayList<>();
        if (holder.stage() != Stage.STOPPING) {
            cancelled.add(holder);
        }
        if (successor != null) {
            cancelled.add(successor);
        }
        return new KeyDecision(job.spec().id(),
                cancelled.isEmpty() ? SubmitEffect.SUCCEEDS : SubmitEffect.SUPERSEDED, job.start(), cancelled,
                running ? holder.id() : null, remembered(job, job.spec().id(), key, now));
    }

    private static KeyMemory remembered(NewJob job, JobId stands, KeyState key, Instant now) {
        KeyMemory memory = key.memory();
        // A job keeps the time from which its start was first postponed.
        Instant since = memory != null && memory.job().equals(stands) ? memory.since() : now;
        return new KeyMemory(job.spec().id(), stands, since, until(key, now));
    }

    private static @Nullable Instant until(KeyState key, Instant now) {
        KeyMemory memory = key.memory();
        Instant until = memory == null ? null : memory.until();
        return until != null && until.isAfter(now) ? until : null;
    }

    /** Returns the state of the key after a decision, for the next submit of the same transaction. */
    public static KeyState after(KeyDecision decision, NewJob job, KeyState before) {
        KeyMemory memory = decision.memory() == null ? before.memory() : decision.memory();
        if (decision.effect() == SubmitEffect.UNCHANGED) {
            return new KeyState(before.holder(), before.successor(), memory);
        }
        Member stands = member(decision, job);
        Member holder = before.holder();
        if (decision.behind() != null) {
            Member running = Objects.requireNonNull(holder);
            boolean stops = decision.cancelled().contains(running);
            return new KeyState(
                    stops ? new Member(running.id(), Stage.STOPPING, null, running.limitGroup()) : running, stands,
                    memory);
        }
        return decision.changesJob() && before.successor() != null ? new KeyState(holder, stands, memory)
                : new KeyState(stands, null, memory);
    }

    private static Member member(KeyDecision decision, NewJob job) {
        JobSpec spec = job.spec();
        return new Member(decision.job(), Stage.UNCLAIMED,
                decision.start() instanceof Start.AtOnce ? spec.queue() : null,
                limitGroup(spec));
    }

    /** Returns the group of jobs with the same limits; null if the job has none. */
    public static @Nullable Long limitGroup(JobSpec spec) {
        return spec.limits().isEmpty() ? null : LimitIds.group(spec);
    }
}

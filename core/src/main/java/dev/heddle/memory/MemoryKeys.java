package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.dedupe.DedupeRules;
import dev.heddle.dedupe.KeyState;
import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.KeyState.Stage;
import dev.heddle.dedupe.SubmissionPlan.KeyName;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import org.jspecify.annotations.Nullable;

/** What a {@link MemoryStore} remembers of dedupe keys, and which jobs have them. */
final class MemoryKeys {

    private final Map<KeyName, MemoryRow> holders = new HashMap<>();
    private final Map<KeyName, KeyMemory> memories = new HashMap<>();
    /** Keys that are remembered although their job is deleted. */
    private final Set<KeyName> jobless = new HashSet<>();

    /** Adds a job that has not ended. A job that waits for the end of another has no key yet. */
    void add(MemoryRow row) {
        KeyName key = KeyName.of(row.spec);
        if (key != null && row.behind == null) {
            holders.put(key, row);
        }
    }

    void remove(MemoryRow row) {
        KeyName key = KeyName.of(row.spec);
        if (key != null) {
            holders.remove(key, row);
        }
    }

    @Nullable MemoryRow holder(KeyName key) {
        return holders.get(key);
    }

    KeyState state(KeyName key) {
        MemoryRow holder = holders.get(key);
        MemoryRow successor = holder == null ? null : holder.liveSuccessor();
        return new KeyState(holder == null ? null : member(holder), successor == null ? null : member(successor),
                memories.get(key));
    }

    private static Member member(MemoryRow row) {
        return new Member(row.spec.id(), stage(row), row.state == JobState.QUEUED ? row.spec.queue() : null,
                DedupeRules.limitGroup(row.spec));
    }

    private static Stage stage(MemoryRow row) {
        return switch (row.state) {
            case ASSIGNED, RUNNING -> Stage.HELD;
            case CANCELLED, COMPLETED, FAILED -> Stage.STOPPING;
            case WAITING -> Stage.BEGUN;
            case QUEUED, SCHEDULED, PAUSED -> row.phase == Phase.INGEST ? Stage.UNCLAIMED : Stage.BEGUN;
        };
    }

    void remember(KeyName key, KeyMemory memory) {
        memories.put(key, memory);
        jobless.remove(key);
    }

    /** Called if a person deletes a job: its key is free. */
    void forget(MemoryRow row) {
        KeyName key = KeyName.of(row.spec);
        if (key != null && isOf(key, row.spec.id())) {
            memories.remove(key);
        }
    }

    /** Called if retention deletes a job: its key stays in use for as long as it is remembered. */
    void pruned(MemoryRow row, Instant now) {
        KeyName key = KeyName.of(row.spec);
        if (key != null && isOf(key, row.spec.id())) {
            Instant until = Objects.requireNonNull(memories.get(key)).until();
            if (until == null || !until.isAfter(now)) {
                memories.remove(key);
            } else {
                jobless.add(key);
            }
        }
    }

    private boolean isOf(KeyName key, JobId job) {
        KeyMemory memory = memories.get(key);
        return memory != null && memory.job().equals(job);
    }

    /** Forgets keys without a job whose time is over. */
    void sweep(Instant now) {
        jobless.removeIf(key -> {
            KeyMemory memory = memories.get(key);
            Instant until = memory == null ? null : memory.until();
            boolean over = until == null || !until.isAfter(now);
            if (over) {
                memories.remove(key);
            }
            return over;
        });
    }

    void moveTimes(Duration by) {
        memories.replaceAll((_, memory) -> memory.moved(by));
    }
}

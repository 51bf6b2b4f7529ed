package dev.heddle.worker;

import java.time.Instant;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one moment.
 *
 * @param job what it runs, while BUSY
 * @param since when it came into its state
 * @param jobs how many it has ended
 */
public record WorkerSnapshot(String id, String group, WorkerState state, Health health, @Nullable JobId job,
        Instant since, long jobs) {}

package dev.heddle.control;

import java.util.List;
import java.util.Map;

import dev.heddle.job.JobState;
import dev.heddle.pool.PoolStats;
import org.jspecify.annotations.Nullable;

/**
 * How it goes.
 *
 * @param jobs how many jobs have not ended, by state; a state with none is left out
 * @param dead how many dead letters there are
 * @param nodeId the node that answered; null where none runs here
 * @param node what that node has done since it opened
 * @param types the job types that node runs
 */
public record Stats(Map<JobState, Long> jobs, long dead, List<String> pausedQueues, @Nullable String nodeId,
        @Nullable PoolStats node, List<String> types) {}

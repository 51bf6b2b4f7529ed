package dev.heddle.control.model;

import java.util.List;
import java.util.Map;

import dev.heddle.job.JobState;
import dev.heddle.pool.PoolStats;
import org.jspecify.annotations.Nullable;

/**
 * Job counts and the statistics of a node.
 *
 * @param jobs the number of jobs that have not ended, by state; states without jobs are left out
 * @param dead the number of dead letters
 * @param pausedQueues the names of paused queues, sorted
 * @param nodeId the node that answered; null if no node runs there
 * @param node what that node has done since it opened
 * @param types the job types that node runs
 * @param byType the jobs of each type and queue, by type
 */
public record Stats(Map<JobState, Long> jobs, long dead, List<String> pausedQueues, @Nullable String nodeId,
        @Nullable PoolStats node, List<String> types,
        List<StatsLine> byType) {}

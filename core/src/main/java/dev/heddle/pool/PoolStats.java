package dev.heddle.pool;

import java.util.Map;

/**
 * What this pool has done since it opened, and what it has now. Immutable.
 *
 * <p>Ends are counted right after their commit. A job that another thread has just found ended may not be counted yet;
 * {@link Pool#awaitIdle} waits until all are.
 *
 * @param workers how many workers there are
 * @param active how many of them run a job
 * @param queued how many jobs are QUEUED in the store
 * @param completed how many jobs completed
 * @param failed how many attempts failed
 * @param dead how many jobs failed for good
 * @param averageMillis the mean execution time of the last 100 attempts, in milliseconds
 * @param submitted how many jobs were submitted to this pool
 * @param queueHighWater the largest number of QUEUED jobs that this pool has seen
 * @param types the statistics by the name of a job type
 * @param held why jobs may not start now, by job type or {@code tag:NAME}; empty if all may
 */
public record PoolStats(int workers, int active, long queued, long completed, long failed, long dead,
        double averageMillis, long submitted, long queueHighWater, Map<String, TypeStats> types,
        Map<String, String> held) {

    /**
     * The statistics of one job type.
     *
     * @param count how many attempts ended
     * @param averageMillis their mean execution time, in milliseconds
     */
    public record TypeStats(long count, double averageMillis) {}
}

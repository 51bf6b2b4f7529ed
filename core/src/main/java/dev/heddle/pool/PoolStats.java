package dev.heddle.pool;

import java.util.Map;

/**
 * What a pool has done since it opened and holds now.
 *
 * @param workers how many there are
 * @param active how many of them run a job
 * @param queued QUEUED jobs in the store
 * @param completed jobs that ended well
 * @param failed attempts that failed
 * @param dead jobs that failed for good
 * @param averageMillis mean execution time of the last 100 attempts
 * @param submitted jobs this pool took
 * @param queueHighWater the most QUEUED jobs this pool has seen
 * @param types count and mean time by job type
 * @param held why jobs may not start now, by job type or {@code tag:NAME}; empty where all may
 */
public record PoolStats(int workers, int active, long queued, long completed, long failed, long dead,
        double averageMillis, long submitted, long queueHighWater, Map<String, TypeStats> types,
        Map<String, String> held) {

    /** Attempts of one type that ended, and their mean execution time. */
    public record TypeStats(long count, double averageMillis) {}
}

package dev.heddle.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;

/** Who waits for the end of which job. Costs nothing for jobs nobody waits for. */
final class Waiters {

    private final Map<JobId, CompletableFuture<Job>> waiting = new ConcurrentHashMap<>();

    CompletableFuture<Job> join(JobId id) {
        return waiting.computeIfAbsent(id, _ -> new CompletableFuture<>());
    }

    /** Those whose end somebody waits for; a copy. */
    List<JobId> awaited() {
        return new ArrayList<>(waiting.keySet());
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void ended(Job job) {
        if (!waiting.isEmpty()) {
            CompletableFuture<Job> future = waiting.remove(job.id());
            if (future != null) {
                future.complete(job);
            }
        }
    }

    /** There is nothing to wait for. A job with this id may still come, so nobody must find this future then. */
    void leave(JobId id, RuntimeException why) {
        CompletableFuture<Job> future = waiting.remove(id);
        if (future != null) {
            future.completeExceptionally(why);
        }
    }

    void close() {
        waiting.values().forEach(future -> future.completeExceptionally(
                new PoolClosedException("its jobs can no longer be waited for here")));
        waiting.clear();
    }
}

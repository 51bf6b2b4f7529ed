package dev.heddle.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the end of which job. Costs nothing for jobs nobody waits for. Ends are told after their commits, and a
 * failed job may be retried in between: whoever waits for it from then on must not be told of the failure.
 */
final class Waiters {

    private final Map<JobId, Waiting> waiting = new ConcurrentHashMap<>();

    /** @param over the last attempt that is known to be over while the job is not */
    private record Waiting(CompletableFuture<Job> future, int over) {}

    CompletableFuture<Job> join(JobId id) {
        return waiting.computeIfAbsent(id, _ -> new Waiting(new CompletableFuture<>(), 0)).future;
    }

    /**
     * From here on the future is not completed by a failure that was taken back before the job was seen like this.
     *
     * @return false where it was completed by one before; then join anew
     */
    @SuppressWarnings("ReferenceEquality") // futures have no other
    boolean expect(Job seen, CompletableFuture<Job> future) {
        int over = seen.state().isHeld() ? seen.counts().attempt() - 1 : seen.counts().attempt();
        Waiting kept = waiting.computeIfPresent(seen.id(),
                (_, known) -> new Waiting(known.future, Math.max(known.over, over)));
        if (kept != null && kept.future == future) {
            return true;
        }
        // Somebody is telling it right now, or has.
        return future.handle((job, closed) -> closed != null || !isStale(job, over)).join();
    }

    /** Of all ends, only failures are taken back. */
    private static boolean isStale(Job ended, int over) {
        return ended.state() == JobState.FAILED && ended.counts().attempt() <= over;
    }

    /** Those whose end somebody waits for; a copy. */
    List<JobId> awaited() {
        return new ArrayList<>(waiting.keySet());
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void ended(Job job) {
        Waiting known = waiting.get(job.id());
        while (known != null && !isStale(job, known.over)) {
            if (waiting.remove(job.id(), known)) {
                known.future.complete(job);
                return;
            }
            known = waiting.get(job.id());
        }
    }

    /** There is nothing to wait for. A job with this id may still come, so nobody must find this future then. */
    void leave(JobId id, RuntimeException why) {
        @Nullable Waiting known = waiting.remove(id);
        if (known != null) {
            known.future.completeExceptionally(why);
        }
    }

    void close() {
        waiting.values().forEach(known -> known.future.completeExceptionally(
                new PoolClosedException("its jobs can no longer be waited for here")));
        waiting.clear();
    }
}

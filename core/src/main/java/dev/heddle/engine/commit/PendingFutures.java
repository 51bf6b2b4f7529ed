package dev.heddle.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.PoolClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The futures of callers that wait for jobs to end. Costs nothing for jobs that nobody waits for.
 *
 * <p>Ends are reported after their commits, and a failed job may be retried in between. A caller that begins to wait
 * after the retry must not receive the old failure.
 */
public final class PendingFutures {

    private final Map<JobId, Waiter> waiting = new ConcurrentHashMap<>();

    /**
     * @param lastEnded the last attempt that is known to have ended while the job has not
     */
    private record Waiter(CompletableFuture<Job> future, int lastEnded) {}

    /** Returns the future of a job, shared by all callers that wait for it. */
    CompletableFuture<Job> register(JobId id) {
        return waiting.computeIfAbsent(id, _ -> new Waiter(new CompletableFuture<>(), 0)).future;
    }

    /**
     * Ignores failures from now on that were retried before the job was seen like this.
     *
     * @return false if the future was completed by such a failure already; then register again
     */
    @SuppressWarnings("ReferenceEquality") // futures have no other
    boolean expect(Job seen, CompletableFuture<Job> future) {
        int lastEnded = seen.state().isHeld() ? seen.counts().attempt() - 1 : seen.counts().attempt();
        Waiter kept = waiting.computeIfPresent(seen.id(),
                (_, known) -> new Waiter(known.future, Math.max(known.lastEnded, lastEnded)));
        if (kept != null && kept.future == future) {
            return true;
        }
        // Another thread is completing the future right now, or has.
        return future.handle((job, closed) -> closed != null || !isStale(job, lastEnded)).join();
    }

    /** Only failures can be retried, so only they can be stale. */
    private static boolean isStale(Job ended, int lastEnded) {
        return ended.state() == JobState.FAILED && ended.counts().attempt() <= lastEnded;
    }

    /** Returns a copy of the ids that callers wait for. */
    List<JobId> awaited() {
        return new ArrayList<>(waiting.keySet());
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Completes the future of a job that has ended. */
    public void complete(Job job) {
        Waiter known = waiting.get(job.id());
        while (known != null && !isStale(job, known.lastEnded)) {
            if (waiting.remove(job.id(), known)) {
                known.future.complete(job);
                return;
            }
            known = waiting.get(job.id());
        }
    }

    /**
     * Fails the future of a job that does not exist. The future is forgotten, because a job with this id may be
     * submitted later.
     */
    public void fail(JobId id, RuntimeException cause) {
        @Nullable Waiter known = waiting.remove(id);
        if (known != null) {
            known.future.completeExceptionally(cause);
        }
    }

    /** Fails all futures, because the pool closes. */
    public void close() {
        waiting.values().forEach(known -> known.future
                .completeExceptionally(new PoolClosedException("its jobs can no longer be waited for here")));
        waiting.clear();
    }
}

package dev.heddle.engine.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import dev.heddle.env.Environment;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Turns single calls into batches, without a fixed delay.
 *
 * <p>A call that arrives while no commit is under way becomes the <em>leader</em>: it commits at once, alone, on its
 * own thread. Calls that arrive meanwhile wait, and the next leader commits all of them together. So a lone caller
 * pays no handover to another thread, and many callers share one fsync.
 *
 * <p>Callers that were just committed together tend to come back together. The first of them would become the leader
 * of a batch of one and keep the others waiting for a whole commit. To avoid that, a leader waits for the callers of
 * the last batch to return, for at most a quarter of the time that the last commit took, and 5 ms.
 *
 * <p>Only platform threads lead. A virtual thread would pin its carrier inside the SQLite driver, and an interrupted
 * thread would close the socket of a network driver while others depend on it. A virtual thread asks the helper
 * executor to lead instead.
 */
final class GroupCommit<T, R> {

    private static final int MAX_BATCH = 1_000;
    /** In nanoseconds. Waiting keeps a core busy, which must not take long if the store is very slow. */
    private static final long LONGEST_GATHERING = 5_000_000;

    private final Function<List<T>, List<R>> commit;
    private final Executor helper;
    private final Environment env;
    private final ConcurrentLinkedQueue<Entry<T, R>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();
    /** Size and duration of the last commit. Only the leader reads and writes them. */
    private int lastBatchSize;
    private long lastCommitNanos;

    GroupCommit(Function<List<T>, List<R>> commit, Executor helper, Environment env) {
        this.commit = commit;
        this.helper = helper;
        this.env = env;
    }

    private static final class Entry<T, R> {
        final T item;
        final Thread caller = Thread.currentThread();
        private @Nullable R result;
        private @Nullable Throwable failure;
        private volatile boolean done;

        Entry(T item) {
            this.item = item;
        }

        void succeed(R value) {
            result = value;
            finish();
        }

        void fail(Throwable cause) {
            failure = cause;
            finish();
        }

        private void finish() {
            done = true;
            if (!caller.equals(Thread.currentThread())) {
                // A leader that unparked itself would keep the permit and not wait at its next park.
                LockSupport.unpark(caller);
            }
        }

        @SuppressWarnings("NullAway") // set before done, unless there is a failure
        R outcome() {
            if (failure != null) {
                failure.addSuppressed(new CommitFailedHere());
                switch (failure) {
                    case Error e -> throw e;
                    case RuntimeException e -> throw e;
                    default -> throw new IllegalStateException(failure);
                }
            }
            return result;
        }
    }

    /** Shows the caller's stack in a failure that was thrown on the leader's thread. */
    private static final class CommitFailedHere extends Exception {
        CommitFailedHere() {
            super("submitted here");
        }
    }

    /**
     * Commits an item together with those of other callers. Returns once it is durable.
     *
     * @throws RuntimeException if its commit failed; an item that the store refuses for its content fails alone
     */
    R commit(T item) {
        Entry<T, R> entry = new Entry<>(item);
        waiting.add(entry);
        boolean interrupted = false;
        while (!entry.done) {
            if (!led.get()) {
                if (entry.caller.isVirtual()) {
                    askForLeader(entry);
                    if (!entry.done) {
                        LockSupport.park(this);
                    }
                } else {
                    lead();
                }
            } else {
                LockSupport.park(this);
            }
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return entry.outcome();
    }

    /** Asks the helper to lead. It refuses once the pool has closed; then nobody will commit the entry any more. */
    private void askForLeader(Entry<T, R> entry) {
        try {
            helper.execute(this::lead);
        } catch (RejectedExecutionException e) {
            if (waiting.remove(entry)) {
                throw new PoolClosedException("the job was not submitted");
            }
        }
    }

    /** Commits one batch, then wakes the next leader. */
    private void lead() {
        if (!led.compareAndSet(false, true)) {
            return;
        }
        try {
            gather();
            List<Entry<T, R>> batch = take();
            if (!batch.isEmpty()) {
                long startedAt = env.nanoTime();
                flush(batch);
                lastCommitNanos = env.nanoTime() - startedAt;
                lastBatchSize = batch.size();
            }
        } finally {
            led.set(false);
        }
        Entry<T, R> next = waiting.peek();
        if (next != null) {
            LockSupport.unpark(next.caller);
        }
    }

    /** Waits for the callers of the last batch, for at most a quarter of the time that its commit took, and 5 ms. */
    private void gather() {
        long deadline = env.nanoTime() + Math.min(lastCommitNanos / 4, LONGEST_GATHERING);
        while (lastBatchSize > 1 && waiting.size() < lastBatchSize && env.nanoTime() < deadline) {
            env.yieldThread();
        }
    }

    private List<Entry<T, R>> take() {
        List<Entry<T, R>> batch = new ArrayList<>();
        for (Entry<T, R> entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            batch.add(entry);
            if (batch.size() == MAX_BATCH) {
                break;
            }
        }
        return batch;
    }

    @SuppressWarnings("CatchingThrowable") // every caller must get an answer, also after an Error
    private void flush(List<Entry<T, R>> batch) {
        try {
            List<R> results = commit.apply(batch.stream().map(entry -> entry.item).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).succeed(results.get(i));
            }
        } catch (Throwable e) {
            boolean mayBeOneItem = !(e instanceof StoreException failed) || failed.kind() == Kind.REJECTED
                    || failed.kind() == Kind.OTHER;
            if (batch.size() == 1 || !mayBeOneItem) {
                batch.forEach(entry -> entry.fail(e));
            } else {
                // One bad item must not fail the others. The half without it is committed together.
                int half = batch.size() / 2;
                flush(batch.subList(0, half));
                flush(batch.subList(half, batch.size()));
            }
        }
    }
}

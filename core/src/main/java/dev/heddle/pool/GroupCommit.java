package dev.heddle.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Turns single calls into batches without a timer. Whoever comes while nobody commits becomes the leader and
 * commits at once, alone; whoever comes meanwhile waits, and the next leader takes all of them along. So a lone
 * caller pays no hand-over to another thread, and many callers share one fsync. Callers that were just served together
 * tend to come back together: the first of them would commit alone and keep the others waiting, so it gives them a
 * moment.
 *
 * <p>Only platform threads lead. A virtual thread would pin its carrier in the SQLite driver, and an interrupt
 * would close the socket of a network driver under everybody's feet; it has the helper lead for it.
 */
final class GroupCommit<T, R> {

    private static final int MAX_BATCH = 1_000;

    private final Function<List<T>, List<R>> commit;
    private final Executor helper;
    private final ConcurrentLinkedQueue<Entry<T, R>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();
    /** Of the last commit; only the leader reads and writes them. */
    private int served;
    private long tookNanos;

    GroupCommit(Function<List<T>, List<R>> commit, Executor helper) {
        this.commit = commit;
        this.helper = helper;
    }

    private static final class Entry<T, R> {
        final T item;
        final Thread caller = Thread.currentThread();
        private @Nullable R result;
        private @Nullable RuntimeException failure;
        private volatile boolean done;

        Entry(T item) {
            this.item = item;
        }

        void succeed(R value) {
            result = value;
            finish();
        }

        void fail(RuntimeException cause) {
            failure = cause;
            finish();
        }

        private void finish() {
            done = true;
            if (!caller.equals(Thread.currentThread())) {
                // A leader that unparked itself would leave with a permit and not wait at its next park.
                LockSupport.unpark(caller);
            }
        }

        @SuppressWarnings("NullAway") // set before done, unless there is a failure
        R outcome() {
            if (failure != null) {
                failure.addSuppressed(new CommitFailedHere());
                throw failure;
            }
            return result;
        }
    }

    /** Shows the caller's own stack in a failure that the leader's thread saw. */
    private static final class CommitFailedHere extends Exception {
        CommitFailedHere() {
            super("submitted here");
        }
    }

    /** Returns once the item is committed, or throws what its batch met. */
    R commit(T item) {
        Entry<T, R> entry = new Entry<>(item);
        waiting.add(entry);
        boolean interrupted = false;
        while (!entry.done) {
            if (!led.get()) {
                if (entry.caller.isVirtual()) {
                    helper.execute(this::lead);
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

    /** Commits one batch, then leaves the lead to the next in line. */
    private void lead() {
        if (!led.compareAndSet(false, true)) {
            return;
        }
        try {
            gather();
            List<Entry<T, R>> batch = take();
            if (!batch.isEmpty()) {
                long from = System.nanoTime();
                flush(batch);
                tookNanos = System.nanoTime() - from;
                served = batch.size();
            }
        } finally {
            led.set(false);
        }
        Entry<T, R> next = waiting.peek();
        if (next != null) {
            LockSupport.unpark(next.caller);
        }
    }

    /** Lets those come who were served with the last commit, for at most a quarter of what that took. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; the deadline decides
    private void gather() {
        long deadline = System.nanoTime() + tookNanos / 4;
        while (served > 1 && waiting.size() < served && System.nanoTime() < deadline) {
            Thread.yield();
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

    private void flush(List<Entry<T, R>> batch) {
        try {
            List<R> results = commit.apply(batch.stream().map(entry -> entry.item).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).succeed(results.get(i));
            }
        } catch (RuntimeException e) {
            boolean oneIsBad = !(e instanceof StoreException trouble) || trouble.kind() == Kind.REJECTED
                    || trouble.kind() == Kind.OTHER;
            if (batch.size() == 1 || !oneIsBad) {
                batch.forEach(entry -> entry.fail(e));
            } else {
                // One bad item must not fail its neighbours.
                batch.forEach(entry -> flush(List.of(entry)));
            }
        }
    }
}

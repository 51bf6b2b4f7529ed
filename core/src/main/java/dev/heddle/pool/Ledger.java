package dev.heddle.pool;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.heddle.job.JobCancelledException;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what attempts do, many in one commit: whatever has come up while the last commit was under way goes
 * into the next. A store that fails is tried again until it heals; what waits here is bounded by what the node
 * has in flight, since nothing is claimed meanwhile.
 */
final class Ledger implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final int MAX_BATCH = 1_000;
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private final Store store;
    private final ConcurrentLinkedQueue<Entry> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unsettledEnds = new AtomicInteger();
    private final Runnable onSettled;
    private final Signal signal;
    private volatile boolean closing;
    private volatile boolean givingUp;
    private volatile boolean closed;

    private record Entry(Change change, Consumer<Verdict> after) {}

    /** The callback hears after every commit, when all that follows it is done. */
    Ledger(Store store, InstantSource clock, Runnable onSettled) {
        this.store = store;
        this.onSettled = onSettled;
        this.signal = new Signal(clock);
    }

    /** Writes with the next commit; the callback gets the verdict on the ledger's thread. */
    void post(Change change, Consumer<Verdict> after) {
        if (isEnd(change)) {
            unsettledEnds.incrementAndGet();
        }
        waiting.add(new Entry(change, after));
        signal.raise();
        if (closed) {
            refuseTheRest();
        }
    }

    /** Nobody must wait for what nobody writes any more. */
    private void refuseTheRest() {
        for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            settle(entry, Verdict.LOST);
        }
    }

    /** Writes and returns once it is durable. An interrupt ends the wait, not the write. */
    Verdict write(Change change) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        post(change, verdict::complete);
        try {
            return verdict.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("interrupted while saving");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same for an outcome, which must be known whatever happens to the thread. */
    Verdict writeUninterruptibly(Change change) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        post(change, verdict::complete);
        return verdict.join();
    }

    private static boolean isEnd(Change change) {
        return change instanceof Change.Ended || change instanceof Change.Ingested;
    }

    /** Attempts that ended and whose commit, or what follows it, is still to come. */
    int unsettledEnds() {
        return unsettledEnds.get();
    }

    @Override
    public void run() {
        while (true) {
            List<Entry> batch = take();
            if (!batch.isEmpty()) {
                flush(batch);
            } else if (closing) {
                closed = true;
                refuseTheRest();
                return;
            } else {
                signal.await(null);
            }
        }
    }

    private List<Entry> take() {
        List<Entry> batch = new ArrayList<>();
        for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            batch.add(entry);
            if (batch.size() == MAX_BATCH) {
                break;
            }
        }
        return batch;
    }

    private void flush(List<Entry> batch) {
        List<Entry> folded = fold(batch);
        List<Verdict> verdicts = apply(folded);
        for (int i = 0; i < folded.size(); i++) {
            settle(folded.get(i), verdicts.get(i));
        }
        onSettled.run();
    }

    /** A start or progress whose end is in the same commit need not be written. */
    private static List<Entry> fold(List<Entry> batch) {
        Set<Fence> ended = new HashSet<>();
        for (Entry entry : batch) {
            if (isEnd(entry.change())) {
                ended.add(entry.change().fence());
            }
        }
        if (ended.isEmpty()) {
            return batch;
        }
        return batch.stream().filter(entry -> switch (entry.change()) {
            case Change.Started start -> start.care().commitsFirst() || !ended.contains(start.fence());
            case Change.Progressed progressed -> !ended.contains(progressed.fence());
            case Change.Checkpointed _,Change.StepDone _,Change.HandedBack _,Change.Ended _,Change.Ingested _ ->
                true;
        }).toList();
    }

    private List<Verdict> apply(List<Entry> entries) {
        int failures = 0;
        while (true) {
            try {
                List<Verdict> verdicts = store.apply(entries.stream().map(Entry::change).toList());
                if (failures > 0) {
                    LOG.info("The store is back; {} changes written", entries.size());
                }
                return verdicts;
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.REJECTED || givingUp) {
                    return oneByOne(entries, e);
                }
                pause(++failures, entries.size(), e);
            } catch (RuntimeException e) {
                // A value that no store can hold, say; this thread must outlive it.
                return oneByOne(entries, e);
            }
        }
    }

    /** One change that can't be stored must not hold up the others. */
    private List<Verdict> oneByOne(List<Entry> entries, RuntimeException cause) {
        if (entries.size() == 1) {
            Change change = entries.getFirst().change();
            LOG.error("Could not write {}; the job will run again", change.getClass().getSimpleName(), cause);
            return List.of(Verdict.LOST);
        }
        List<Verdict> verdicts = new ArrayList<>();
        entries.forEach(entry -> verdicts.addAll(apply(List.of(entry))));
        return verdicts;
    }

    private void pause(int failures, int changes, StoreException cause) {
        if (failures == 1 || failures % 20 == 0) {
            LOG.warn("Cannot write {} changes, trying again until it works: {}", changes, cause.getMessage());
        }
        long millis = Math.min(50L << Math.min(failures, 10), MAX_PAUSE.toMillis());
        for (long waited = 0; waited < millis && !givingUp; waited += 50) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    private void settle(Entry entry, Verdict verdict) {
        try {
            entry.after().accept(verdict);
        } catch (RuntimeException e) {
            LOG.error("Follow-up of a committed change failed", e);
        }
        if (isEnd(entry.change())) {
            unsettledEnds.decrementAndGet();
        }
    }

    /** Ends the ledger's thread once all is written. */
    void close() {
        closing = true;
        signal.raise();
    }

    /** Stops trying to reach a store that fails; what is left runs again after the next opening. */
    void giveUp() {
        givingUp = true;
    }
}

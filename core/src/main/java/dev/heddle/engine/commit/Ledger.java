package dev.heddle.engine.commit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.UserCode;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.job.DurationText;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the changes of all attempts, many in one commit: changes that arrive during a commit go into the next one. A
 * failing store is retried until it recovers. The queue stays bounded, because this node claims nothing meanwhile.
 *
 * <p>A store may also refuse a change for what it contains, and would refuse it again. Then the batch is written in
 * halves, and those in halves again, until the refused change is alone. Its poster learns of the refusal; all others
 * are written as if it had not been there.
 */
public final class Ledger implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final int MAX_BATCH = 1_000;
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
    /** A write that takes longer than this is a problem, even if the store does not report one. */
    private static final Duration SLOW = Duration.ofSeconds(10);

    private final Store store;
    private final ConcurrentLinkedQueue<Entry> waiting = new ConcurrentLinkedQueue<>();
    /** Taken from the queue and not yet settled. If this service fails and is restarted, it goes on from here. */
    private final Queue<Entry> inHand = new ArrayDeque<>();
    private final AtomicInteger unsettledEnds = new AtomicInteger();
    private final Environment env;
    private final Runnable onSettled;
    private final Wakeup wakeup;
    private volatile @Nullable Long writingSince;
    private volatile boolean failing;
    private volatile boolean closing;
    private volatile boolean retriesStopped;
    private volatile boolean closed;

    private record Entry(Change change, Consumer<Verdict> after, Consumer<StoreException> onRefused) {}

    /**
     * Creates a ledger.
     *
     * @param onSettled runs after every commit, when all its callbacks have run
     */
    public Ledger(Store store, Environment env, Runnable onSettled) {
        this.store = store;
        this.env = env;
        this.onSettled = onSettled;
        this.wakeup = new Wakeup(env);
    }

    /**
     * Writes the change with the next commit. The callback receives the verdict on the ledger's thread, or on the
     * caller's if the ledger is closed. It is not called for a start whose end goes into the same commit. If the store
     * refuses the change, that is logged, and the verdict is {@link Verdict#LOST}.
     */
    public void post(Change change, Consumer<Verdict> after) {
        post(change, after, refusal -> {
            LOG.error("The store refused a change of kind {}; it is dropped", change.getClass().getSimpleName(),
                    refusal);
            after.accept(Verdict.LOST);
        });
    }

    /**
     * Does the same, with another callback for a change that the store refuses for its content. Either of them is
     * called, and neither may wait for anything.
     */
    public void post(Change change, Consumer<Verdict> after, Consumer<StoreException> onRefused) {
        if (isEnd(change)) {
            unsettledEnds.incrementAndGet();
        }
        waiting.add(new Entry(change, after, onRefused));
        wakeup.raise();
        if (closed) {
            rejectRemaining();
        }
    }

    /** Answers changes that nobody will write any more, so no caller waits for them. */
    private void rejectRemaining() {
        for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            settle(entry, Verdict.LOST);
        }
    }

    /**
     * Writes the change and returns once it is durable. An interrupt ends the wait, not the write.
     *
     * @throws StoreException if the store refuses the change for its content
     */
    public Verdict write(Change change) throws InterruptedException {
        try {
            return posted(change).get();
        } catch (ExecutionException e) {
            throw refusal(e);
        }
    }

    /**
     * Writes the change and returns once it is durable, even if the thread is interrupted.
     *
     * @throws StoreException if the store refuses the change for its content
     */
    public Verdict writeUninterruptibly(Change change) {
        try {
            return posted(change).join();
        } catch (CompletionException e) {
            throw refusal(e);
        }
    }

    private CompletableFuture<Verdict> posted(Change change) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        post(change, verdict::complete, verdict::completeExceptionally);
        return verdict;
    }

    private static RuntimeException refusal(Exception e) {
        return e.getCause() instanceof StoreException refusal
                ? new StoreException(refusal.kind(), String.valueOf(refusal.getMessage()), refusal)
                : new IllegalStateException(e);
    }

    private static boolean isEnd(Change change) {
        return change instanceof Change.Ended || change instanceof Change.Ingested;
    }

    /** Returns how many attempts have ended whose commit, or its callback, is still to come. */
    public int unsettledEnds() {
        return unsettledEnds.get();
    }

    @Override
    public String name() {
        return "ledger";
    }

    @Override
    public void run() {
        while (true) {
            if (inHand.isEmpty()) {
                inHand.addAll(fold(take()));
            }
            if (!inHand.isEmpty()) {
                flush();
            } else if (closing) {
                closed = true;
                rejectRemaining();
                return;
            } else {
                wakeup.await();
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

    private void flush() {
        writingSince = env.nanoTime();
        try {
            apply(List.copyOf(inHand));
        } finally {
            failing = false;
            writingSince = null;
        }
        onSettled.run();
    }

    /** Drops a start or progress whose end is in the same batch. */
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
            case Change.Started start -> start.guarantee().commitsFirst() || !ended.contains(start.fence());
            case Change.Progressed progressed -> !ended.contains(progressed.fence());
            case Change.Cleared _, Change.Checkpointed _, Change.StepDone _, Change.Released _, Change.Ended _, Change.Ingested _ ->
                true;
        }).toList();
    }

    /** Returns why results cannot be written now; empty if they can. */
    public Optional<String> problem() {
        Long since = writingSince;
        Duration waited = since == null ? Duration.ZERO : Duration.ofNanos(env.nanoTime() - since);
        return failing || waited.compareTo(SLOW) > 0
                ? Optional.of("results have been waiting to be written for "
                        + DurationText.of(waited.truncatedTo(ChronoUnit.SECONDS)))
                : Optional.empty();
    }

    /** Writes and settles the entries, which are the next ones in hand. */
    private void apply(List<Entry> entries) {
        int failures = 0;
        while (true) {
            try {
                List<Verdict> verdicts = store.apply(entries.stream().map(Entry::change).toList());
                if (failures > 0) {
                    failing = false;
                    LOG.info("The store has recovered; {} changes written", entries.size());
                }
                verdicts.forEach(verdict -> settle(inHand.remove(), verdict));
                return;
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.REJECTED || retriesStopped) {
                    applyApart(entries, e);
                    return;
                }
                failing = true;
                pause(++failures, entries.size(), e);
            } catch (RuntimeException e) {
                // A value that the store's own code cannot handle. This thread must survive it.
                applyApart(entries, new StoreException(StoreException.Kind.REJECTED, e.toString(), e));
                return;
            }
        }
    }

    /** Writes the halves of a batch one after the other: the change that cannot be written is in one of them. */
    private void applyApart(List<Entry> entries, StoreException cause) {
        if (entries.size() > 1) {
            int half = entries.size() / 2;
            apply(entries.subList(0, half));
            apply(entries.subList(half, entries.size()));
        } else if (cause.kind() == StoreException.Kind.REJECTED) {
            refuse(inHand.remove(), cause);
        } else {
            LOG.error("Could not write a change of kind {} before closing; the job will run again",
                    entries.getFirst().change().getClass().getSimpleName(), cause);
            settle(inHand.remove(), Verdict.LOST);
        }
    }

    private void pause(int failures, int changes, StoreException cause) {
        if (failures == 1 || failures % 20 == 0) {
            LOG.warn("Cannot write {} changes; retrying until the store recovers: {}", changes, cause.getMessage());
        }
        long millis = Math.min(50L << Math.min(failures, 10), MAX_PAUSE.toMillis());
        for (long waited = 0; waited < millis && !retriesStopped; waited += 50) {
            env.parkNanos(this, 50_000_000);
        }
    }

    private void settle(Entry entry, Verdict verdict) {
        settle(entry, () -> entry.after().accept(verdict));
    }

    private void refuse(Entry entry, StoreException refusal) {
        settle(entry, () -> entry.onRefused().accept(refusal));
    }

    private void settle(Entry entry, Runnable callback) {
        UserCode.run(callback, e -> LOG.error("The callback of a change failed", e));
        if (isEnd(entry.change())) {
            unsettledEnds.decrementAndGet();
        }
    }

    @Override
    public void stop() {
        closing = true;
        wakeup.raise();
    }

    /** Stops retrying a store that fails. Jobs whose changes are lost run again after the next opening. */
    public void stopRetrying() {
        retriesStopped = true;
    }
}

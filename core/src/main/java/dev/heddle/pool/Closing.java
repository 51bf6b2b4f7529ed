package dev.heddle.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.heddle.pool.PoolSettings.Stopping;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out of everything a node has in hand: claims nothing more, hands back what has not started, lets what runs
 * finish where it is asked to drain, then tells it to stop, and writes down how each attempt ended.
 *
 * <p>It ends in time whatever a handler does, since it never waits for one: the watchdog interrupts after the closing
 * time and gives up on whoever ignores that, and what even so is not done by then is left to the next opening.
 */
final class Closing {

    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);
    private static final String REASON = "closing";
    /** For the claim that is under way; one that takes longer is handed back when it comes. */
    private static final Duration LAST_CLAIM = Duration.ofSeconds(2);
    /** For what follows an end: its commit, and whoever listens. */
    private static final Duration MARGIN = Duration.ofSeconds(5);
    /** As much as nanoseconds can say. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final Dispatcher dispatcher;
    private final Recall recall;
    private final Ledger ledger;
    private final Threads threads;
    private final Stopping stopping;
    private final AtomicBoolean hurried = new AtomicBoolean();

    Closing(Dispatcher dispatcher, Recall recall, Ledger ledger, Threads threads, Stopping stopping) {
        this.dispatcher = dispatcher;
        this.recall = recall;
        this.ledger = ledger;
        this.threads = threads;
        this.stopping = stopping;
    }

    /** Returns once no attempt is left, or the time for that is over. */
    void run(Duration drain) {
        dispatcher.close();
        boolean claimsOver = threads.join("dispatcher", LAST_CLAIM);
        groups().forEach(WorkerGroup::close);
        recall.handBack(REASON);
        awaitEmpty(drain, hurried::get);
        recall.close(REASON);
        awaitEmpty(stopping.closing().plus(stopping.abandonAfter()).plus(MARGIN), () -> false);
        for (WorkerGroup group : groups()) {
            if (group.size() > 0) {
                LOG.warn("{} workers of group {} did not stop in time and are left behind", group.size(),
                        group.name());
            }
        }
        if (!claimsOver) {
            threads.join("dispatcher", LAST_CLAIM);
            recall.handBack(REASON);
        }
        flush();
    }

    /** Lets nobody finish any more who is not told to stop: for a drain that takes too long. */
    void hurry() {
        hurried.set(true);
        groups().forEach(WorkerGroup::look);
    }

    private List<WorkerGroup> groups() {
        return recall.groups();
    }

    private void awaitEmpty(Duration longest, BooleanSupplier enough) {
        Duration bounded = longest.compareTo(FOR_EVER) < 0 ? longest : FOR_EVER;
        long deadline = System.nanoTime() + bounded.toNanos();
        for (WorkerGroup group : groups()) {
            group.awaitEmpty(Duration.ofNanos(deadline - System.nanoTime()), enough);
        }
    }

    /** A store that fails is given the closing time to come back, and one that is slow a moment for its last write. */
    private void flush() {
        ledger.close();
        if (!threads.join("ledger", stopping.closing())) {
            ledger.giveUp();
            threads.join("ledger", MARGIN);
        }
    }
}

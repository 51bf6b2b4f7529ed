package dev.heddle.engine.log;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.log.JobLogBridge;
import dev.heddle.log.LogStore;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the lines of all attempts, in groups: it sleeps until a line comes, collects others for a moment, and stores
 * them all. While nobody logs, it does nothing.
 *
 * <p>Logs must not hurt jobs. What waits is bounded for each attempt and for the node, and so is how much is stored at a
 * time. Beyond that, lines are dropped; their numbers show that they are missing.
 */
public final class LogWriter implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    /** How long lines are collected. With the write, a line is stored within a second. */
    private static final Duration COLLECT = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    /** The most chunks and bytes in one transaction. */
    private static final int BATCH = 500;
    /** The most bytes to store before collecting again: 16 MB a second. */
    private static final long MOST_STORED = 8 << 20;
    /** The most bytes that wait on this node. */
    private static final long MOST_HELD = 64 << 20;

    private final Environment env;
    private final Optional<LogStore> store;
    private final Queue<AttemptLog> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final Wakeup wakeup;
    private final Wakeup stopping;
    /** Taken from the logs and not stored yet. If this service fails and is restarted, it goes on from here. */
    private final Deque<Taken> inHand = new ArrayDeque<>();
    private volatile boolean closing;

    private record Taken(AttemptLog log, LogStore.Append append) {}

    /** Creates the writer of a node. If the store keeps no logs, lines are dropped. */
    public LogWriter(Store store, Environment env) {
        this.env = env;
        this.store = store.capability(LogStore.class);
        this.wakeup = new Wakeup(env);
        this.stopping = new Wakeup(env);
    }

    /**
     * Opens the log of an attempt, which its owner closes.
     *
     * @param adopted whether the attempt began on another node
     */
    public AttemptLog open(JobId job, Fence fence, boolean adopted) {
        String id = job.toString();
        AttemptLog log = new AttemptLog(this, env, id, fence, adopted);
        JobLogBridge.open(id, log);
        return log;
    }

    void enqueue(AttemptLog log) {
        waiting.add(log);
        wakeup.raise();
    }

    /** Notes a change of how many bytes wait. */
    void held(int bytes) {
        if (bytes != 0) {
            held.addAndGet(bytes);
        }
    }

    /** Returns whether further lines must be dropped. */
    boolean isFull() {
        return store.isEmpty() || held.get() > MOST_HELD;
    }

    @Override
    public String name() {
        return "log-writer";
    }

    @Override
    public void run() {
        int failures = 0;
        while (true) {
            if (waiting.isEmpty() && inHand.isEmpty()) {
                if (closing) {
                    return;
                }
                wakeup.await();
                continue;
            }
            if (!closing) {
                stopping.await(pause(failures));
            }
            boolean last = closing;
            try {
                flush();
                failures = 0;
            } catch (StoreException e) {
                failures++;
                if (failures == 1 || failures % 20 == 0) {
                    LOG.warn("Cannot store the logs of jobs; retrying until the store recovers: {}", e.getMessage());
                }
                if (last) {
                    LOG.warn("The last lines of the logs of {} jobs are lost", waiting.size() + inHand.size());
                    return;
                }
            }
        }
    }

    private static Duration pause(int failures) {
        Duration longer = COLLECT.multipliedBy(1L << Math.min(failures, 5));
        return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }

    private void flush() {
        LogStore logs = store.orElseThrow();
        long bytes = 0;
        while (true) {
            while (inHand.size() < BATCH && bytes < MOST_STORED && !waiting.isEmpty()) {
                bytes += take(logs);
            }
            if (inHand.isEmpty()) {
                return;
            }
            List<Taken> batch = new ArrayList<>(BATCH);
            inHand.stream().limit(BATCH).forEach(batch::add);
            store(logs, batch);
            batch.forEach(_ -> inHand.remove());
            if (bytes >= MOST_STORED && inHand.isEmpty()) {
                return;
            }
        }
    }

    private long take(LogStore logs) {
        // Only peeked at before: if the store fails, the log stays where it is.
        AttemptLog log = waiting.element();
        List<LogStore.Append> appends = log.take(logs);
        waiting.remove();
        appends.forEach(append -> inHand.add(new Taken(log, append)));
        return appends.stream().flatMap(append -> append.chunk().lines().stream()).mapToLong(PendingLines::bytes)
                .sum();
    }

    private static void store(LogStore logs, List<Taken> batch) {
        List<Boolean> stored;
        try {
            stored = logs.append(batch.stream().map(Taken::append).toList());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.REJECTED) {
                throw e;
            }
            // Nobody must wait for lines that no retry would bring in.
            LOG.warn("The store refused lines of the logs of {} jobs; they are dropped", batch.size(), e);
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            if (!stored.get(i)) {
                AttemptLog log = batch.get(i).log();
                LOG.debug("Dropped lines of job {}, attempt {}: the attempt has lost its job", log.fence().seq(),
                        log.fence().attempt());
                log.refuse();
            }
        }
    }

    @Override
    public void stop() {
        closing = true;
        stopping.raise();
        wakeup.raise();
    }
}

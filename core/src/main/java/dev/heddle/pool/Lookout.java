package dev.heddle.pool;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks in the store for the ends of awaited jobs that other nodes run, and of children that ended with their parent.
 * Asleep where nobody waits or shares.
 */
final class Lookout implements Runnable {

    /** Whatever clock the pool was given: this is a matter between machines. */
    private static final InstantSource REAL_TIME = InstantSource.system();
    private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);
    /** The most to look for at a time; whom to look for then is drawn by lot. */
    private static final int MOST = 200;
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final Store store;
    private final Waiters waiters;
    private final Lease lease;
    private final Signal signal = new Signal(REAL_TIME);
    private final AtomicBoolean asked = new AtomicBoolean();
    private Duration pause = SHORTEST;
    private volatile boolean closed;

    Lookout(Store store, Waiters waiters, Lease lease) {
        this.store = store;
        this.waiters = waiters;
        this.lease = lease;
    }

    /** Completes with the job when it has ended. */
    CompletableFuture<Job> ending(JobId job) {
        while (true) {
            CompletableFuture<Job> future = waiters.join(job);
            // Joined first, looked second: an end in between is not missed.
            Job now = store.find(job).orElse(null);
            if (now == null) {
                waiters.leave(job, new NoSuchJobException(job));
                return future;
            }
            if (now.state().isFinal()) {
                waiters.ended(now);
                future.complete(now);
                return future;
            }
            if (waiters.expect(now, future)) {
                wake();
                return future;
            }
        }
    }

    /** Somebody new waits. */
    void wake() {
        if (lease.isShared()) {
            signal.raise();
        }
    }

    /** Something ended that this node did not end: looks once for everybody's job, whether others share the store or not. */
    void lookNow() {
        asked.set(true);
        signal.raise();
    }

    @Override
    public void run() {
        while (!closed) {
            boolean idle = waiters.isEmpty() || !lease.isShared();
            signal.await(idle ? null : REAL_TIME.instant().plus(pause));
            if (!closed && asked.getAndSet(false)) {
                look(Integer.MAX_VALUE);
            } else if (!closed && lease.isShared()) {
                look(MOST);
            }
        }
    }

    /** The longer nothing ends, the longer the pause. */
    private void look(int most) {
        boolean found = false;
        try {
            List<JobId> awaited = waiters.awaited();
            Collections.shuffle(awaited);
            for (JobId id : awaited.subList(0, Math.min(awaited.size(), most))) {
                found |= store.find(id).filter(job -> job.state().isFinal()).map(job -> {
                    waiters.ended(job);
                    return true;
                }).orElse(false);
            }
        } catch (StoreException e) {
            LOG.debug("Could not look for ended jobs: {}", e.getMessage());
        }
        Duration doubled = pause.multipliedBy(2);
        pause = found ? SHORTEST : doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }

    void close() {
        closed = true;
        signal.raise();
    }
}

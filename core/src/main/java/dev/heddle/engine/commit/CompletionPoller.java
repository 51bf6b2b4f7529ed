package dev.heddle.engine.commit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the futures of callers that wait for jobs, and polls the store for ends that this node does not write: those
 * of jobs that other nodes run, and of children that ended with their parent. All other futures are completed by
 * {@link AfterCommit}. Sleeps while nobody waits, or while no other node shares the store.
 */
public final class CompletionPoller implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionPoller.class);
    /** The most jobs to look up at a time. If more are awaited, a random choice of them is looked up. */
    private static final int MAX_PER_CHECK = 200;
    private static final Duration MIN_PAUSE = Duration.ofMillis(20);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

    private final Store store;
    private final PendingFutures waiters;
    private final BooleanSupplier isShared;
    private final Environment env;
    private final Wakeup wakeup;
    private final AtomicBoolean checkRequested = new AtomicBoolean();
    private Duration pause = MIN_PAUSE;
    private volatile boolean stopped;

    public CompletionPoller(Store store, PendingFutures waiters, BooleanSupplier isShared, Environment env) {
        this.store = store;
        this.waiters = waiters;
        this.isShared = isShared;
        this.env = env;
        this.wakeup = new Wakeup(env);
    }

    /** Returns a future that completes with the job once it has ended. */
    public CompletableFuture<Job> completion(JobId job) {
        while (true) {
            CompletableFuture<Job> future = waiters.register(job);
            // Register first, look second: an end in between is not missed.
            Job now = store.find(job).orElse(null);
            if (now == null) {
                waiters.fail(job, new NoSuchJobException(job));
                return future;
            }
            if (now.state().isFinal()) {
                waiters.complete(now);
                // The end may have been told before this future was registered.
                future.complete(now);
                return future;
            }
            if (waiters.expect(now, future)) {
                wake();
                return future;
            }
        }
    }

    /** Wakes the poller, because a caller has begun to wait or the store has become shared. */
    public void wake() {
        if (isShared.getAsBoolean()) {
            wakeup.raise();
        }
    }

    /** Looks up all awaited jobs once, because something ended that this node did not end. */
    public void checkNow() {
        checkRequested.set(true);
        wakeup.raise();
    }

    @Override
    public String name() {
        return "completion-poller";
    }

    @Override
    public void run() {
        while (!stopped) {
            boolean idle = !checkRequested.get() && (waiters.isEmpty() || !isShared.getAsBoolean());
            if (idle) {
                wakeup.await();
            } else {
                wakeup.await(pause);
            }
            if (!stopped && checkRequested.getAndSet(false)) {
                if (!check(Integer.MAX_VALUE)) {
                    checkRequested.set(true); // nothing else would tell of these ends
                }
            } else if (!stopped && isShared.getAsBoolean()) {
                check(MAX_PER_CHECK);
            }
        }
    }

    /** Looks up awaited jobs; returns false if the store failed. The pause doubles while nothing is found. */
    private boolean check(int max) {
        boolean found = false;
        boolean failed = false;
        try {
            List<JobId> awaited = waiters.awaited();
            Collections.shuffle(awaited, Random.from(env.random()));
            for (JobId id : awaited.subList(0, Math.min(awaited.size(), max))) {
                found |= lookUp(id);
            }
        } catch (StoreException e) {
            failed = true;
            LOG.debug("Could not look up awaited jobs: {}", e.getMessage());
        }
        Duration doubled = pause.multipliedBy(2);
        pause = found ? MIN_PAUSE : doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
        return !failed;
    }

    /** Returns whether the wait for a job is over: it has ended, or another node has deleted it. */
    private boolean lookUp(JobId id) {
        Job job = store.find(id).orElse(null);
        if (job == null) {
            waiters.fail(id, new NoSuchJobException(id));
        } else if (job.state().isFinal()) {
            waiters.complete(job);
        }
        return job == null || job.state().isFinal();
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}

package dev.heddle.process;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps long-lived processes running: one that ends without being told to is started again, as {@link RestartPolicy}
 * says.
 */
public final class Supervisor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    private final Processes processes;
    private final RestartPolicy policy;
    private final InstantSource clock;
    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("heddle-supervisor").factory());
    private final List<Kept> kept = new CopyOnWriteArrayList<>();
    private CrashWindow window;

    /** What to start; asked anew for every start. */
    @FunctionalInterface
    public interface Launcher {
        /**
         * How to start a worker.
         *
         * @param worker its name, which changes when it is replaced
         */
        Launch launch(String worker);
    }

    public Supervisor(Processes processes, RestartPolicy policy, InstantSource clock) {
        this.processes = processes;
        this.policy = policy;
        this.clock = clock;
        this.window = CrashWindow.empty(policy.storm());
    }

    /** Starts a process and keeps it running until it is stopped. */
    public Kept keep(String name, Launcher launcher) {
        Kept one = new Kept(this, name, launcher);
        kept.add(one);
        thread.execute(one::start);
        return one;
    }

    Processes processes() {
        return processes;
    }

    synchronized void succeeded() {
        window = window.succeeded();
    }

    /** Decides about a crash of one of them, and says so. */
    synchronized RestartPolicy.Remedy remedy(String worker, int crashes, String how) {
        window = window.crashed(clock.instant());
        RestartPolicy.Remedy remedy = policy.remedy(crashes, window.isStorm());
        switch (remedy) {
            case RestartPolicy.Remedy.Restart(var after) -> LOG.atWarn().addKeyValue("worker", worker)
                    .addKeyValue("restarts", crashes).log("{} ended unexpectedly ({}); restart {} in {}",
                            worker, how,
                            crashes, after);
            case RestartPolicy.Remedy.Replace _ -> LOG.atError().addKeyValue("worker", worker)
                    .log("{} has failed: it ended {} times without a success ({}); it is replaced", worker,
                            crashes, how);
            case RestartPolicy.Remedy.Hold(var after) -> LOG.atError().addKeyValue("worker", worker)
                    .log("{} ended ({}), and {} others with it; nothing is restarted for {}", worker, how,
                            window.crashes().size() - 1, after);
        }
        return remedy;
    }

    void later(RestartPolicy.Remedy remedy, Runnable start) {
        CompletableFuture.delayedExecutor(remedy.after().toNanos(), TimeUnit.NANOSECONDS, thread)
                .execute(start);
    }

    /** Stops all of them and waits until nothing is left. */
    @Override
    public void close() {
        CompletableFuture.allOf(kept.stream().map(one -> one.stop().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new)).join();
        thread.shutdownNow();
    }
}

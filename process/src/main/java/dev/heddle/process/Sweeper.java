package dev.heddle.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the processes that ended launches left behind, again and again until none is left. All pending sweeps share one
 * scan of the machine's processes, so many launches that end together cost little more than one.
 */
final class Sweeper {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration SCAN_INTERVAL = Duration.ofMillis(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration REAP_INTERVAL = Duration.ofSeconds(1);

    private final Platform platform;
    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("heddle-sweeper").factory());
    private final Queue<Task> pending = new ConcurrentLinkedQueue<>();

    /**
     * The result of a sweep.
     *
     * @param killed how many processes were killed
     * @param survivors the pids of those that could not be killed
     */
    record Result(int killed, List<Long> survivors) {
        static final Result NOTHING = new Result(0, List.of());
    }

    private record Task(ProcessRecord record, long deadline, Set<Long> seen, CompletableFuture<Result> done) {}

    Sweeper(Platform platform) {
        this.platform = platform;
        reap();
    }

    /** Reaps periodically, because orphans may end long before the launch that they belong to. */
    private void reap() {
        Spawner.here().reap(platform);
        after(REAP_INTERVAL, this::reap);
    }

    CompletableFuture<Result> sweep(ProcessRecord record) {
        Task task = new Task(record, System.nanoTime() + TIMEOUT.toNanos(), new LinkedHashSet<>(),
                new CompletableFuture<>());
        pending.add(task);
        thread.execute(this::scan);
        return task.done();
    }

    /** Runs an action after the delay, unless the sweeper is closed by then. */
    void after(Duration delay, Runnable action) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, thread).execute(action);
    }

    private void scan() {
        List<Task> tasks = new ArrayList<>();
        for (Task task = pending.poll(); task != null; task = pending.poll()) {
            tasks.add(task);
        }
        if (tasks.isEmpty()) {
            return;
        }
        try {
            Map<ProcessMark, List<Long>> found = platform.sweep(tasks.stream().map(Task::record).toList());
            tasks.forEach(task -> update(task, found.getOrDefault(task.record().mark(), List.of())));
        } catch (RuntimeException e) {
            LOG.error("Cannot look for leftover processes of {} launches", tasks.size(), e);
            tasks.forEach(task -> task.done().complete(Result.NOTHING));
        }
    }

    private void update(Task task, List<Long> alive) {
        task.seen().addAll(alive);
        if (alive.isEmpty()) {
            if (!task.seen().isEmpty()) {
                Spawner.here().reap(platform);
            }
            task.done().complete(new Result(task.seen().size(), List.of()));
        } else if (System.nanoTime() > task.deadline()) {
            task.done().complete(new Result(task.seen().size() - alive.size(), alive));
        } else {
            pending.add(task);
            after(SCAN_INTERVAL, this::scan);
        }
    }

    void close() {
        thread.shutdownNow();
    }
}

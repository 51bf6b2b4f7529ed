package dev.heddle.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.pool.Gate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of one node: the entry point of the package.
 *
 * {@snippet :
 * try (Processes processes = Processes.open(ProcessSettings.in(Path.of(".heddle/processes")))) {
 *     RunningProcess process = processes.start(Launch.of("job 42/1", "make", "test").environment(environment));
 *     Exit exit = process.await();
 * }
 * }
 *
 * <p>When a process has ended, so has everything that it started. That holds when it ends by itself, when it is stopped,
 * when this is closed, and, as far as {@link Isolation} goes, when the node is killed: what the kernel does not end with
 * the node, the next node ends that opens on the same directory.
 */
public final class Processes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Processes.class);
    /** How long beyond the grace something killed may take to end; only the kernel can hold it longer. */
    private static final Duration HOPELESS = Duration.ofSeconds(15);
    /** How long to wait for the last of an output that somebody holds open, or that is read late, after the process has ended. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private final ProcessSettings settings;
    private final Platform platform;
    private final Registry registry;
    private final Sweeper sweeper;
    private final ExecutorService ends = Executors
            .newFixedThreadPool(4, Thread.ofPlatform().daemon().name("heddle-process-end-", 0).factory());
    private final Map<String, RunningProcess> running = new ConcurrentHashMap<>();
    /** Starting shares it, closing has it alone: nothing is started once closing has looked at what runs. */
    private final ReadWriteLock starting = new ReentrantReadWriteLock();
    private boolean closed;

    private Processes(ProcessSettings settings, Platform platform) {
        this.settings = settings;
        this.platform = platform;
        long self = ProcessHandle.current().pid();
        this.registry = Registry.open(settings.directory().toAbsolutePath(),
                new Registry.Owner(platform.machine(), self, platform.startOf(self)));
        this.sweeper = new Sweeper(platform);
    }

    /** Ends what dead nodes left, and is ready to start processes. */
    public static Processes open(ProcessSettings settings) {
        return open(settings, Platform.here());
    }

    static Processes open(ProcessSettings settings, Platform platform) {
        Processes processes = new Processes(settings, platform);
        Spawner.here().enter(platform);
        new Inheritance(processes.registry, platform, processes.sweeper).settle();
        LOG.atInfo().addKeyValue("isolation", processes.isolation()).log("Processes are held by {}{}",
                processes.isolation(), platform.obstacle().isEmpty() ? "" : " (" + platform.obstacle() + ")");
        return processes;
    }

    /** How firmly processes are held. */
    public Isolation isolation() {
        return settings.isolation().atMost(platform.firmest());
    }

    /** What can be had on this machine, and what is in the way of more; for people. */
    public static Support support() {
        return new Support(Platform.here().firmest(), Platform.here().obstacle());
    }

    /**
     * What a machine can do.
     *
     * @param obstacle why not more; empty where there is no more
     */
    public record Support(Isolation firmest, String obstacle) {}

    /**
     * Starts a process.
     *
     * @throws LaunchException where it cannot be started, with one line that says why
     */
    public RunningProcess start(Launch launch) {
        shortage().ifPresent(shortage -> {
            throw new LaunchException(LaunchException.Kind.NO_ROOM, "not started: " + shortage);
        });
        starting.readLock().lock();
        try {
            if (closed) {
                throw new LaunchException(LaunchException.Kind.REFUSED, "not started: the node is closing");
            }
            return launch(launch);
        } finally {
            starting.readLock().unlock();
        }
    }

    private RunningProcess launch(Launch launch) {
        LaunchPlan plan = LaunchPlan.of(launch, platform, isolation());
        registry.write(plan.row());
        try {
            TempDirectory.create(plan.row().temp());
            return started(launch, plan.row(), Spawner.here().spawn(plan.builder()));
        } catch (IOException e) {
            forget(plan.row());
            throw new LaunchException(LaunchException.Kind.REFUSED,
                    "cannot start " + launch.command().getFirst() + " for "
                            + launch.run() + ": " + e.getMessage(),
                    e);
        }
    }

    private RunningProcess started(Launch launch, Row spawning, Process process) {
        Row row = spawning.startedAs(new ProcessIdentity(process.pid(), platform.startOf(process.pid()),
                platform.machine().bootId()));
        List<Pump> pumps = Stream.of(pump(row, launch.streams().output(), process.getInputStream()),
                pump(row, launch.streams().errors(), process.getErrorStream())).flatMap(Optional::stream)
                .toList();
        RunningProcess started = new RunningProcess(row, process, this);
        running.put(started.id(), started);
        try {
            registry.write(row);
        } catch (LaunchException e) {
            // It is known by its mark all the same.
            LOG.warn("{}", e.getMessage());
        }
        // Only now: its end takes the row away, and one that ends at once would leave it behind.
        started.endsBy(process.onExit().thenComposeAsync(_ -> ending(started, pumps), ends));
        LOG.atDebug().addKeyValue("run", row.run()).addKeyValue("pid", process.pid()).log("Started {}",
                started);
        return started;
    }

    private static Optional<Pump> pump(Row row, Output output, InputStream from) {
        return output instanceof Output.ToStream(OutputStream to)
                ? Optional.of(Pump.start(row.run(), from, to))
                : Optional.empty();
    }

    /** The first process has ended; now the others must, and the output must be written. */
    private CompletableFuture<Exit> ending(RunningProcess process, List<Pump> pumps) {
        int code = process.process().exitValue();
        CompletableFuture<Sweeper.Swept> swept = process.mayHaveLeftovers(code) ? sweeper.sweep(process.row())
                : CompletableFuture.completedFuture(Sweeper.Swept.NOTHING);
        CompletableFuture<?> drained = CompletableFuture.allOf(pumps.stream().map(Pump::done)
                .toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, DRAIN.toMillis(), TimeUnit.MILLISECONDS);
        return swept.thenCombineAsync(drained, (result, _) -> {
            pumps.forEach(Pump::giveUp);
            return ended(process, code, result);
        }, ends);
    }

    private Exit ended(RunningProcess process, int code, Sweeper.Swept swept) {
        if (swept.survivors().isEmpty()) {
            forget(process.row());
        } else {
            LOG.warn("Of {}, processes {} cannot be killed; tried again at the next opening", process,
                    swept.survivors());
        }
        Exit exit = new Exit(code, process.isStopped(), swept.killed(), swept.survivors());
        LOG.atDebug().addKeyValue("run", process.run()).addKeyValue("code", code)
                .addKeyValue("swept", swept.killed())
                .log("Ended {}: {}", process, exit);
        running.remove(process.id());
        return exit;
    }

    private void forget(Row row) {
        TempDirectory.delete(row.temp());
        registry.remove(row.mark());
    }

    Platform platform() {
        return platform;
    }

    Duration grace() {
        return settings.grace();
    }

    /** Does something later, unless this is closed by then. */
    void after(Duration delay, Runnable action) {
        sweeper.after(delay, action);
    }

    /** What runs now. */
    public Collection<RunningProcess> running() {
        return List.copyOf(running.values());
    }

    /** The pids of all processes of the machine that work in the directory or below it, as far as that can be seen. */
    public List<Long> inside(Path directory) {
        try {
            return platform.inside(directory.toRealPath());
        } catch (IOException e) {
            LOG.debug("Nobody works in {}", directory, e);
            return List.of();
        }
    }

    /** What there is too little of to start another process; empty where there is enough. */
    public Optional<String> shortage() {
        return settings.headroom().shortage(free());
    }

    /** A gate for a pool: jobs of the types that start processes wait while too little is free for another. */
    public Gate gate(Predicate<String> isProcessType) {
        return type -> isProcessType.test(type) ? shortage() : Optional.empty();
    }

    /** Memory that another process could get on this machine, in bytes. */
    public static long freeMemory() {
        return Platform.here().freeMemory();
    }

    /** What is free on this machine. */
    public Headroom.Free free() {
        return new Headroom.Free(platform.freeMemory(), settings.directory().toFile().getUsableSpace());
    }

    /** Stops all that runs, as {@link RunningProcess#stop()} does, and waits until nothing is left. */
    @Override
    public void close() {
        starting.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            starting.writeLock().unlock();
        }
        CompletableFuture<?> all = CompletableFuture.allOf(running().stream()
                .map(process -> process.stop().toCompletableFuture()).toArray(CompletableFuture<?>[]::new));
        all.completeOnTimeout(null, settings.grace().plus(HOPELESS).toMillis(), TimeUnit.MILLISECONDS).join();
        if (!running.isEmpty()) {
            LOG.error("Not ended, and left to the next node: {}", running());
        }
        sweeper.close();
        ends.shutdown();
        Spawner.here().leave(platform);
        registry.close();
    }
}

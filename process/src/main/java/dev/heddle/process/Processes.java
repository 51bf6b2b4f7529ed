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
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/**
 * Starts the processes of one node: the entry point of the package.
 *
 * {@snippet :
 * try (Processes processes = Processes.open(ProcessSettings.in(Path.of(".heddle/processes")))) {
 *     RunningProcess process = processes.start(Launch.of("job 42/1", "make", "test").environment(environment));
 *     Exit exit = process.await();
 * }
 * }
 *
 * <p>When a process has ended, everything that it started has ended too. That holds if it ends by itself, if it is
 * stopped, and if this object is closed. If the node is killed, it holds to the degree that {@link Isolation}
 * describes: what the kernel does not end with the node is ended by the next node that opens on the same directory.
 */
public final class Processes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Processes.class);
    /** How long closing waits for killed processes beyond the grace. Only the kernel can hold them that long. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(15);
    /**
     * How long to wait, after a process has ended, for output that another process holds open or that is read slowly.
     */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private final ProcessSettings settings;
    private final Platform platform;
    private final ProcessRegistry registry;
    private final Sweeper sweeper;
    private final ExecutorService exitThreads = Executors.newFixedThreadPool(4,
            Thread.ofPlatform().daemon().name("heddle-process-end-", 0).factory());
    private final Map<String, RunningProcess> running = new ConcurrentHashMap<>();
    /** Starting holds the read lock and closing the write lock, so closing sees every process that was started. */
    private final ReadWriteLock startLock = new ReentrantReadWriteLock();
    private boolean closed;

    private Processes(ProcessSettings settings, Platform platform) {
        this.settings = settings;
        this.platform = platform;
        long self = ProcessHandle.current().pid();
        this.registry = ProcessRegistry.open(settings.directory().toAbsolutePath(),
                new ProcessRegistry.Node(platform.machine(), self, platform.startTicks(self)));
        this.sweeper = new Sweeper(platform);
    }

    /** Ends the processes that dead nodes left on this machine, then returns ready to start new ones. */
    public static Processes open(ProcessSettings settings) {
        return open(requireNonNull(settings, "settings"), Platform.here());
    }

    static Processes open(ProcessSettings settings, Platform platform) {
        Processes processes = new Processes(settings, platform);
        Spawner.here().enter(platform);
        new DeadNodeCleanup(processes.registry, platform, processes.sweeper).run();
        LOG.atInfo().addKeyValue("isolation", processes.isolation()).log("Process isolation is {}{}",
                processes.isolation(), platform.limitation().isEmpty() ? "" : " (" + platform.limitation() + ")");
        return processes;
    }

    /** Returns the isolation in use: the strongest that both the settings and this machine allow. */
    public Isolation isolation() {
        return settings.isolation().atMost(platform.strongestIsolation());
    }

    /** Returns the isolation that this machine supports. */
    public static Support support() {
        return new Support(Platform.here().strongestIsolation(), Platform.here().limitation());
    }

    /**
     * The isolation that a machine supports.
     *
     * @param strongest the strongest isolation available
     * @param limitation why no stronger one is available, in words; empty if there is none stronger
     */
    public record Support(Isolation strongest, String limitation) {}

    /**
     * Starts a process.
     *
     * @throws LaunchException if it cannot be started; the message is one line that says why
     */
    public RunningProcess start(Launch launch) {
        requireNonNull(launch, "launch");
        shortage().ifPresent(shortage -> {
            throw new LaunchException(LaunchException.Kind.NO_HEADROOM, "not started: " + shortage);
        });
        startLock.readLock().lock();
        try {
            if (closed) {
                throw new LaunchException(LaunchException.Kind.REFUSED, "not started: the node is closing");
            }
            return spawn(launch);
        } finally {
            startLock.readLock().unlock();
        }
    }

    private RunningProcess spawn(Launch launch) {
        LaunchPlan plan = LaunchPlan.of(launch, platform, isolation());
        registry.write(plan.record());
        try {
            TempDirectory.create(plan.record().temp());
            TargetUser user = plan.user();
            if (user != null) {
                user.own(plan.record().temp());
            }
            return started(launch, plan.record(), Spawner.here().spawn(plan.builder()));
        } catch (IOException e) {
            forget(plan.record());
            throw new LaunchException(LaunchException.Kind.REFUSED,
                    "cannot start " + launch.command().getFirst() + " for " + launch.label() + ": " + e.getMessage(),
                    e);
        }
    }

    private RunningProcess started(Launch launch, ProcessRecord planned, Process process) {
        ProcessRecord record = planned.startedAs(
                new ProcessIdentity(process.pid(), platform.startTicks(process.pid()), platform.machine().bootId()));
        List<OutputPump> pumps = Stream
                .of(pump(record, launch.streams().output(), process.getInputStream()),
                        pump(record, launch.streams().errors(), process.getErrorStream()))
                .flatMap(Optional::stream).toList();
        RunningProcess started = new RunningProcess(record, process, this);
        running.put(started.id(), started);
        try {
            registry.write(record);
        } catch (LaunchException e) {
            // The record written before the start has the mark, which is enough to find the process.
            LOG.warn("{}", e.getMessage());
        }
        // After the record is written: a process that ends at once would otherwise leave its record behind.
        started.completeWith(process.onExit().thenComposeAsync(_ -> cleanUp(started, pumps), exitThreads));
        LOG.atDebug().addKeyValue("run", record.label()).addKeyValue("pid", process.pid()).log("Started {}", started);
        return started;
    }

    private static Optional<OutputPump> pump(ProcessRecord record, Output output, InputStream from) {
        return output instanceof Output.ToStream(OutputStream to)
                ? Optional.of(OutputPump.start(record.label(), from, to)) : Optional.empty();
    }

    /** Runs after the first process has ended: ends the others and waits for the rest of the output. */
    private CompletableFuture<Exit> cleanUp(RunningProcess process, List<OutputPump> pumps) {
        int code = process.process().exitValue();
        CompletableFuture<Sweeper.Result> swept = process.record().mayHaveLeftovers(code)
                ? sweeper.sweep(process.record())
                : CompletableFuture.completedFuture(Sweeper.Result.NOTHING);
        CompletableFuture<?> drained = CompletableFuture
                .allOf(pumps.stream().map(OutputPump::done).toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, DRAIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return swept.thenCombineAsync(drained, (result, _) -> {
            pumps.forEach(OutputPump::abandon);
            return ended(process, code, result);
        }, exitThreads);
    }

    private Exit ended(RunningProcess process, int code, Sweeper.Result swept) {
        if (swept.survivors().isEmpty()) {
            forget(process.record());
        } else {
            LOG.warn("Cannot kill processes {} of {}; the next node to open will try again", swept.survivors(),
                    process);
        }
        Exit exit = new Exit(code, process.isStopped(), null, swept.killed(), swept.survivors());
        LOG.atDebug().addKeyValue("run", process.label()).addKeyValue("code", code).addKeyValue("swept", swept.killed())
                .log("Ended {}: {}", process, exit);
        running.remove(process.id());
        return exit;
    }

    private void forget(ProcessRecord record) {
        TempDirectory.delete(record.temp());
        registry.remove(record.mark());
    }

    Platform platform() {
        return platform;
    }

    Duration grace() {
        return settings.grace();
    }

    /** Runs an action after the delay, unless this object is closed by then. */
    void after(Duration delay, Runnable action) {
        sweeper.after(delay, action);
    }

    /** Returns the processes that run now. */
    public Collection<RunningProcess> running() {
        return List.copyOf(running.values());
    }

    /**
     * Returns the pids of all processes on this machine that work in the directory or below it. Processes that this
     * user cannot inspect are missing.
     */
    public List<Long> inside(Path directory) {
        try {
            return platform.inside(directory.toRealPath());
        } catch (IOException e) {
            LOG.debug("{} cannot be resolved, so no process works in it", directory, e);
            return List.of();
        }
    }

    /** Returns what there is too little of to start another process, in words; empty if there is enough. */
    public Optional<String> shortage() {
        return settings.headroom().shortage(free());
    }

    /** Returns the memory in bytes that a new process could get on this machine. */
    public static long freeMemory() {
        return Platform.here().freeMemory();
    }

    Headroom.Free free() {
        return new Headroom.Free(platform.freeMemory(), settings.directory().toFile().getUsableSpace());
    }

    /** Stops all running processes, as {@link RunningProcess#stop()} does, and waits until nothing is left of them. */
    @Override
    public void close() {
        startLock.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            startLock.writeLock().unlock();
        }
        CompletableFuture<?> all = CompletableFuture.allOf(running().stream()
                .map(process -> process.stop().toCompletableFuture()).toArray(CompletableFuture<?>[]::new));
        all.completeOnTimeout(null, settings.grace().plus(KILL_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS).join();
        if (!running.isEmpty()) {
            LOG.error("Processes did not end and are left to the next node to open: {}", running());
        }
        sweeper.close();
        exitThreads.shutdown();
        Spawner.here().leave(platform);
        registry.close();
    }
}

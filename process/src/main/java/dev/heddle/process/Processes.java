package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    /** How long to wait for the last of an output that somebody holds open after the process has ended. */
    private static final Duration DRAIN = Duration.ofMillis(500);

    private final ProcessSettings settings;
    private final Platform platform;
    private final Registry registry;
    private final Sweeper sweeper;
    private final ExecutorService ends = Executors
            .newFixedThreadPool(4, Thread.ofPlatform().daemon().name("heddle-process-end-", 0).factory());
    private final Map<String, RunningProcess> running = new ConcurrentHashMap<>();
    /** Starting shares it, closing has it alone: nothing is started once closing has looked at what runs. */
    private final ReadWriteLock gate = new ReentrantReadWriteLock();
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
        gate.readLock().lock();
        try {
            if (closed) {
                throw new LaunchException(LaunchException.Kind.REFUSED, "not started: the node is closing");
            }
            return launch(launch);
        } finally {
            gate.readLock().unlock();
        }
    }

    private RunningProcess launch(Launch launch) {
        Launch.Place place = place(launch);
        Path program = Tools.locate(launch.command().getFirst(), place.directory(), launch.environment());
        Mark mark = Mark.random();
        Row row = new Row(mark, launch.run(), launch.isolation().atMost(isolation()), place, TempDirectory.of(mark), null);
        List<String> command = new ArrayList<>(launch.command());
        command.set(0, program.toString());
        ProcessBuilder builder = new ProcessBuilder(platform.commandLine(mark, row.isolation(), command))
                .directory(place.directory().toFile());
        builder.environment().clear();
        builder.environment().putAll(launch.environment());
        builder.environment().putAll(TempDirectory.variables(row.temp()));
        builder.environment().put(Mark.VARIABLE, mark.toString());
        redirect(builder, launch.streams());
        registry.write(row);
        try {
            TempDirectory.create(row.temp());
            Process process = Spawner.here().spawn(builder);
            return started(launch, row, process);
        } catch (IOException e) {
            forget(row);
            throw new LaunchException(LaunchException.Kind.REFUSED, "cannot start " + program + " for " + launch.run()
                    + ": " + e.getMessage(), e);
        }
    }

    private static Launch.Place place(Launch launch) {
        Path directory = launch.place().directory();
        if (!Files.isDirectory(directory)) {
            throw new LaunchException(LaunchException.Kind.NO_PLACE, "cannot run in " + directory + ": "
                    + (Files.exists(directory) ? "it is not a directory" : "there is no such directory"));
        }
        try {
            return new Launch.Place(directory.toRealPath(), launch.place().own());
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.NO_PLACE, "cannot run in " + directory + ": " + e.getMessage(),
                    e);
        }
    }

    private static void redirect(ProcessBuilder builder, Launch.Streams streams) {
        builder.redirectInput(switch (streams.input()) {
            case Input.None() -> Redirect.from(nothing());
            case Input.FromFile(Path file) -> Redirect.from(file.toFile());
            case Input.Pipe() -> Redirect.PIPE;
        });
        builder.redirectOutput(redirect(streams.output()));
        if (streams.errors() instanceof Output.WithOutput) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(redirect(streams.errors()));
        }
    }

    private static File nothing() {
        return new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");
    }

    private static Redirect redirect(Output output) {
        return switch (output) {
            case Output.Discarded() -> Redirect.DISCARD;
            case Output.ToFile(Path file) -> Redirect.appendTo(file.toFile());
            case Output.ToStream _,Output.WithOutput _ -> Redirect.PIPE;
        };
    }

    private RunningProcess started(Launch launch, Row spawning, Process process) {
        Row row = spawning.startedAs(new ProcessIdentity(process.pid(), platform.startOf(process.pid()),
                platform.machine().bootId()));
        RunningProcess started = new RunningProcess(row, process, platform, sweeper, settings.grace());
        running.put(started.id(), started);
        List<Pump> pumps = new ArrayList<>();
        if (launch.streams().output() instanceof Output.ToStream(OutputStream stream)) {
            pumps.add(Pump.start(row.run(), process.getInputStream(), stream));
        }
        if (launch.streams().errors() instanceof Output.ToStream(OutputStream stream)) {
            pumps.add(Pump.start(row.run(), process.getErrorStream(), stream));
        }
        process.onExit().thenRunAsync(() -> firstEnded(started, pumps), ends);
        try {
            registry.write(row);
        } catch (LaunchException e) {
            // It is known by its mark all the same.
            LOG.warn("{}", e.getMessage());
        }
        LOG.atDebug().addKeyValue("run", row.run()).addKeyValue("pid", process.pid()).log("Started {}", started);
        return started;
    }

    private void firstEnded(RunningProcess process, List<Pump> pumps) {
        int code = process.process().exitValue();
        CompletableFuture<Sweeper.Swept> swept = process.mayHaveLeftovers(code) ? sweeper.sweep(process.row())
                : CompletableFuture.completedFuture(Sweeper.Swept.NOTHING);
        CompletableFuture<?> drained = CompletableFuture.allOf(pumps.stream().map(Pump::done)
                .toArray(CompletableFuture<?>[]::new)).completeOnTimeout(null, DRAIN.toMillis(), TimeUnit.MILLISECONDS);
        swept.thenCombineAsync(drained, (result, _) -> result, ends).whenComplete((result, _) -> {
            pumps.forEach(Pump::giveUp);
            allEnded(process, code, result == null ? Sweeper.Swept.NOTHING : result);
        });
    }

    private void allEnded(RunningProcess process, int code, Sweeper.Swept swept) {
        if (swept.survivors().isEmpty()) {
            forget(process.row());
        } else {
            LOG.warn("Of {}, processes {} cannot be killed; tried again at the next opening", process, swept.survivors());
        }
        Exit exit = new Exit(code, process.isStopped(), swept.killed(), swept.survivors());
        LOG.atDebug().addKeyValue("run", process.run()).addKeyValue("code", code).addKeyValue("swept", swept.killed())
                .log("Ended {}: {}", process, exit);
        running.remove(process.id());
        process.ended(exit);
    }

    private void forget(Row row) {
        TempDirectory.delete(row.temp());
        registry.remove(row.mark());
    }

    /** What runs now. */
    public Collection<RunningProcess> running() {
        return List.copyOf(running.values());
    }

    /** The pids of all processes of the machine that work in the directory or below it, as far as that can be seen. */
    public List<Long> inside(Path directory) {
        return platform.inside(directory.toAbsolutePath());
    }

    /** What there is too little of to start another process; empty where there is enough. */
    public Optional<String> shortage() {
        return settings.headroom().shortage(free());
    }

    /** What is free on this machine. */
    public Headroom.Free free() {
        return new Headroom.Free(platform.freeMemory(), settings.directory().toFile().getUsableSpace());
    }

    /** Stops all that runs, as {@link RunningProcess#stop()} does, and waits until nothing is left. */
    @Override
    public void close() {
        gate.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            gate.writeLock().unlock();
        }
        CompletableFuture.allOf(running().stream().map(process -> process.stop().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new)).join();
        sweeper.close();
        ends.shutdown();
        Spawner.here().leave(platform);
        registry.close();
    }
}

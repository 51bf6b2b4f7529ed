package dev.heddle.command;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.heddle.external.External;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.output.OutputArchive;
import dev.heddle.output.OutputLimiter;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.Executables;
import dev.heddle.process.LaunchException;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import dev.heddle.process.environment.EnvironmentRules;
import dev.heddle.process.environment.EnvironmentVariable;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.worktree.SavedWork;
import dev.heddle.worktree.WorktreeMetadata;
import dev.heddle.worktree.WorktreePool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs commands and external workers on one node. It owns the node's processes, worktrees, output and run records, all
 * below the node's home directory.
 *
 * {@snippet :
 * SqliteStore store = SqliteStore.at(home.resolve("heddle.db"));
 * try (CommandRuntime commands = CommandRuntime.open(CommandRuntime.Settings.in(home), store);
 *         Pool pool = commands.register(lint, Pool.on(store)).open()) {
 *     pool.submit(lint.type(), payload);
 * }
 * }
 *
 * <p>Open it before the pool: opening kills the processes that a dead node left, saves what they changed, and stores
 * the end of their output. Close it after the pool.
 */
public final class CommandRuntime implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CommandRuntime.class);
    private static final Duration CLEAN_UP_INTERVAL = Duration.ofMinutes(1);
    /** How long saving the changes of a stopped process may take. */
    private static final Duration SAVE_TIME = Duration.ofSeconds(5);

    private final Settings settings;
    private final Processes processes;
    private final WorktreePool worktrees;
    private final RunRecorder recorder;
    /** What to close, in reverse order of opening. */
    private final Deque<AutoCloseable> open;

    /**
     * The settings of a runtime.
     *
     * @param home the directory for everything; each node needs its own
     * @param processes how processes are isolated and stopped
     * @param worktrees where worktrees are, and whether they are kept
     * @param environment which variables commands inherit
     * @param outputLimit the maximum number of bytes that one attempt may write; the default is 1 GiB
     * @param config the node's configuration file, which commands learn about; null if there is none
     * @param tokens by which commands and agents call the node; null if they cannot
     */
    public record Settings(Path home, ProcessSettings processes, WorktreePool.Settings worktrees,
            EnvironmentRules environment, long outputLimit, @Nullable Path config, @Nullable JobTokens tokens) {

        /** Makes the home absolute. */
        public Settings {
            home = home.toAbsolutePath().normalize();
        }

        /** Returns the defaults, with all directories below the home. */
        public static Settings in(Path home) {
            return new Settings(home, ProcessSettings.in(home.resolve("processes")),
                    WorktreePool.Settings.in(home.resolve("worktrees")), EnvironmentRules.standard(),
                    OutputLimiter.DEFAULT_LIMIT, null, null);
        }

        /** Returns a copy with other process settings. */
        public Settings processes(ProcessSettings changed) {
            return new Settings(home, changed, worktrees, environment, outputLimit, config, tokens);
        }

        /** Returns a copy with other worktree settings. */
        public Settings worktrees(WorktreePool.Settings changed) {
            return new Settings(home, processes, changed, environment, outputLimit, config, tokens);
        }

        /** Returns a copy with other rules for inherited variables. */
        public Settings environment(EnvironmentRules changed) {
            return new Settings(home, processes, worktrees, changed, outputLimit, config, tokens);
        }

        /** Returns a copy with another output limit. */
        public Settings outputLimit(long bytes) {
            return new Settings(home, processes, worktrees, environment, bytes, config, tokens);
        }

        /** Returns a copy with another configuration file. */
        public Settings config(Path file) {
            return new Settings(home, processes, worktrees, environment, outputLimit,
                    file.toAbsolutePath().normalize(), tokens);
        }

        /** Returns a copy whose commands and agents get tokens to call the node. */
        public Settings tokens(JobTokens issuer) {
            return new Settings(home, processes, worktrees, environment, outputLimit, config, issuer);
        }
    }

    private CommandRuntime(Settings settings, Processes processes, WorktreePool worktrees, RunRecorder recorder,
            Deque<AutoCloseable> open) {
        this.settings = settings;
        this.processes = processes;
        this.worktrees = worktrees;
        this.recorder = recorder;
        this.open = open;
    }

    /**
     * Cleans up what a dead node left in the home, and opens a runtime there.
     *
     * @throws IllegalStateException if another node uses the home
     */
    public static CommandRuntime open(Settings settings, RunArchive archive) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(archive, "archive");
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            open.push(lock(settings.home));
            Processes processes = Processes.open(settings.processes);
            open.push(processes);
            WorktreePool worktrees = WorktreePool.open(settings.worktrees);
            open.push(worktrees);
            RunRecorder recorder = new RunRecorder(settings.home, archive);
            worktrees.sweep(
                    (path, metadata) -> !processes.inside(path).isEmpty() || outlivesNode(settings.home, metadata),
                    recorder::addRecovered);
            recorder.recover();
            Thread cleaner = Thread.ofPlatform().daemon().name("heddle-run-cleaner")
                    .start(() -> cleanUpPeriodically(recorder));
            open.push(cleaner::interrupt);
            return new CommandRuntime(settings, processes, worktrees, recorder, open);
        } catch (RuntimeException e) {
            close(open);
            throw e;
        }
    }

    private static boolean outlivesNode(Path home, WorktreeMetadata metadata) {
        JobId job = metadata.job();
        return job != null && new RunFiles(home, job, metadata.attempt()).outlivesNode();
    }

    private static void cleanUpPeriodically(RunRecorder recorder) {
        try {
            while (true) {
                Thread.sleep(CLEAN_UP_INTERVAL);
                recorder.cleanUp();
            }
        } catch (InterruptedException e) {
            LOG.debug("The runtime is closing");
        }
    }

    private static AutoCloseable lock(Path home) {
        try {
            Files.createDirectories(home);
            FileChannel channel = FileChannel.open(home.resolve("workshop.lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            LOG.debug("This process uses {} already", home, e);
        } catch (IOException e) {
            throw new IllegalStateException("cannot use the home " + home + ": " + e.getMessage(), e);
        }
        throw new IllegalStateException("another node uses the home " + home + "; give each node its own home");
    }

    /**
     * Registers a command with a pool that is not open yet. Its jobs stay queued while memory or disk is short.
     *
     * @throws LaunchException if one of its programs, or a tool that it needs, is missing
     */
    public PoolBuilder register(CommandSpec command, PoolBuilder pool) {
        try {
            requirePrograms(command.workspace(),
                    command.steps().stream().map(step -> step.commandLine().getFirst()).toList());
        } catch (LaunchException e) {
            throw e.ofType(command.name());
        }
        return gated(command.name(), pool).register(command.type().stopWithin(stopTimeout()), handler(command));
    }

    /**
     * Registers a command with an open pool, unless the pool has a handler for its type already.
     *
     * @throws LaunchException if a tool that it needs is missing
     */
    public void register(CommandSpec command, Pool pool) {
        requirePrograms(command.workspace(), List.of());
        pool.registerIfAbsent(command.type().stopWithin(stopTimeout()), handler(command));
    }

    private JobHandler<JsonNode, JsonNode> handler(CommandSpec command) {
        return (payload, job) -> new CommandAttempt(this, command.resolve(payload), payload, job).run();
    }

    /** Registers a job type whose jobs run on external worker processes. */
    public PoolBuilder register(External<?, ?> external, PoolBuilder pool) {
        Path config = settings.config;
        return pool.with(external.on(processes, settings.environment,
                config == null ? Map.of() : Map.of(EnvironmentVariable.CONFIG_PATH, config.toString())));
    }

    /** Registers a job type whose jobs bring their own command line, see {@link AdHocCommand}. */
    public PoolBuilder registerAdHoc(String type, PoolBuilder pool) {
        return gated(type, pool).register(AdHocCommand.type(type).stopWithin(stopTimeout()),
                (command, job) -> new CommandAttempt(this, command.toSpec(type), null, job).run());
    }

    private PoolBuilder gated(String type, PoolBuilder pool) {
        return pool.gate(new ShortageGate(processes, type::equals));
    }

    /**
     * Checks that programs exist where processes in a workspace will look for them, that its tools do, and that this
     * machine can confine them as the workspace asks. A program that a worktree will bring is not known before.
     *
     * @throws LaunchException if a program or the means to confine it are missing, or it cannot be executed
     */
    public void requirePrograms(WorkspaceSpec spec, List<String> programs) {
        spec.confinement().require();
        Map<String, String> environment = environment(spec, Map.of());
        for (String program : programs) {
            switch (spec.location()) {
                case WorkspaceSpec.Location.Directory(Path directory) ->
                    Executables.locate(program, directory, environment);
                case WorkspaceSpec.Location.Worktree(Path repository, String _) -> {
                    if (!Executables.isRelativePath(program)) {
                        Executables.locate(program, repository, environment);
                    }
                }
            }
        }
        Executables.require(spec.environment().tools(), environment);
    }

    /** Returns the complete environment of a process. */
    Map<String, String> environment(WorkspaceSpec spec, Map<EnvironmentVariable, String> variables) {
        EnvironmentRules rules = switch (spec.environment().inherit()) {
            case ALL -> settings.environment;
            case BASIC -> settings.environment.inheriting(EnvironmentRules.BASIC);
            case NONE -> settings.environment.inheriting(Set.of());
        };
        return rules.allowing(spec.environment().allowed()).environment(System.getenv(), variables,
                spec.environment().variables());
    }

    /** Opens the workspace of a new run. From now on the run can be found, even if this node dies. */
    public Workspace openWorkspace(WorkspaceSpec spec, JobContext job) throws IOException {
        return new Workspace(this, spec, job, recorder.start(job.id(), job.attempt()));
    }

    /** Opens the workspace of a run that an earlier attempt of the job started, possibly on a node that is gone. */
    public Workspace reopenWorkspace(WorkspaceSpec spec, JobContext job, int attempt) {
        return new Workspace(this, spec, job, recorder.takeOver(job.id(), attempt));
    }

    /** Returns the runs that outlive their node and that no attempt of this node monitors. */
    public List<RunFiles> detachedRuns() {
        try {
            return RunFiles.listUnfinished(settings.home).stream().filter(RunFiles::outlivesNode)
                    .filter(files -> !recorder.isActive(files)).toList();
        } catch (IOException e) {
            LOG.warn("Could not list the runs that outlived their node: {}", e.getMessage());
            return List.of();
        }
    }

    /** Finishes a detached run whose processes have ended: saves what it changed and stores its record. */
    public void finishDetached(RunFiles files) {
        SavedWork saved = worktrees.takeOver(files.job(), files.attempt()).flatMap(worktrees::release).orElse(null);
        recorder.finishUnmonitored(files, saved == null ? null : RunRecorder.toWork(saved));
    }

    /**
     * Returns output of a run whose files are on this node, as {@link OutputArchive#read} does. While the run goes on,
     * it stops at the limit beyond which the output may still be cut.
     */
    public Optional<byte[]> read(Run run, Run.Channel channel, long offset, int maxBytes) {
        boolean mayBeCut = recorder.isActive(new RunFiles(settings.home(), run.job(), run.attempt()));
        long visible = mayBeCut ? Math.clamp(settings.outputLimit() / 2 - offset, 0, maxBytes) : maxBytes;
        return new OutputArchive(settings.home()).read(run, channel, offset, (int) visible);
    }

    /** Returns how long stopping a process takes at most: the grace period, and some time to save its changes. */
    public Duration stopTimeout() {
        return settings.processes.grace().plus(SAVE_TIME);
    }

    /** Returns the settings. */
    public Settings settings() {
        return settings;
    }

    /** Returns the processes of the node. */
    public Processes processes() {
        return processes;
    }

    WorktreePool worktrees() {
        return worktrees;
    }

    RunRecorder recorder() {
        return recorder;
    }

    /** Stops the processes that are still running, and removes the spare worktrees. */
    @Override
    public void close() {
        close(open);
    }

    private static void close(Deque<AutoCloseable> open) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("Could not close the runtime cleanly: {}", e.getMessage());
            }
        }
    }
}

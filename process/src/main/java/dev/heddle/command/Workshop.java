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
import java.util.Optional;

import dev.heddle.external.External;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.output.Capture;
import dev.heddle.output.OutputHome;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.EnvironmentRules;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import dev.heddle.process.Tools;
import dev.heddle.process.Variable;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.worktree.Owner;
import dev.heddle.worktree.Worktrees;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Where commands and external workers run: the processes, worktrees, output and artifacts of one node, below its home.
 *
 * {@snippet :
 * SqliteStore store = SqliteStore.at(home.resolve("heddle.db"));
 * try (Workshop workshop = Workshop.open(Workshop.Settings.in(home), store);
 *         Pool pool = workshop.add(lint, Pool.on(store)).open()) {
 *     pool.submit(lint.type(), payload);
 * }
 * }
 *
 * <p>Opening comes before the pool's: it ends the processes that a dead node left, saves what they changed, and keeps
 * the end of what they wrote. Closing comes after the pool's.
 */
public final class Workshop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workshop.class);
    private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(1);

    private final Settings settings;
    private final Processes processes;
    private final Worktrees worktrees;
    private final Records records;
    /** What to close, the last that was opened first. */
    private final Deque<AutoCloseable> open;

    /**
     * How commands run.
     *
     * @param home where all of it is kept; one node at a time
     * @param processes how processes are held and ended
     * @param worktrees where worktrees are, and what becomes of them
     * @param environment which variables commands inherit
     * @param outputLimit the most bytes that one attempt may write; default 1 GB
     * @param config the configuration of the node, which commands are told; null where there is none
     */
    public record Settings(Path home, ProcessSettings processes, Worktrees.Settings worktrees,
            EnvironmentRules environment, long outputLimit, @Nullable Path config) {

        public Settings {
            home = home.toAbsolutePath().normalize();
        }

        /** The defaults, below the home. */
        public static Settings in(Path home) {
            return new Settings(home, ProcessSettings.in(home.resolve("processes")),
                    Worktrees.Settings.in(home.resolve("worktrees")), EnvironmentRules.standard(),
                    Capture.STANDARD_LIMIT, null);
        }

        public Settings processes(ProcessSettings changed) {
            return new Settings(home, changed, worktrees, environment, outputLimit, config);
        }

        public Settings worktrees(Worktrees.Settings changed) {
            return new Settings(home, processes, changed, environment, outputLimit, config);
        }

        public Settings environment(EnvironmentRules changed) {
            return new Settings(home, processes, worktrees, changed, outputLimit, config);
        }

        public Settings outputLimit(long bytes) {
            return new Settings(home, processes, worktrees, environment, bytes, config);
        }

        public Settings config(Path file) {
            return new Settings(home, processes, worktrees, environment, outputLimit,
                    file.toAbsolutePath().normalize());
        }

    }

    private Workshop(Settings settings, Processes processes, Worktrees worktrees, Records records,
            Deque<AutoCloseable> open) {
        this.settings = settings;
        this.processes = processes;
        this.worktrees = worktrees;
        this.records = records;
        this.open = open;
    }

    /** Clears up what a dead node left, and is ready for commands. */
    public static Workshop open(Settings settings, RunArchive archive) {
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            open.push(lock(settings.home));
            Processes processes = Processes.open(settings.processes);
            open.push(processes);
            Worktrees worktrees = Worktrees.open(settings.worktrees);
            open.push(worktrees);
            Records records = new Records(settings, archive);
            worktrees.sweep((path, owner) -> !processes.inside(path).isEmpty()
                    || outlives(settings.home, owner), records::found);
            records.recover();
            Thread tidying = Thread.ofPlatform().daemon().name("heddle-workshop")
                    .start(() -> keepTidy(records));
            open.push(tidying::interrupt);
            return new Workshop(settings, processes, worktrees, records, open);
        } catch (RuntimeException e) {
            close(open);
            throw e;
        }
    }

    private static boolean outlives(Path home, Owner owner) {
        JobId job = owner.job();
        return job != null && new RunFiles(home, job, owner.attempt()).outlives();
    }

    private static void keepTidy(Records records) {
        try {
            while (true) {
                Thread.sleep(BETWEEN_SWEEPS);
                records.tidy();
            }
        } catch (InterruptedException e) {
            LOG.debug("Closing");
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
            LOG.debug("In use by this very process", e);
        } catch (IOException e) {
            throw new IllegalStateException("cannot run commands in " + home + ": " + e.getMessage(), e);
        }
        throw new IllegalStateException(
                home + " is in use by another node; give each node a home of its own");
    }

    /**
     * Lets the pool run jobs of this command.
     *
     * @throws dev.heddle.process.LaunchException where a tool that it needs is missing
     */
    public PoolBuilder add(Command command, PoolBuilder pool) {
        require(command.setting(), command.setting().environment().tools());
        return held(command.name(), pool).handle(command.type().stopWithin(stopTime()), handler(command));
    }

    /** Lets a pool that is open run jobs of this command. */
    public void add(Command command, Pool pool) {
        require(command.setting(), command.setting().environment().tools());
        pool.handle(command.type().stopWithin(stopTime()), handler(command));
    }

    /**
     * Makes sure that these programs are there.
     *
     * @throws dev.heddle.process.LaunchException where one is missing
     */
    public void require(Setting setting, List<String> programs) {
        Tools.require(programs, environment(setting, Map.of()));
    }

    /** What a process finds in its environment. */
    Map<String, String> environment(Setting setting, Map<Variable, String> told) {
        return settings.environment.allowing(setting.environment().allowed()).environment(System.getenv(),
                told,
                setting.environment().variables());
    }

    /** A run begins: from now on somebody will find it, whatever happens. */
    public Site begin(Setting setting, JobContext job) throws IOException {
        return new Site(this, setting, job, records.begin(job.id(), job.attempt()));
    }

    /** A run that another attempt of the job began, perhaps on a node that is gone, and left at work. */
    public Site resume(Setting setting, JobContext job, int attempt) {
        return new Site(this, setting, job, records.resume(job.id(), attempt));
    }

    /** Runs that outlive their node, and that no attempt here sees to. */
    public List<RunFiles> leftRunning() {
        try {
            return RunFiles.unended(settings.home).stream().filter(RunFiles::outlives)
                    .filter(files -> !records.isActive(files)).toList();
        } catch (IOException e) {
            LOG.warn("Cannot look for runs that were left: {}", e.getMessage());
            return List.of();
        }
    }

    /** Nobody sees to the run any more, and its processes have ended: what it changed is kept, and its record. */
    public void abandon(RunFiles files) {
        worktrees.find(files.job(), files.attempt()).flatMap(worktrees::giveBack)
                .ifPresentOrElse(saved -> records.endUnseen(files, Records.work(saved)),
                        () -> records.endUnseen(files, null));
    }

    /** Lets the pool run jobs of this type on processes that stay. */
    public PoolBuilder add(External<?, ?> external, PoolBuilder pool) {
        Path config = settings.config;
        return pool.with(external.on(processes, settings.environment,
                config == null ? Map.of() : Map.of(Variable.CONFIG_PATH, config.toString())));
    }

    /** Lets the pool run command lines that come with the job, see {@link FreeCommand}. */
    public PoolBuilder addFree(String type, PoolBuilder pool) {
        return held(type, pool).handle(FreeCommand.type(type).stopWithin(stopTime()),
                (request, job) -> new Attempt(this, FreeCommand.command(type, request), null, job).run());
    }

    /** Where memory or disk is short, jobs of the type stay queued. */
    private PoolBuilder held(String type, PoolBuilder pool) {
        return pool.gate(asked -> asked.equals(type) ? processes.shortage() : Optional.empty());
    }

    private JobHandler<JsonNode, JsonNode> handler(Command command) {
        return (payload, job) -> new Attempt(this, command.filled(payload), payload, job).run();
    }

    /** Until it is killed, and a while to save what it did. */
    public Duration stopTime() {
        return settings.processes.grace().plusSeconds(5);
    }

    public Settings settings() {
        return settings;
    }

    public Processes processes() {
        return processes;
    }

    Worktrees worktrees() {
        return worktrees;
    }

    Records records() {
        return records;
    }

    /**
     * Output of a run that has its files here, as {@link OutputHome#read} has it; while the run goes on, no further than
     * its limit, where it may yet be cut.
     */
    public Optional<byte[]> read(Run run, Run.Channel channel, long offset, int most) {
        boolean mayBeCut = records.isActive(new RunFiles(settings.home, run.job(), run.attempt()));
        long visible = mayBeCut ? Math.clamp(settings.outputLimit / 2 - offset, 0, most) : most;
        return new OutputHome(settings.home).read(run, channel, offset, (int) visible);
    }

    /** Deletes the files of jobs that are gone. Happens by itself every minute. */
    public void tidy() {
        records.tidy();
    }

    /** Ends what still runs, and removes the worktrees that are held ready. */
    @Override
    public void close() {
        close(open);
    }

    private static void close(Deque<AutoCloseable> open) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("Could not close cleanly: {}", e.getMessage());
            }
        }
    }
}

package dev.heddle.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.command.WorkspaceSpec.Location;
import dev.heddle.job.JobCaller;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.output.Artifacts.Collected;
import dev.heddle.output.OutputLimiter;
import dev.heddle.output.OutputTail;
import dev.heddle.output.RunFiles;
import dev.heddle.process.Confinement;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Sandbox;
import dev.heddle.process.environment.EnvironmentVariable;
import dev.heddle.process.files.ScratchDirectory;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.run.Run.Usage;
import dev.heddle.run.Run.Work;
import dev.heddle.worktree.Worktree;
import dev.heddle.worktree.WorktreeException;
import dev.heddle.worktree.WorktreeMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The working directory and the files of one run. Use it in this order: {@link #prepare}, {@link #launch} for each
 * process, {@link #close} after all processes have ended. Closing copies the artifacts out, releases the worktree, and
 * stores the record of the run.
 */
public final class Workspace {

    private static final String PAYLOAD = "payload.json";
    private static final String RESULT = "result.json";
    /** Git refuses to work in a repository of another user unless it is told that this is intended. */
    private static final Map<String, String> ANY_OWNER = Map.of("GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0",
            "safe.directory", "GIT_CONFIG_VALUE_0", "*");

    private final CommandRuntime runtime;
    private final WorkspaceSpec spec;
    private final JobContext job;
    private final RunFiles files;
    private final OutputLimiter limiter;
    private final OutputTail tail;
    private @Nullable Worktree tree;
    private @Nullable Path directory;
    /** Where a confined process finds its payload and leaves its result; it cannot reach the node's home. */
    private @Nullable ScratchDirectory exchange;
    /** The token of the processes; null if they have none, or if it was issued on a node that is gone. */
    private @Nullable String token;
    private @Nullable String tokenHash;

    Workspace(CommandRuntime runtime, WorkspaceSpec spec, JobContext job, RunFiles files) {
        this.runtime = runtime;
        this.spec = spec;
        this.job = job;
        this.files = files;
        this.limiter = new OutputLimiter(files, runtime.settings().outputLimit());
        this.tail = new OutputTail(files, job::output);
    }

    /** Returns the files of the run. */
    public RunFiles files() {
        return files;
    }

    /**
     * Creates the worktree if the spec asks for one, and gives it to the user as which the processes run.
     *
     * @throws JobException if the worktree cannot be created
     * @throws LaunchException if that user cannot reach the working directory
     */
    public void prepare() throws IOException {
        locate();
        Confinement confinement = spec.confinement();
        confinement.requireEntry(Objects.requireNonNull(directory));
        if (tree != null) {
            confinement.handOver(tree.path());
            confinement.handOver(Objects.requireNonNull(tree.metadata().gitDirectory()));
        }
    }

    private void locate() {
        switch (spec.location()) {
            case Location.Directory(Path path) -> directory = path;
            case Location.Worktree(Path repository, String ref) -> {
                try {
                    tree = runtime.worktrees().acquire(repository, ref, files.job(), files.attempt());
                } catch (WorktreeException e) {
                    throw toJobException(e.kind() == WorktreeException.Kind.TRANSIENT, e);
                }
                directory = tree.path();
            }
        }
    }

    /** Creates the files that commands share with the node, at a place that they can reach. */
    void shareFiles() throws IOException {
        if (!spec.confinement().equals(Confinement.NONE)) {
            exchange = ScratchDirectory.createInTemp();
            if (Files.exists(files.payload())) {
                Files.copy(files.payload(), payloadPath());
            }
            spec.confinement().handOver(exchange.path());
        }
    }

    /** Returns where commands find their payload. */
    Path payloadPath() {
        return exchange == null ? files.payload() : exchange.path().resolve(PAYLOAD);
    }

    /** Brings the result of a confined command to where that of any other is. */
    void fetchResult() throws IOException {
        if (exchange != null) {
            Path result = exchange.path().resolve(RESULT);
            if (Files.isRegularFile(result, LinkOption.NOFOLLOW_LINKS)) {
                Files.copy(result, files.result(), LinkOption.NOFOLLOW_LINKS);
            }
        }
    }

    /** Attaches to the working directory of a run that an earlier attempt started, possibly on a node that is gone. */
    public void reattach() {
        tryTo("continue the log", () -> {
            tail.resume();
            return null;
        });
        switch (spec.location()) {
            case Location.Directory(Path path) -> directory = path;
            case Location.Worktree _ -> {
                tree = runtime.worktrees().takeOver(files.job(), files.attempt()).orElse(null);
                directory = tree == null ? null : tree.path();
            }
        }
    }

    /** Converts the failure to start a process into that of the job. */
    public static JobException toJobException(LaunchException e) {
        return toJobException(e.kind().isTransient(), e);
    }

    private static JobException toJobException(boolean isTransient, RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        return isTransient ? JobException.transientFailure(message, e) : JobException.permanent(message, e);
    }

    /** Returns how to launch a process in this workspace. The caller adds its input and output. */
    public Launch launch(List<String> commandLine, Map<EnvironmentVariable, String> more) {
        Path place = Objects.requireNonNull(directory, "call prepare() or reattach() first");
        Map<EnvironmentVariable, String> variables = new EnumMap<>(Map.of(EnvironmentVariable.JOB_ID,
                files.job().toString(), EnvironmentVariable.WORKER_ID, job.worker(), EnvironmentVariable.ATTEMPT,
                Integer.toString(files.attempt())));
        variables.putAll(more);
        Confinement confinement = spec.confinement();
        if (exchange != null) {
            variables.put(EnvironmentVariable.RESULT_PATH, exchange.path().resolve(RESULT).toString());
        } else if (confinement.equals(Confinement.NONE)) {
            variables.put(EnvironmentVariable.RESULT_PATH, files.result().toString());
        }
        if (tree != null) {
            variables.put(EnvironmentVariable.WORKTREE_PATH, place.toString());
        }
        Path config = runtime.settings().config();
        if (config != null && confinement.sandbox() == null) {
            variables.put(EnvironmentVariable.CONFIG_PATH, config.toString());
        }
        addToken(variables);
        Map<String, String> environment = new HashMap<>(runtime.environment(spec, variables));
        if (tree != null && confinement.user() != null) {
            environment.putAll(ANY_OWNER);
        }
        Launch launch = Launch.of("job " + files.job() + "/" + files.attempt(), commandLine).environment(environment)
                .confinement(withPaths(confinement));
        return tree == null ? launch.in(place) : launch.inExclusive(place);
    }

    /** All processes of the run share one token. */
    private void addToken(Map<EnvironmentVariable, String> variables) {
        JobTokens tokens = runtime.settings().tokens();
        Optional<URI> api = tokens == null ? Optional.empty() : tokens.api();
        if (tokens != null && api.isPresent()) {
            if (token == null) {
                token = tokens.next();
                admit(JobTokens.hash(token));
            }
            variables.put(EnvironmentVariable.API_URL, api.get().toString());
            variables.put(EnvironmentVariable.JOB_TOKEN, token);
        }
    }

    /** Makes the token of a process valid again that another node has started. */
    public void restoreToken() {
        if (tokenHash == null && Files.isRegularFile(files.tokenHash())) {
            admit(tryTo("read the hash of its token", () -> Files.readString(files.tokenHash())));
        }
    }

    private void admit(@Nullable String hash) {
        JobTokens tokens = runtime.settings().tokens();
        if (tokens != null && hash != null) {
            tokenHash = hash;
            tokens.admit(hash, new JobCaller(job, spec.spawns()));
        }
    }

    private void revokeToken() {
        JobTokens tokens = runtime.settings().tokens();
        if (tokens != null && tokenHash != null) {
            tokens.revoke(tokenHash, job);
        }
    }

    /**
     * Hides the node's files from a sandbox, except for those of the run. Git can read the repository, write objects
     * and the worktree's own part of it, but neither configuration nor hooks, which would run outside of the sandbox.
     */
    private Confinement withPaths(Confinement confinement) {
        Sandbox sandbox = confinement.sandbox();
        if (sandbox == null) {
            return confinement;
        }
        CommandRuntime.Settings settings = runtime.settings();
        List<Path> hidden = new ArrayList<>(List.of(settings.home(), settings.worktrees().baseDirectory()));
        if (settings.config() != null) {
            hidden.add(settings.config());
        }
        sandbox = sandbox.hide(hidden);
        if (exchange != null) {
            sandbox = sandbox.write(List.of(exchange.path()));
        }
        if (tree != null) {
            WorktreeMetadata metadata = tree.metadata();
            sandbox = sandbox.read(List.of(metadata.repository()))
                    .write(List.of(metadata.repository().resolve("objects"),
                            Objects.requireNonNull(metadata.gitDirectory())));
        }
        return confinement.sandbox(sandbox);
    }

    /**
     * Adds the output to the log of the job, and keeps it within its limit.
     *
     * @return whether anything was written since the last call
     */
    public boolean limitOutput() throws IOException {
        tail.poll();
        return limiter.enforce();
    }

    /**
     * Notes on disk that the run continues if the node ends. Call this after {@link #launch} and before starting the
     * process.
     */
    public void markOutlivesNode() throws IOException {
        if (tokenHash != null) {
            Files.writeString(files.tokenHash(), tokenHash);
        }
        files.markOutlivesNode();
        tail.savePosition();
    }

    /** Leaves the run as it is, for the attempt that will take it over. */
    public void detach() {
        revokeToken();
        runtime.recorder().leave(files);
    }

    /**
     * Cleans up after all processes have ended. If one part of it fails, that is logged and the rest is done anyway.
     *
     * @param exitCode the exit code of the last process; null if none was started
     * @param usage what an agent used; null for commands
     */
    public void close(@Nullable Integer exitCode, @Nullable Usage usage) {
        revokeToken();
        uninterrupted(() -> cleanUp(exitCode, usage));
    }

    /**
     * Runs an action on a thread that nobody interrupts, because an interrupt would close the files that are being
     * written. The caller waits for it and gets its interrupt back afterwards.
     */
    private static void uninterrupted(Runnable action) {
        Thread thread = Thread.ofPlatform().daemon().name("heddle-clean-up").start(action);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void cleanUp(@Nullable Integer exitCode, @Nullable Usage usage) {
        tryTo("add the output to the log", () -> {
            tail.finish();
            return null;
        });
        boolean cut = Boolean.TRUE.equals(tryTo("limit the output", limiter::finish));
        List<Artifact> artifacts = tryTo("copy the artifacts", this::copyArtifacts);
        Work work = tryTo("release the worktree", this::releaseWorktree);
        if (exchange != null) {
            exchange.close();
        }
        Run run = runtime.recorder().newRecord(files);
        tryTo("store the record of the run", () -> {
            runtime.recorder().finish(files, new Run(run.job(), run.attempt(), run.place(), exitCode, work,
                    artifacts == null ? List.of() : artifacts, cut, usage));
            return null;
        });
    }

    private interface Action<T> {
        @Nullable T run() throws IOException;
    }

    private <T> @Nullable T tryTo(String purpose, Action<T> action) {
        try {
            return action.run();
        } catch (IOException | RuntimeException e) {
            job.log().warn("Cleaning up after job {}: could not {}: {}", files.job(), purpose, e.getMessage());
            return null;
        }
    }

    private List<Artifact> copyArtifacts() throws IOException {
        if (directory == null || !Files.isDirectory(directory)) {
            return List.of();
        }
        Collected collected = spec.artifacts().collect(directory, files.artifacts());
        collected.rejected().forEach(rejected -> job.log().warn("Artifact not copied: {}", rejected));
        return collected.artifacts();
    }

    private @Nullable Work releaseWorktree() {
        return tree == null ? null : runtime.worktrees().release(tree).map(RunRecorder::toWork).orElse(null);
    }
}

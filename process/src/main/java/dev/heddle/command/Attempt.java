package dev.heddle.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.command.Command.Place;
import dev.heddle.command.Command.Step;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.output.Artifacts.Collected;
import dev.heddle.output.Capture;
import dev.heddle.output.OutputReader;
import dev.heddle.output.RunFiles;
import dev.heddle.process.Exit;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Output;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.Variable;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.run.Run.Work;
import dev.heddle.worktree.Worktree;
import dev.heddle.worktree.WorktreeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One attempt at a command: its steps, one after the other, and whatever happens, what has to be done after them. */
final class Attempt {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final long MOST_RESULT = 16 << 20;
    private static final int MOST_SAID = 300;

    private final Workshop workshop;
    private final Command command;
    private final @Nullable JsonNode payload;
    private final JobContext job;
    private @Nullable RunningProcess running;
    private @Nullable Worktree tree;
    private @Nullable Integer exitCode;

    /** The payload is null for a command that is told nothing. */
    Attempt(Workshop workshop, Command command, @Nullable JsonNode payload, JobContext job) {
        this.workshop = workshop;
        this.command = command;
        this.payload = payload;
        this.job = job;
    }

    @Nullable
    JsonNode run() throws IOException {
        RunFiles files = workshop.records().begin(job.id(), job.attempt());
        Capture capture = new Capture(files, workshop.settings().outputLimit());
        try {
            if (payload != null) {
                Files.write(files.payload(), JSON.writeValueAsBytes(payload));
            }
            Path directory = directory();
            job.cancellation().onCancel(this::stop);
            for (Step step : command.steps()) {
                run(step, launch(step, directory, files), capture, files);
            }
            return result(files);
        } catch (LaunchException e) {
            exitCode = e.kind().exitCode();
            throw translated(e.kind().isTransient(), e);
        } catch (WorktreeException e) {
            throw translated(e.kind() == WorktreeException.Kind.TROUBLE, e);
        } finally {
            uninterrupted(() -> cleanUp(files, capture));
        }
    }

    private static JobException translated(boolean mayPass, RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        return mayPass ? JobException.transientFailure(message, e) : JobException.permanent(message, e);
    }

    private Path directory() {
        return switch (command.place()) {
            case Place.Directory(Path path) -> path;
            case Place.Worktree(Path repository, String ref) -> {
                tree = workshop.worktrees().take(repository, ref, job.id(), job.attempt());
                yield tree.path();
            }
        };
    }

    private Launch launch(Step step, Path directory, RunFiles files) {
        Map<Variable, String> told = new EnumMap<>(
                Map.of(Variable.JOB_ID, job.id().toString(), Variable.WORKER_ID,
                        job.worker(), Variable.ATTEMPT, Integer.toString(job.attempt()), Variable.RESULT_PATH,
                        files.result().toString()));
        if (payload != null) {
            told.put(Variable.PAYLOAD_PATH, files.payload().toString());
        }
        if (tree != null) {
            told.put(Variable.WORKTREE_PATH, directory.toString());
        }
        Path config = workshop.settings().config();
        if (config != null) {
            told.put(Variable.CONFIG_PATH, config.toString());
        }
        Launch launch = Launch.of("job " + job.id() + "/" + job.attempt(), step.line())
                .environment(workshop.settings().environment().allowing(command.environment().allowed())
                        .environment(System.getenv(), told, command.environment().variables()))
                .input(payload == null ? Input.none() : Input.from(files.payload()))
                .output(Output.to(files.stdout())).errors(Output.to(files.stderr()));
        return tree == null ? launch.in(directory) : launch.inOwn(directory);
    }

    private void run(Step step, Launch launch, Capture capture, RunFiles files) throws IOException {
        requireGoingOn();
        RunningProcess process = start(launch);
        job.log().info("Started {} {}: {}", step.name(), process.identity().pid(), step.line());
        Exit exit = await(process, capture);
        exitCode = exit.code();
        job.log().info("Ended {} {}: {}", step.name(), process.identity().pid(), exit);
        if (exit.stopped()) {
            // Also where it ended well: it was told to stop and may have done half of its work.
            throw stopped();
        }
        if (!exit.isClean()) {
            throw failure(step, exit, files);
        }
    }

    /** A stop that comes while it starts is not missed: either it sees the process, or we see it. */
    private RunningProcess start(Launch launch) {
        RunningProcess process = workshop.processes().start(launch);
        synchronized (this) {
            running = process;
        }
        if (job.cancellation().isCancelled()) {
            process.stop();
        }
        return process;
    }

    private synchronized void stop() {
        if (running != null) {
            running.stop();
        }
    }

    private void requireGoingOn() {
        if (job.cancellation().isCancelled()) {
            throw stopped();
        }
    }

    /** Goes back to the queue, unless it must not silently run twice. */
    private RuntimeException stopped() {
        String reason = job.cancellation().reason().orElse("the node closes");
        return command.type().isIdempotent() ? new JobCancelledException(reason)
                : JobException.permanent("stopped before it had ended (" + reason
                        + "); it is not run again by itself, as nobody knows what it has done");
    }

    private Exit await(RunningProcess process, Capture capture) throws IOException {
        CompletableFuture<Exit> exit = process.exit().toCompletableFuture();
        while (true) {
            try {
                return exit.get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (capture.check()) {
                    job.heartbeat();
                }
            } catch (InterruptedException e) {
                // The pool's patience is at an end: no more waiting for it to end by itself.
                process.stop(Duration.ZERO);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private JobException failure(Step step, Exit exit, RunFiles files) throws IOException {
        String said = OutputReader.tail(files.stderr(), 4096).lines().filter(line -> !line.isBlank())
                .reduce((_, last) -> last).map(String::strip).orElse("");
        String message = step.line().getFirst() + ": " + exit
                + (said.isEmpty() ? "" : ": " + said.substring(0, Math.min(said.length(), MOST_SAID)));
        JobException failure = command.permanentExits().contains(exit.code())
                ? JobException.permanent(message)
                : JobException.transientFailure(message);
        return failure.in(step.name());
    }

    private static @Nullable JsonNode result(RunFiles files) throws IOException {
        if (!Files.isRegularFile(files.result())) {
            return null;
        }
        if (Files.size(files.result()) > MOST_RESULT) {
            throw JobException.permanent("the result is larger than " + MOST_RESULT
                    + " bytes; write a file and name it as an artifact instead");
        }
        try {
            return JSON.readTree(new String(Files.readAllBytes(files.result()), StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            throw JobException.permanent(
                    "the result that the command wrote is no JSON: " + e.getOriginalMessage(),
                    e);
        }
    }

    /**
     * On a thread of its own, which nobody interrupts: an interrupt would close the files that are being written. The
     * caller waits all the same, and has its interrupt back afterwards.
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

    /** Each part for itself: what fails is logged and keeps nothing else from being done. */
    private void cleanUp(RunFiles files, Capture capture) {
        boolean cut = Boolean.TRUE.equals(guarded("the output could not be capped", capture::finish));
        List<Artifact> artifacts = guarded("artifacts could not be copied", () -> artifacts(files));
        Work work = guarded("its worktree could not be given back", this::giveBack);
        Run run = workshop.records().run(files);
        guarded("its record could not be kept", () -> {
            workshop.records().end(files, new Run(run.job(), run.attempt(), run.place(), exitCode, work,
                    artifacts == null ? List.of() : artifacts, cut));
            return null;
        });
    }

    private interface Part<T> {
        @Nullable
        T run() throws IOException;
    }

    private <T> @Nullable T guarded(String otherwise, Part<T> part) {
        try {
            return part.run();
        } catch (IOException | RuntimeException e) {
            job.log().warn("Clean-up of job {}: {}: {}", job.id(), otherwise, e.getMessage());
            return null;
        }
    }

    private List<Artifact> artifacts(RunFiles files) throws IOException {
        Path from = tree != null ? tree.path()
                : command.place() instanceof Place.Directory(Path path) ? path : null;
        if (from == null || !Files.isDirectory(from)) {
            return List.of();
        }
        Collected collected = command.artifacts().collect(from, files.artifacts());
        collected.refused().forEach(refused -> job.log().warn("Artifact refused: {}", refused));
        return collected.artifacts();
    }

    private @Nullable Work giveBack() {
        return tree == null ? null : workshop.worktrees().giveBack(tree).map(Records::work).orElse(null);
    }
}

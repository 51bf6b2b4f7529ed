package dev.heddle.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.command.CommandSpec.Step;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JsonMappers;
import dev.heddle.output.OutputReader;
import dev.heddle.output.RunFiles;
import dev.heddle.process.Exit;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Output;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.environment.EnvironmentVariable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One attempt at a command: runs its steps in order, and cleans up whatever happens. */
final class CommandAttempt {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final long MAX_RESULT_BYTES = 16 << 20;
    private static final int STDERR_TAIL = 4096;
    private static final int MAX_MESSAGE = 300;

    private final CommandRuntime runtime;
    private final CommandSpec command;
    private final @Nullable JsonNode payload;
    private final JobContext job;
    private @Nullable RunningProcess running;
    private @Nullable Integer exitCode;

    /** The payload is null if the command gets none. */
    CommandAttempt(CommandRuntime runtime, CommandSpec command, @Nullable JsonNode payload, JobContext job) {
        this.runtime = runtime;
        this.command = command;
        this.payload = payload;
        this.job = job;
    }

    @Nullable JsonNode run() throws IOException {
        Workspace workspace = runtime.openWorkspace(command.workspace(), job);
        RunFiles files = workspace.files();
        try {
            if (payload != null) {
                Files.write(files.payload(), JSON.writeValueAsBytes(payload));
            }
            prepare(workspace);
            job.cancellation().onCancel(this::stop);
            for (Step step : command.steps()) {
                run(step, launch(step, workspace), workspace);
            }
            workspace.fetchResult();
            return result(files);
        } finally {
            workspace.close(exitCode, null);
        }
    }

    private void prepare(Workspace workspace) throws IOException {
        try {
            workspace.prepare();
            workspace.shareFiles();
        } catch (LaunchException e) {
            exitCode = e.kind().exitCode();
            throw Workspace.toJobException(e);
        }
    }

    private Launch launch(Step step, Workspace workspace) {
        RunFiles files = workspace.files();
        return workspace
                .launch(step.commandLine(),
                        payload == null ? Map.of()
                                : Map.of(EnvironmentVariable.PAYLOAD_PATH, workspace.payloadPath().toString()))
                .input(payload == null ? Input.none() : Input.from(files.payload())).output(Output.to(files.stdout()))
                .errors(Output.to(files.stderr()));
    }

    private void run(Step step, Launch launch, Workspace workspace) throws IOException {
        if (job.cancellation().isCancelled()) {
            throw stopped();
        }
        long earlierErrors = OutputReader.size(workspace.files().stderr());
        RunningProcess process = start(step, launch);
        job.log().info("Started {} {}", step.name(), process.identity().pid());
        job.log().debug("Command line of {}: {}", process.identity().pid(), step.commandLine());
        Exit exit = await(process, workspace);
        exitCode = exit.code();
        job.log().info("Ended {} {}: {}", step.name(), process.identity().pid(), exit);
        if (exit.stopped()) {
            // Even if it exited with 0: it was told to stop and may have done half of its work.
            throw stopped();
        }
        if (!exit.isClean()) {
            throw failure(step, exit, workspace.files(), earlierErrors);
        }
    }

    /**
     * A cancellation during the start is not missed: either {@link #stop} sees the process, or this sees the
     * cancellation.
     */
    private RunningProcess start(Step step, Launch launch) {
        RunningProcess process;
        try {
            process = runtime.processes().start(launch);
        } catch (LaunchException e) {
            exitCode = e.kind().exitCode();
            JobException failure = Workspace.toJobException(e);
            throw isMain(step) ? failure : failure.in(step.name()); // the main step itself did not even begin
        }
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

    /** An idempotent job returns to the queue. Any other job must not run again unless someone retries it. */
    private RuntimeException stopped() {
        Optional<String> reason = job.cancellation().reason();
        String shown = reason.orElse("the node is closing");
        if (!command.type().isIdempotent()) {
            return JobException.permanent("stopped before it ended (" + shown
                    + "); not retried, because it is not idempotent and may have done part of its work")
                    .withoutStackTrace();
        }
        return reason.isPresent() ? new JobCancelledException(shown)
                : JobException.transientFailure("stopped before it ended (" + shown + ")").withoutStackTrace();
    }

    private Exit await(RunningProcess process, Workspace workspace) throws IOException {
        CompletableFuture<Exit> exit = process.exit().toCompletableFuture();
        while (true) {
            try {
                return exit.get(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (workspace.limitOutput()) {
                    job.heartbeat();
                }
            } catch (InterruptedException e) {
                // The pool does not wait any longer for the process to end by itself.
                process.stop(Duration.ZERO);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Explains a failure by the last line that the step itself wrote to stderr, which it shares with earlier steps. */
    private JobException failure(Step step, Exit exit, RunFiles files, long earlierErrors) throws IOException {
        long errors = OutputReader.size(files.stderr()) - earlierErrors;
        String lastLine = OutputReader.lastLine(files.stderr(), Math.clamp(errors, 0, STDERR_TAIL));
        String name = isMain(step) ? "" : step.name() + ": ";
        String message = name + step.commandLine().getFirst() + ": " + exit
                + (lastLine.isEmpty() ? "" : ": " + lastLine.substring(0, Math.min(lastLine.length(), MAX_MESSAGE)));
        JobException failure = command.permanentExits().contains(exit.code()) ? JobException.permanent(message)
                : JobException.transientFailure(message);
        return failure.withoutStackTrace().in(step.name());
    }

    private static boolean isMain(Step step) {
        return step.name().equals(CommandSpec.COMMAND);
    }

    private static @Nullable JsonNode result(RunFiles files) throws IOException {
        if (!Files.isRegularFile(files.result())) {
            return null;
        }
        if (Files.size(files.result()) > MAX_RESULT_BYTES) {
            throw JobException.permanent("the result is larger than " + MAX_RESULT_BYTES
                    + " bytes; write a file and declare it as an artifact instead");
        }
        try {
            return JsonMappers.readStrictly(new String(Files.readAllBytes(files.result()), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw JobException.permanent("the result that the command wrote is not JSON: " + e.getMessage(), e);
        }
    }
}

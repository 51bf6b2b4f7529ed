package dev.heddle.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.command.Command.Step;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.NotJson;
import dev.heddle.output.OutputReader;
import dev.heddle.output.RunFiles;
import dev.heddle.process.Exit;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Output;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.Variable;
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
        Site site = workshop.begin(command.setting(), job);
        RunFiles files = site.files();
        try {
            if (payload != null) {
                Files.write(files.payload(), JSON.writeValueAsBytes(payload));
            }
            site.enter();
            job.cancellation().onCancel(this::stop);
            for (Step step : command.steps()) {
                run(step, launch(step, site), site);
            }
            return result(files);
        } catch (LaunchException e) {
            exitCode = e.kind().exitCode();
            throw Site.refused(e);
        } finally {
            site.leave(exitCode, null);
        }
    }

    private Launch launch(Step step, Site site) {
        RunFiles files = site.files();
        return site
                .launch(step.line(), payload == null ? Map.of()
                        : Map.of(Variable.PAYLOAD_PATH, files.payload().toString()))
                .input(payload == null ? Input.none() : Input.from(files.payload()))
                .output(Output.to(files.stdout())).errors(Output.to(files.stderr()));
    }

    private void run(Step step, Launch launch, Site site) throws IOException {
        requireGoingOn();
        RunningProcess process = start(launch);
        job.log().info("Started {} {}: {}", step.name(), process.identity().pid(), step.line());
        Exit exit = await(process, site);
        exitCode = exit.code();
        job.log().info("Ended {} {}: {}", step.name(), process.identity().pid(), exit);
        if (exit.stopped()) {
            // Also where it ended well: it was told to stop and may have done half of its work.
            throw stopped();
        }
        if (!exit.isClean()) {
            throw failure(step, exit, site.files());
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

    private Exit await(RunningProcess process, Site site) throws IOException {
        CompletableFuture<Exit> exit = process.exit().toCompletableFuture();
        while (true) {
            try {
                return exit.get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (site.check()) {
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
                    "the result that the command wrote is no JSON: " + NotJson.why(e), e);
        }
    }
}

package dev.heddle.process;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A started process together with everything that it starts. Thread-safe. */
public final class RunningProcess {

    private static final Logger LOG = LoggerFactory.getLogger(RunningProcess.class);

    private final ProcessRecord record;
    private final Process process;
    private final Processes processes;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private boolean stopped;
    private boolean killed;

    RunningProcess(ProcessRecord record, Process process, Processes processes) {
        this.record = record;
        this.process = process;
        this.processes = processes;
    }

    /** Completes {@link #exit()} as the stage completes. Called once. */
    void completeWith(CompletionStage<Exit> ending) {
        ending.whenComplete((how, problem) -> {
            if (problem == null) {
                exit.complete(how);
            } else {
                exit.completeExceptionally(problem);
            }
        });
    }

    /** Returns the mark that this process and all its descendants carry. */
    public String id() {
        return record.mark().toString();
    }

    /** Returns what the process is for, as the {@link Launch} named it. */
    public String label() {
        return record.label();
    }

    /** Returns the identity of the first process, which leads the session and the process group. */
    public ProcessIdentity identity() {
        return Objects.requireNonNull(record.identity());
    }

    /** Returns how strongly the process is isolated. */
    public Isolation isolation() {
        return record.isolation();
    }

    /** Returns the temp directory of the process, which is deleted when the process has ended. */
    public Path temp() {
        return record.temp();
    }

    /**
     * Returns the stream that feeds the standard input of the process, if it was launched with {@link Input#pipe}. The
     * stream is buffered: flush it.
     */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** Returns a stage that completes when nothing is left of the process and its output has been written. */
    public CompletionStage<Exit> exit() {
        return exit.minimalCompletionStage();
    }

    /** Waits for {@link #exit()}. */
    public Exit await() throws InterruptedException {
        try {
            return exit.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the process with the grace of the {@link ProcessSettings}. */
    public CompletionStage<Exit> stop() {
        return stop(processes.grace());
    }

    /**
     * Sends SIGTERM to the process group, and SIGKILL if the process has not ended within the grace. A grace of zero
     * kills at once. May be called again; the earliest deadline counts.
     */
    public synchronized CompletionStage<Exit> stop(Duration grace) {
        if (process.isAlive()) {
            if (!stopped) {
                LOG.atInfo().addKeyValue("run", label()).addKeyValue("pid", process.pid())
                        .log("Stopping {} (process {}) with a grace of {}", label(), process.pid(), grace);
            }
            if (!grace.isPositive()) {
                kill();
            } else {
                if (!stopped && !processes.platform().terminate(process.pid())) {
                    process.destroy();
                }
                processes.after(grace, this::kill);
            }
            stopped = true;
        }
        return exit();
    }

    private synchronized void kill() {
        if (process.isAlive() && !killed) {
            LOG.atInfo().addKeyValue("run", label()).addKeyValue("pid", process.pid()).log("Killing {} (process {})",
                    label(), process.pid());
            killed = true;
            if (!processes.platform().kill(process.pid())) {
                process.destroyForcibly();
            }
        }
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    ProcessRecord record() {
        return record;
    }

    Process process() {
        return process;
    }

    @Override
    public String toString() {
        return label() + " (process " + process.pid() + ")";
    }
}

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

/** A process that was started, with everything that it starts. Safe to use from any thread. */
public final class RunningProcess {

    private static final Logger LOG = LoggerFactory.getLogger(RunningProcess.class);

    private final Row row;
    private final Process process;
    private final Processes processes;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private boolean stopped;
    private boolean killed;

    RunningProcess(Row row, Process process, Processes processes) {
        this.row = row;
        this.process = process;
        this.processes = processes;
    }

    /** Said once: how it will end. */
    void endsBy(CompletionStage<Exit> ending) {
        ending.whenComplete((how, problem) -> {
            if (problem == null) {
                exit.complete(how);
            } else {
                exit.completeExceptionally(problem);
            }
        });
    }

    /** The mark that all its processes carry. */
    public String id() {
        return row.mark().toString();
    }

    /** What it is for, as the launch said. */
    public String run() {
        return row.run();
    }

    public ProcessIdentity identity() {
        return Objects.requireNonNull(row.identity());
    }

    /** How firmly it is held. */
    public Isolation isolation() {
        return row.isolation();
    }

    /** Its temp directory, which is gone once it has ended. */
    public Path temp() {
        return row.temp();
    }

    /** What it reads, where it was launched with {@link Input#pipe}. Buffered: flush what it shall see. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** Completes when it has ended, nothing of it is left, and its output is written. */
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

    /** Asks it to end, and kills it where it has not within the settings' time. */
    public CompletionStage<Exit> stop() {
        return stop(processes.grace());
    }

    /**
     * Asks it and its whole group to end (SIGTERM), and kills all of it (SIGKILL) where it has not within the time; with no
     * time at all, kills it at once. May be said again; the shortest time counts.
     */
    public synchronized CompletionStage<Exit> stop(Duration within) {
        if (process.isAlive()) {
            if (!stopped) {
                LOG.atInfo().addKeyValue("run", run()).addKeyValue("pid", process.pid())
                        .log("Stopping {} (process {}), {} to end", run(), process.pid(), within);
            }
            if (!within.isPositive()) {
                kill();
            } else {
                if (!stopped && !processes.platform().terminate(process.pid())) {
                    process.destroy();
                }
                processes.after(within, this::kill);
            }
            stopped = true;
        }
        return exit();
    }

    private synchronized void kill() {
        if (process.isAlive() && !killed) {
            LOG.atInfo().addKeyValue("run", run()).addKeyValue("pid", process.pid()).log(
                    "Killing {} (process {})",
                    run(), process.pid());
            killed = true;
            if (!processes.platform().kill(process.pid())) {
                process.destroyForcibly();
            }
        }
    }

    /** What is known once the first process has ended, and before anything is swept. */
    synchronized boolean isStopped() {
        return stopped;
    }

    /**
     * Whether something of it may live on. The first process of a namespace ends after all others, and exits as the
     * command did; only where a signal ended it in the middle of this may the others be a moment behind.
     */
    boolean mayHaveLeftovers(int code) {
        return row.isolation() != Isolation.NAMESPACE || code > 128;
    }

    Row row() {
        return row;
    }

    Process process() {
        return process;
    }

    @Override
    public String toString() {
        return run() + " (process " + process.pid() + ")";
    }
}

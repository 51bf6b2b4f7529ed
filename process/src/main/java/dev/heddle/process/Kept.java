package dev.heddle.process;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/** A process that a {@link Supervisor} keeps running: a succession of processes, of which at most one runs. */
public final class Kept {

    private final Supervisor supervisor;
    private final String name;
    private final Supervisor.Launcher launcher;
    private @Nullable RunningProcess process;
    private int generation = 1;
    private int crashes;
    private int starts;
    private boolean stopped;

    Kept(Supervisor supervisor, String name, Supervisor.Launcher launcher) {
        this.supervisor = supervisor;
        this.name = name;
        this.launcher = launcher;
    }

    /** Who runs under the name now: the name itself, and a number from the first replacement on. */
    public synchronized String worker() {
        return generation == 1 ? name : name + "-" + generation;
    }

    /** How often it has crashed since its last success. */
    public synchronized int crashes() {
        return crashes;
    }

    /** How often it was started in all. */
    public synchronized int starts() {
        return starts;
    }

    /** What runs now; empty between a crash and the restart. */
    public synchronized Optional<RunningProcess> process() {
        return Optional.ofNullable(process);
    }

    /** It has done something well: its crashes, and those of all, count from none again. */
    public synchronized void succeeded() {
        crashes = 0;
        supervisor.succeeded();
    }

    synchronized void start() {
        if (stopped) {
            return;
        }
        starts++;
        try {
            RunningProcess started = supervisor.processes().start(launcher.launch(worker()));
            process = started;
            started.exit().thenAccept(exit -> ended(started, exit.toString()));
        } catch (LaunchException e) {
            crashed(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void ended(RunningProcess which, String how) {
        if (process == which) {
            process = null;
            if (!stopped) {
                crashed(how);
            }
        }
    }

    private void crashed(String how) {
        crashes++;
        RestartPolicy.Remedy remedy = supervisor.remedy(worker(), crashes, how);
        if (remedy instanceof RestartPolicy.Remedy.Replace) {
            generation++;
            crashes = 0;
        }
        supervisor.later(remedy, this::start);
    }

    /** Stops it for good; completes when nothing of it is left. */
    public synchronized CompletionStage<Void> stop() {
        stopped = true;
        RunningProcess last = process;
        return last == null ? CompletableFuture.completedFuture(null)
                : last.stop().thenAccept(exit -> ended(last, exit.toString()));
    }
}

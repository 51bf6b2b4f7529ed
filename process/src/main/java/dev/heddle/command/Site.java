package dev.heddle.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.command.Setting.Place;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.output.Artifacts.Collected;
import dev.heddle.output.Capture;
import dev.heddle.output.RunFiles;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Variable;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.run.Run.Usage;
import dev.heddle.run.Run.Work;
import dev.heddle.worktree.Worktree;
import dev.heddle.worktree.WorktreeException;
import org.jspecify.annotations.Nullable;

/**
 * Where one run works: its directory or worktree, and its files. When its processes have ended, and whatever happened,
 * {@link #leave} does what has to be done: artifacts are copied out, the worktree is given back, the record is kept.
 */
public final class Site {

    private final Workshop workshop;
    private final Setting setting;
    private final JobContext job;
    private final RunFiles files;
    private final Capture capture;
    private @Nullable Worktree tree;
    private @Nullable Path directory;

    Site(Workshop workshop, Setting setting, JobContext job, RunFiles files) {
        this.workshop = workshop;
        this.setting = setting;
        this.job = job;
        this.files = files;
        this.capture = new Capture(files, workshop.settings().outputLimit());
    }

    public RunFiles files() {
        return files;
    }

    /** It goes on when the node ends. To be said before it is started. */
    public void outlive() throws IOException {
        files.outlive();
    }

    /** The node ends and the run does not: all of it stays as it is, for whoever takes it over. */
    public void leaveRunning() {
        workshop.records().leave(files);
    }

    /** Goes to work; makes the worktree where there is to be one. */
    public void enter() {
        switch (setting.place()) {
            case Place.Directory(Path path) -> directory = path;
            case Place.Worktree(Path repository, String ref) -> {
                try {
                    tree = workshop.worktrees().take(repository, ref, files.job(), files.attempt());
                } catch (WorktreeException e) {
                    throw refused(e.kind() == WorktreeException.Kind.TROUBLE, e);
                }
                directory = tree.path();
            }
        }
    }

    /** What became of a process that could not be started. */
    public static JobException refused(LaunchException e) {
        return refused(e.kind().isTransient(), e);
    }

    private static JobException refused(boolean mayPass, RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        return mayPass ? JobException.transientFailure(message, e) : JobException.permanent(message, e);
    }

    /** Goes back to where an earlier attempt, perhaps of a node that is gone, has left a run at work. */
    public void enterAgain() {
        switch (setting.place()) {
            case Place.Directory(Path path) -> directory = path;
            case Place.Worktree _ -> {
                tree = workshop.worktrees().find(files.job(), files.attempt()).orElse(null);
                directory = tree == null ? null : tree.path();
            }
        }
    }

    /** A process of this run, without streams yet. */
    public Launch launch(List<String> line, Map<Variable, String> more) {
        Path place = Objects.requireNonNull(directory, "not entered");
        Map<Variable, String> told = new EnumMap<>(Map.of(Variable.JOB_ID, files.job().toString(),
                Variable.WORKER_ID, job.worker(), Variable.ATTEMPT, Integer.toString(files.attempt()),
                Variable.RESULT_PATH, files.result().toString()));
        told.putAll(more);
        if (tree != null) {
            told.put(Variable.WORKTREE_PATH, place.toString());
        }
        Path config = workshop.settings().config();
        if (config != null) {
            told.put(Variable.CONFIG_PATH, config.toString());
        }
        Launch launch = Launch.of("job " + files.job() + "/" + files.attempt(), line)
                .environment(workshop.environment(setting, told));
        return tree == null ? launch.in(place) : launch.inOwn(place);
    }

    /** Keeps the output within its limit; says whether anything was written since the last look. */
    public boolean check() throws IOException {
        return capture.check();
    }

    /** The processes have ended. What fails is logged and keeps nothing else from being done. */
    public void leave(@Nullable Integer exitCode, @Nullable Usage usage) {
        uninterrupted(() -> cleanUp(exitCode, usage));
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

    private void cleanUp(@Nullable Integer exitCode, @Nullable Usage usage) {
        boolean cut = Boolean.TRUE.equals(guarded("the output could not be capped", capture::finish));
        List<Artifact> artifacts = guarded("artifacts could not be copied", this::artifacts);
        Work work = guarded("its worktree could not be given back", this::giveBack);
        Run run = workshop.records().run(files);
        guarded("its record could not be kept", () -> {
            workshop.records().end(files, new Run(run.job(), run.attempt(), run.place(), exitCode, work,
                    artifacts == null ? List.of() : artifacts, cut, usage));
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
            job.log().warn("Clean-up of job {}: {}: {}", files.job(), otherwise, e.getMessage());
            return null;
        }
    }

    private List<Artifact> artifacts() throws IOException {
        if (directory == null || !Files.isDirectory(directory)) {
            return List.of();
        }
        Collected collected = setting.artifacts().collect(directory, files.artifacts());
        collected.refused().forEach(refused -> job.log().warn("Artifact refused: {}", refused));
        return collected.artifacts();
    }

    private @Nullable Work giveBack() {
        return tree == null ? null : workshop.worktrees().giveBack(tree).map(Records::work).orElse(null);
    }
}

package dev.heddle.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JobId;
import dev.heddle.output.OutputHome;
import dev.heddle.output.OutputReader;
import dev.heddle.output.RunFiles;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Work;
import dev.heddle.run.RunArchive;
import dev.heddle.run.RunArchive.Output;
import dev.heddle.store.StoreException;
import dev.heddle.worktree.Owner;
import dev.heddle.worktree.SavedWork;
import dev.heddle.worktree.WorktreeException;
import dev.heddle.worktree.Worktrees;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is kept of runs: in files below the home, and in the store as long as the job is there. */
final class Records {

    private static final Logger LOG = LoggerFactory.getLogger(Records.class);
    /** How much of the output goes to the store. */
    private static final int KEPT = 1 << 20;
    private static final int TIDIED_AT_ONCE = 100;

    private final Path home;
    private final String place;
    private final RunArchive archive;
    private final Set<RunFiles> active = ConcurrentHashMap.newKeySet();
    /** What dead nodes' attempts changed, until their records are written. */
    private final Map<RunFiles, Work> found = new HashMap<>();

    Records(Workshop.Settings settings, RunArchive archive) {
        this.home = settings.home();
        this.place = new OutputHome(settings.home()).place();
        this.archive = archive;
    }

    /** An attempt begins: from now on somebody will find it, whatever happens. */
    RunFiles begin(JobId job, int attempt) throws IOException {
        RunFiles files = new RunFiles(home, job, attempt);
        archive.keep(run(files), Output.NONE);
        files.begin();
        active.add(files);
        return files;
    }

    /** An attempt takes over what another one began. */
    RunFiles resume(JobId job, int attempt) {
        RunFiles files = new RunFiles(home, job, attempt);
        active.add(files);
        return files;
    }

    /** An attempt leaves its run to whoever comes next. */
    void leave(RunFiles files) {
        active.remove(files);
    }

    boolean isActive(RunFiles files) {
        return active.contains(files);
    }

    /** An attempt has ended. Where its job is gone meanwhile, nothing is kept. */
    void end(RunFiles files, Run run) throws IOException {
        try {
            if (!archive.keep(run, output(files))) {
                discard(run);
            }
            files.end();
        } finally {
            active.remove(files);
        }
    }

    /** An attempt that nobody saw to has ended. */
    void endUnseen(RunFiles files, @Nullable Work work) {
        try {
            end(files, work == null ? run(files) : run(files).with(work));
        } catch (IOException | StoreException e) {
            LOG.warn("The record of {} could not be kept: {}", files.directory(), e.getMessage());
        }
    }

    Run run(RunFiles files) {
        return Run.begun(files.job(), files.attempt(), place);
    }

    private static Output output(RunFiles files) throws IOException {
        String stderr = OutputReader.tail(files.stderr(), KEPT / 2);
        String stdout = OutputReader.tail(files.stdout(), KEPT - stderr.length());
        return new Output(stdout, stderr);
    }

    /** A worktree of a dead node had changes. */
    void found(Owner owner, SavedWork saved) {
        JobId job = owner.job();
        if (job != null) {
            found.put(new RunFiles(home, job, owner.attempt()), work(saved));
        }
    }

    static Work work(SavedWork saved) {
        return new Work(saved.repository().toString(), saved.base(), saved.ref());
    }

    /** Keeps what is known of attempts whose node died. */
    void recover() {
        try {
            for (RunFiles files : RunFiles.unended(home)) {
                if (files.outlives()) {
                    continue;
                }
                Work work = found.get(files);
                end(files, work == null ? run(files) : run(files).with(work));
            }
        } catch (IOException | StoreException e) {
            LOG.warn("What a dead node left in {} is looked at again at the next opening: {}", home,
                    e.getMessage());
        }
        found.clear();
        tidy();
    }

    /** Deletes the files of runs whose jobs are gone. */
    void tidy() {
        try {
            List<Run> gone = archive.leftBehind(place, TIDIED_AT_ONCE);
            while (!gone.isEmpty()) {
                for (Run run : gone) {
                    discard(run);
                }
                archive.forget(gone);
                gone = archive.leftBehind(place, TIDIED_AT_ONCE);
            }
        } catch (IOException | StoreException | WorktreeException e) {
            LOG.warn("Files of jobs that are gone could not all be deleted, tried again later: {}",
                    e.getMessage());
        }
    }

    private void discard(Run run) throws IOException {
        Work work = run.work();
        if (work != null) {
            Worktrees.forget(Path.of(work.repository()), work.ref());
        }
        new RunFiles(home, run.job(), run.attempt()).delete();
    }
}

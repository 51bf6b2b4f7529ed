package dev.heddle.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JobId;
import dev.heddle.output.OutputArchive;
import dev.heddle.output.OutputReader;
import dev.heddle.output.RunFiles;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Work;
import dev.heddle.run.RunArchive;
import dev.heddle.run.RunArchive.Output;
import dev.heddle.store.StoreException;
import dev.heddle.worktree.SavedWork;
import dev.heddle.worktree.WorktreeException;
import dev.heddle.worktree.WorktreeMetadata;
import dev.heddle.worktree.WorktreePool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the records of runs: files below the node's home, and rows in the store as long as the job exists. */
final class RunRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(RunRecorder.class);
    /** How much of the output the store keeps. */
    private static final int MAX_STORED_OUTPUT = 1 << 20;
    private static final int CLEAN_UP_BATCH = 100;

    private final Path home;
    private final String place;
    private final RunArchive archive;
    private final Set<RunFiles> active = ConcurrentHashMap.newKeySet();
    /** Changes saved for attempts of dead nodes, until their records are written. */
    private final Map<RunFiles, Work> recoveredWork = new HashMap<>();

    RunRecorder(Path home, RunArchive archive) {
        this.home = home;
        this.place = new OutputArchive(home).place();
        this.archive = archive;
    }

    /** Starts the record of an attempt. From now on the run can be found, even if this node dies. */
    RunFiles start(JobId job, int attempt) throws IOException {
        RunFiles files = new RunFiles(home, job, attempt);
        archive.save(newRecord(files), Output.EMPTY);
        files.markStarted();
        active.add(files);
        return files;
    }

    /** Takes over the record of an earlier attempt. */
    RunFiles takeOver(JobId job, int attempt) {
        RunFiles files = new RunFiles(home, job, attempt);
        active.add(files);
        return files;
    }

    /** Leaves a run to the attempt that will take it over. */
    void leave(RunFiles files) {
        active.remove(files);
    }

    boolean isActive(RunFiles files) {
        return active.contains(files);
    }

    /** Finishes the record of an attempt. If its job was deleted meanwhile, deletes everything. */
    void finish(RunFiles files, Run run) throws IOException {
        try {
            if (!archive.save(run, output(files))) {
                delete(run);
            }
            files.markFinished();
        } finally {
            active.remove(files);
        }
    }

    /** Finishes the record of a run that no attempt monitored. */
    void finishUnmonitored(RunFiles files, @Nullable Work work) {
        try {
            finish(files, record(files, work));
        } catch (IOException | StoreException e) {
            LOG.warn("Could not store the record of {}: {}", files.directory(), e.getMessage());
        }
    }

    Run newRecord(RunFiles files) {
        return Run.started(files.job(), files.attempt(), place);
    }

    private Run record(RunFiles files, @Nullable Work work) {
        return work == null ? newRecord(files) : newRecord(files).with(work);
    }

    private static Output output(RunFiles files) throws IOException {
        String stderr = OutputReader.tail(files.stderr(), MAX_STORED_OUTPUT / 2);
        String stdout = OutputReader.tail(files.stdout(), MAX_STORED_OUTPUT - stderr.length());
        return new Output(stdout, stderr);
    }

    /** Remembers what was saved from the worktree of a dead node, for {@link #recover}. */
    void addRecovered(WorktreeMetadata metadata, SavedWork saved) {
        JobId job = metadata.job();
        if (job != null) {
            recoveredWork.put(new RunFiles(home, job, metadata.attempt()), toWork(saved));
        }
    }

    static Work toWork(SavedWork saved) {
        return new Work(saved.repository().toString(), saved.base(), saved.ref());
    }

    /** Finishes the records of attempts whose node died. */
    void recover() {
        try {
            for (RunFiles files : RunFiles.listUnfinished(home)) {
                if (!files.outlivesNode()) {
                    finish(files, record(files, recoveredWork.get(files)));
                }
            }
        } catch (IOException | StoreException e) {
            LOG.warn("Could not record all runs that a dead node left in {}; the next start tries again: {}", home,
                    e.getMessage());
        }
        recoveredWork.clear();
        cleanUp();
    }

    /** Deletes the files of runs whose jobs were deleted. */
    void cleanUp() {
        try {
            List<Run> orphans = archive.runsOfDeletedJobs(place, CLEAN_UP_BATCH);
            while (!orphans.isEmpty()) {
                for (Run run : orphans) {
                    delete(run);
                }
                archive.forget(orphans);
                orphans = archive.runsOfDeletedJobs(place, CLEAN_UP_BATCH);
            }
        } catch (IOException | StoreException | WorktreeException e) {
            LOG.warn("Could not delete all files of deleted jobs, will try again: {}", e.getMessage());
        }
    }

    private void delete(Run run) throws IOException {
        Work work = run.work();
        if (work != null) {
            WorktreePool.deleteSaved(Path.of(work.repository()), work.ref());
        }
        new RunFiles(home, run.job(), run.attempt()).delete();
    }
}

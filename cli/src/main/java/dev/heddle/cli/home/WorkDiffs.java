package dev.heddle.cli.home;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.JobDiff;
import dev.heddle.run.Run;
import dev.heddle.worktree.SavedDiff;
import dev.heddle.worktree.WorktreeException;

/** Reads what runs changed in the repositories of this machine. */
final class WorkDiffs {

    private static final int MOST_FILES = 1_000;

    private WorkDiffs() {}

    static JobDiff read(Run run, Run.Work work) {
        SavedDiff diff;
        try {
            diff = SavedDiff.read(Path.of(work.repository()), work.base(), run.job(), run.attempt());
        } catch (WorktreeException e) {
            throw ControlException.notFound("the changes of job " + run.job() + " in attempt " + run.attempt()
                    + " cannot be read: " + e.getMessage());
        }
        List<SavedDiff.FileDiff> files = diff.files();
        return new JobDiff(run.job().toString(), run.attempt(), work.repository(), work.base(), work.ref(),
                files.size(), files.stream().mapToLong(SavedDiff.FileDiff::added).sum(),
                files.stream().mapToLong(SavedDiff.FileDiff::removed).sum(),
                files.stream().limit(MOST_FILES).map(WorkDiffs::change).toList(),
                diff.more() || files.size() > MOST_FILES);
    }

    private static JobDiff.FileChange change(SavedDiff.FileDiff file) {
        return new JobDiff.FileChange(file.path(), file.oldPath(), JobDiff.Status.valueOf(file.status().name()),
                file.binary() ? null : file.added(), file.binary() ? null : file.removed(), file.binary(),
                file.text(), file.cut());
    }
}

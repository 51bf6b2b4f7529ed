package dev.heddle.control.local;

import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.JobDiff;
import dev.heddle.job.Job;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/** Reads what attempts changed in their worktrees. */
record SavedChanges(Backend backend, NodeFiles files) {

    JobDiff diff(Job job, @Nullable Integer attempt) {
        Run run = run(job, attempt);
        return files.diff(run).orElseThrow(() -> ControlException.notFound("the changes of job " + job.id()
                + " are stored at " + run.place() + "; ask the node there"));
    }

    /** Returns the run of an attempt that changed something, or the last such run. */
    Run run(Job job, @Nullable Integer attempt) {
        List<Run> runs = backend.runs(job.id()).stream().filter(run -> run.work() != null).toList();
        return runs.reversed().stream().filter(run -> attempt == null || run.attempt() == attempt).findFirst()
                .orElseThrow(() -> ControlException.notFound(attempt == null || runs.isEmpty()
                        ? "job " + job.id() + " has changed nothing in a worktree"
                        : "attempt " + attempt + " of job " + job.id()
                                + " has changed nothing in a worktree; attempts with changes: " + runs.stream()
                                        .map(run -> String.valueOf(run.attempt())).collect(Collectors.joining(", "))));
    }
}

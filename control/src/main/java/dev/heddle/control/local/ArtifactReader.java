package dev.heddle.control.local;

import java.io.InputStream;
import java.util.List;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.ArtifactView;
import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/** Lists and opens the files that the attempts of a job have left. */
record ArtifactReader(Backend backend, NodeFiles files) {

    List<ArtifactView> list(JobId job) {
        return backend.runs(job).stream().flatMap(run -> run.artifacts().stream().map(
                artifact -> new ArtifactView(run.attempt(), artifact.path(), artifact.bytes(), run.place()))).toList();
    }

    /** Opens a file of an attempt, or of the last attempt that left it if the attempt is null. */
    InputStream open(JobId job, String name, @Nullable Integer attempt) {
        Run run = backend.runs(job).reversed().stream()
                .filter(each -> attempt == null || each.attempt() == attempt)
                .filter(each -> each.artifacts().stream().anyMatch(artifact -> artifact.path().equals(name)))
                .findFirst().orElseThrow(() -> ControlException.notFound("job " + job + " has no artifact '"
                        + Limits.quoted(name) + "'" + (attempt == null ? "" : " in attempt " + attempt)
                        + "; list its artifacts to see which there are"));
        return files.artifact(run, name).orElseThrow(() -> ControlException.notFound("artifact '"
                + Limits.quoted(name) + "' of job " + job + " is not on this machine, or was deleted; it was stored at "
                + run.place()));
    }
}

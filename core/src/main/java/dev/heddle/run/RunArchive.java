package dev.heddle.run;

import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobId;

/**
 * A store that keeps what processes leave. What it keeps goes with its job, by whatever way the job goes; what the run
 * left in files then still has to be deleted where those files are, and {@link #leftBehind} says which.
 */
public interface RunArchive {

    /** The end of what was written. */
    record Output(String stdout, String stderr) {
        public static final Output NONE = new Output("", "");

        public String of(Run.Channel channel) {
            return switch (channel) {
                case STDOUT -> stdout;
                case STDERR -> stderr;
            };
        }
    }

    /** Keeps a run, instead of what was kept of it before; false where there is no such job any more. */
    boolean keep(Run run, Output output);

    /** The runs of a job, oldest first. */
    List<Run> runs(JobId job);

    /** The end of the output; empty where nothing is kept of such a run. */
    Optional<Output> output(JobId job, int attempt);

    /** Runs of jobs that are gone, whose files are at that place. */
    List<Run> leftBehind(String place, int limit);

    /** Their files are deleted. */
    void forget(List<Run> runs);
}

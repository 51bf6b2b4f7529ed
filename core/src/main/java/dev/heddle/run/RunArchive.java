package dev.heddle.run;

import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobId;

/**
 * An optional capability of a store: keeps what processes leave behind. It is deleted with its job. The files of a run
 * are deleted later, by a node on the machine that has them; {@link #runsOfDeletedJobs} says which. Safe for use by
 * many threads.
 */
public interface RunArchive {

    /**
     * The end of the output of a process.
     *
     * @param stdout the end of its standard output
     * @param stderr the end of its standard error
     */
    record Output(String stdout, String stderr) {

        /** No output. */
        public static final Output EMPTY = new Output("", "");

        /** Returns the output of a channel. */
        public String of(Run.Channel channel) {
            return switch (channel) {
                case STDOUT -> stdout;
                case STDERR -> stderr;
            };
        }
    }

    /** Saves a run, replacing what was saved for the same attempt; returns false if the job is gone. */
    boolean save(Run run, Output output);

    /** Returns the runs of a job, oldest first. */
    List<Run> runs(JobId job);

    /** Returns the end of the output of a run; empty if no such run is saved. */
    Optional<Output> output(JobId job, int attempt);

    /** Returns runs whose job is gone and whose files are at a place. */
    List<Run> runsOfDeletedJobs(String place, int limit);

    /** Forgets runs whose job is gone, once their files are deleted. */
    void forget(List<Run> runs);
}

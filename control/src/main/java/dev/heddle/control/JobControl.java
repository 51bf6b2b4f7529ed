package dev.heddle.control;

import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.model.SpawnResult;

/**
 * What a process may do on behalf of the job that started it. A call that fails throws a {@link ControlException} and
 * changes nothing.
 */
public interface JobControl {

    /** Returns the job with its attempts and its history. */
    JobDetail job();

    /** Reports how far the attempt is, which also shows that it is alive; returns the same. */
    ProgressBody progress(ProgressBody progress);

    /**
     * Submits a child of the job. The type must be one of those that the job's own type may spawn, and never one that
     * carries a command line.
     */
    SpawnResult spawn(JobDraft child);
}

package dev.heddle.engine.registry;

import dev.heddle.job.Children;
import dev.heddle.job.JobContext;
import dev.heddle.job.Phase;

/** The context of an attempt, with what a two-phase handler needs beyond {@link JobContext}. */
public interface PhaseContext extends JobContext {

    /** Returns the phase that this attempt runs. */
    Phase phase();

    /** Returns the children of the job and their results so far. */
    Children children();

    /**
     * Collects children from now on instead of storing them. They are committed together with the end of this phase.
     */
    void collectChildren();
}

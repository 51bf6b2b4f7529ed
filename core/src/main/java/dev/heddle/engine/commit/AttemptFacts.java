package dev.heddle.engine.commit;

import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;

/** What the commit stage needs to know about an attempt that has ended. The execute stage implements it. */
public interface AttemptFacts {

    /** Returns the job as it was when it was claimed. */
    Job job();

    /** Returns the claim under which the attempt ran. */
    Claim claim();

    /** Returns the fence under which the attempt writes. */
    Fence fence();

    /** Returns the id of the worker that ran it. */
    String workerId();

    /** Returns whether the store may hold a checkpoint or step of the job. */
    boolean hasSaved();

    /** Returns the children that a first phase collected; empty if this was no first phase. */
    Optional<List<NewJob>> children();

    /** Returns whether the watchdog gave up on the attempt. */
    boolean isAbandoned();
}

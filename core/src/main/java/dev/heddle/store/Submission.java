package dev.heddle.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that are stored together or not at all.
 *
 * @param jobs the jobs
 * @param spawner the attempt that spawns them as its children, in which case they are stored only if its fence holds;
 *         null if no attempt does
 */
public record Submission(List<NewJob> jobs, @Nullable Fence spawner) {

    /** Creates a submission that comes from no attempt. */
    public Submission(List<NewJob> jobs) {
        this(jobs, null);
    }
}

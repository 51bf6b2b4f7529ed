package dev.heddle.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that are stored together or not at all.
 *
 * @param spawner the attempt whose children they are: they are stored only while it has its job. Null where they come
 *            from elsewhere
 */
public record Submission(List<NewJob> jobs, @Nullable Fence spawner) {

    public Submission(List<NewJob> jobs) {
        this(jobs, null);
    }
}

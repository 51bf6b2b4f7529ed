package dev.heddle.stats;

import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * An optional capability of a store: groups of failures with the same fingerprint. Only a bounded number is kept: the
 * group that has not been seen for longest is dropped first. Dead letters are found by their
 * fingerprint, also if their group was dropped.
 */
public interface ErrorStore {

    /** The most groups that are kept. */
    int MOST_GROUPS = 1_000;

    /** Adds failures to their groups, and creates groups that do not exist. */
    void addErrors(List<ErrorCount> errors);

    /**
     * Returns groups, the one that was seen last first.
     *
     * @param type only those of jobs of this type; null for all
     */
    List<ErrorGroup> errors(@Nullable String type, int limit);

    /**
     * Returns the groups whose fingerprints begin so, two at most: enough to know whether it is one.
     *
     * @param prefix the first characters of a fingerprint
     */
    List<ErrorGroup> findErrors(String prefix);

    /**
     * Returns dead letters with a fingerprint, newest first.
     *
     * @param before only jobs submitted before the one with this {@code seq}; 0 for all
     */
    List<Job> deadLetters(String fingerprint, long before, int limit);

    /**
     * Sets the note and the assignee of a group.
     *
     * @param note null for none
     * @param assignee null for nobody
     * @return the group as it is now; empty if there is none with this fingerprint
     */
    Optional<ErrorGroup> describeError(String fingerprint, @Nullable String note, @Nullable String assignee);
}

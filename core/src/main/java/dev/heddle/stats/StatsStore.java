package dev.heddle.stats;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An optional capability of a store: what nodes have measured in slices of time, for a week. Slices are merged as they
 * grow older, so their number is bounded.
 */
public interface StatsStore {

    /**
     * Stores slices of {@link StatsWindow#SHORTEST}, each in place of what the same source has stored of it before.
     *
     * @param source who has measured them
     */
    void saveSlices(String source, List<StatsSlice> slices);

    /**
     * Returns the slices since a time, as they are stored: several of one time, type and queue if several nodes have
     * measured them, and longer ones if they are older.
     *
     * @param type only those of this type; null for all
     * @param queue only those of this queue; null for all
     */
    List<StatsSlice> slices(Instant since, @Nullable String type, @Nullable String queue);

    /** Merges slices that are old, and deletes those that are too old. */
    void mergeSlices(Instant now);
}

package dev.heddle.query;

import java.time.Instant;
import java.util.List;

/** An optional capability of a store: keeps queries that people saved under a name. Safe for use by many threads. */
public interface ViewStore {

    /**
     * A query that was saved under a name.
     *
     * @param name the name
     * @param query the query, in the query language
     * @param actor who saved it
     * @param savedAt when
     */
    record View(String name, String query, String actor, Instant savedAt) {}

    /** Saves a view, replacing the one that has its name. */
    void saveView(View view);

    /** Returns all views, by name. */
    List<View> views();

    /** Removes a view; returns whether there was one. */
    boolean removeView(String name);
}

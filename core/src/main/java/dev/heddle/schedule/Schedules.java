package dev.heddle.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobId;

/**
 * The schedules of a store: {@code pool.schedules()} returns this. They belong to the store, not to the pool: any node
 * fires them, and they go on when all nodes have been replaced. Safe for use by many threads.
 *
 * <p>Methods that take the name of a schedule throw a {@link NoSuchScheduleException} if there is none.
 */
public interface Schedules {

    /** What {@link #put} did. */
    enum Put {
        /** There was no schedule with this name. */
        CREATED,
        /** The schedule has the new definition. */
        CHANGED,
        /** This definition, or a later one, had been put before. */
        UNCHANGED,
        /** The new definition is kept, but the edit of a person stays in effect until it is reset. */
        OVERRIDDEN
    }

    /**
     * What {@link #backfill} did.
     *
     * @param made how many runs it made
     * @param existing how many there were already
     */
    record Backfill(int made, int existing) {}

    /** The most runs of one backfill. */
    int MOST_BACKFILLED = 10_000;

    /**
     * Creates or changes a schedule. Call it whenever the application starts: a definition that was put before changes
     * nothing, so nodes of an old and a new version can put theirs in any order.
     */
    Put put(Schedule schedule);

    /**
     * Creates or changes a schedule on behalf of a person. What code puts under this name does not take effect until
     * {@link #reset}.
     *
     * @param actor that person
     */
    ScheduleStatus edit(Schedule schedule, String actor);

    /**
     * Returns schedules by name.
     *
     * @param after the name before the first one; empty for the beginning
     */
    List<ScheduleStatus> list(String after, int limit);

    /** Returns a schedule; empty if there is none with this name. */
    Optional<ScheduleStatus> find(String name);

    /**
     * Stops a schedule until it is resumed. Jobs that it has submitted are not affected.
     *
     * @throws IllegalStateException if it has ended
     */
    void pause(String name);

    /**
     * Lets a paused schedule fire again. The times meanwhile are left out.
     *
     * @throws IllegalStateException if it has ended
     */
    void resume(String name);

    /** Submits a job of the schedule now, even if it is paused or an earlier run goes on; returns its id. */
    JobId trigger(String name);

    /**
     * Makes the runs for past times, in their order, except those that were made already. They start whether or not
     * earlier ones have ended.
     *
     * @param from the first time
     * @param to the last time, which must not be in the future
     * @throws IllegalArgumentException if there are over {@value #MOST_BACKFILLED} runs, or the times make no sense
     */
    Backfill backfill(String name, Instant from, Instant to);

    /**
     * Drops the edit of a person: what code last put takes effect again.
     *
     * @throws IllegalStateException if no code has put it
     */
    void reset(String name);

    /** Deletes a schedule. Jobs that it has submitted are not affected. */
    void delete(String name);

    /** Returns the next times of a schedule, without jitter, even if it is paused. */
    List<Instant> next(String name, int count);

    /** Returns the last runs of a schedule, the latest first. */
    List<ScheduleRun> runs(String name, int count);
}

package dev.heddle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * What a store offers if it keeps schedules. It decides nothing: it runs decisions of the engine within a transaction,
 * which may do so again if that fails. Their time is that of the store's clock.
 */
public interface ScheduleStore {

    /** Decides what a schedule becomes. It has no side effects; if it throws, nothing changes. */
    interface Edit {

        /**
         * Returns the schedule to store, or null for none.
         *
         * @param current what is stored now; null if there is none
         */
        @Nullable StoredSchedule apply(@Nullable StoredSchedule current, Instant now);
    }

    /** Reads a schedule, edits it, and writes the result, while nobody else changes or fires it. */
    void update(String name, Edit edit);

    /** Which schedules to fire. */
    sealed interface Selection {

        /**
         * Those that are due, except those that another node fires at the moment, the longest due first.
         *
         * @param most how many at most
         */
        record Due(int most) implements Selection {}

        /**
         * One schedule, whether or not it is due.
         *
         * @param name its name
         */
        record Named(String name) implements Selection {}
    }

    /** Decides which runs a schedule makes. It has no side effects. */
    interface FirePlan {

        /**
         * Returns what to do.
         *
         * @param live those of the {@linkplain StoredSchedule#open open} jobs that have not ended
         */
        Firing plan(StoredSchedule schedule, Instant now, Set<JobId> live);
    }

    /**
     * What a schedule does when it fires.
     *
     * @param after what to store for the schedule
     * @param runs its runs, with the jobs to store; a run that was made before, with a job, is left out
     * @param cancelled the jobs to cancel after that
     */
    record Firing(StoredSchedule after, List<PlannedRun> runs, List<JobId> cancelled) {}

    /**
     * A run to make.
     *
     * @param time when it was due
     * @param kind why it is made
     * @param job its job; null if it is left out
     */
    record PlannedRun(Instant time, ScheduleRun.Kind kind, @Nullable NewJob job) {}

    /**
     * What was done.
     *
     * @param schedules how many schedules were looked at
     * @param jobs the jobs that are stored now
     * @param cancelled the jobs to cancel
     * @param untilNext how long until the next schedule is due, by the clock of the store; null if there is none
     */
    record Fired(int schedules, List<NewJob> jobs, List<JobId> cancelled, @Nullable Duration untilNext) {}

    /** Fires schedules: their changes, runs and jobs are stored in one transaction. */
    Fired fire(Selection which, FirePlan plan);

    /** Returns a schedule; empty if there is none with this name. */
    Optional<StoredSchedule> schedule(String name);

    /**
     * Returns schedules by name.
     *
     * @param after the name before the first one; empty for all
     */
    List<StoredSchedule> schedules(String after, int limit);

    /** Returns the runs of a schedule, the latest first. They outlive their jobs. */
    List<ScheduleRun> runs(String schedule, int limit);

    /** Deletes the runs that were made before a time; returns how many. */
    int deleteRunsBefore(Instant time, int limit);
}

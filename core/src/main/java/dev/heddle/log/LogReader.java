package dev.heddle.log;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobReader;

/**
 * Reads the logs of jobs: the lines of all attempts, together with what happened to the job, in the order of time. Lines
 * are visible on every node once they are stored, about a second after they were written.
 */
public final class LogReader {

    /** The last lines of an attempt are stored within a second of its end. */
    private static final Duration UNTIL_STORED = Duration.ofSeconds(2);

    private final JobReader jobs;
    private final InstantSource clock;

    /** Creates a reader. */
    public LogReader(JobReader jobs, InstantSource clock) {
        this.jobs = Objects.requireNonNull(jobs, "jobs");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Returns a page of the log of a job; empty if there is no such job. A store that keeps no logs has only what happened
     * to the job.
     *
     * @throws IllegalArgumentException if the cursor of the query is none
     */
    public Optional<LogPage> read(JobId id, LogQuery query) {
        LogCursor cursor = LogCursor.parse(query.cursor());
        // The state is read before the lines: whatever a job logged before it ended is then seen, if it is stored.
        return jobs.details(id).map(story -> read(story, query, cursor));
    }

    private LogPage read(JobDetails story, LogQuery query, LogCursor cursor) {
        Instant now = clock.instant();
        LogScan scan = jobs.capability(LogStore.class)
                .map(store -> LogScan.of(store, story.job().seq(), query, cursor)).orElse(LogScan.NOTHING);
        LogMerge merge = new LogMerge(query, cursor, scan, story, now);
        boolean ended = !merge.hasMore() && !merge.holdsBack() && hasEnded(story.job())
                && (scan.ended().contains(story.job().counts().attempt()) || isLongAgo(story.job(), now));
        return new LogPage(merge.lines(), merge.next(now).text(), merge.hasMore(), ended);
    }

    /** A job that is cancelled while it runs has ended once its attempt has. */
    private static boolean hasEnded(Job job) {
        return job.state().isFinal() && job.status().node() == null;
    }

    /** The job ended by the clock of another node, which may be ahead; without an attempt there are no lines. */
    private static boolean isLongAgo(Job job, Instant now) {
        return job.endedAt().map(at -> isStored(at, now)).orElse(true);
    }

    /** Returns whether the last lines of an attempt that ended at this time are stored. */
    static boolean isStored(Instant endedAt, Instant now) {
        return Duration.between(endedAt, now).abs().compareTo(UNTIL_STORED) >= 0;
    }
}

package dev.heddle.examples.feed;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobType;
import dev.heddle.job.VoidJobHandler;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;

/**
 * Reads what is new in a feed, and then has its own job run again: soon if there was something, later if not. The number
 * of the last entry travels with the job, so no entry is handled twice, whichever node runs the job next. If a run
 * fails, it is retried like any other job, from the same entry.
 */
record FeedPoller(Feed feed, Duration busy, Duration idle) implements VoidJobHandler<String> {

    static final JobType<String, Void> POLL = JobType.of("poll-feed", String.class, Void.class);

    /** A feed whose entries are numbered from 1. */
    interface Feed {

        /** Returns the entries after this one, oldest first. */
        List<String> after(String name, int last) throws IOException;

        /** Does something with an entry. */
        void handle(String entry) throws IOException;
    }

    /** Polls a feed from now on. The dedupe key makes sure that one job does, however often the application starts. */
    static JobHandle<Void> start(Pool pool, String name) {
        return pool.submit(POLL.with(name).dedupeKey(name));
    }

    @Override
    public void handle(String name, JobContext job) throws Exception {
        int last = job.checkpoint(Integer.class).orElse(0);
        List<String> entries = feed.after(name, last);
        for (String entry : entries) {
            job.step("entry " + ++last, () -> feed.handle(entry));
        }
        job.rescheduleIn(entries.isEmpty() ? idle : busy, last);
    }
}

package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Ruling;
import dev.heddle.store.Store;

/** The jobs that failed for good: look at them, queue them again, or throw them away. */
public final class DeadLetters {

    private final Store store;
    private final InstantSource clock;
    private final String actor;
    private final Function<Command, Ruling> commands;

    DeadLetters(Store store, InstantSource clock, String actor, Function<Command, Ruling> commands) {
        this.store = store;
        this.clock = clock;
        this.actor = actor;
        this.commands = commands;
    }

    /** Newest first. */
    public List<DeadLetter> list(int limit) {
        return list(JobQuery.deadLetters().limit(limit));
    }

    /** The matching ones, newest first; the query's states are ignored. */
    public List<DeadLetter> list(JobQuery query) {
        return store.list(query.states(JobState.FAILED)).stream()
                .flatMap(job -> store.story(job.id()).stream())
                .map(DeadLetter::of).toList();
    }

    public Optional<DeadLetter> find(JobId id) {
        return store.story(id).filter(story -> story.job().state() == JobState.FAILED).map(DeadLetter::of);
    }

    /** Queues it again with all its retries, checkpoint and steps kept. */
    public void retry(JobId id) {
        Rulings.require("retry", id, commands.apply(new Command.Retry(id, actor, clock.instant())));
    }

    /**
     * Queues all that match again, in transactions of {@code query.limit()}; says how many. It goes from the newest to
     * the oldest once, and so comes to an end even where they die again as fast as it works.
     */
    public long retryAll(JobQuery query) {
        long total = 0;
        JobQuery page = query.states(JobState.FAILED);
        while (true) {
            List<Job> dead = store.list(page);
            if (!dead.isEmpty()) {
                total += count(new Command.RetryMatching(page, actor, clock.instant()));
            }
            if (dead.size() < page.limit()) {
                return total;
            }
            page = page.before(dead.getLast().seq());
        }
    }

    /** Deletes all that match with everything of theirs, in transactions of {@code query.limit()}. */
    public long purge(JobQuery query) {
        long total = 0;
        int count;
        do {
            count = count(new Command.PurgeMatching(query, actor, clock.instant()));
            total += count;
        } while (count == query.limit());
        return total;
    }

    private int count(Command command) {
        return commands.apply(command) instanceof Ruling.Done(int done) ? done : 0;
    }
}

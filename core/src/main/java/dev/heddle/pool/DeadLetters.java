package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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

    /** Queues all that match again, in transactions of {@code query.limit()}; says how many. */
    public long retryAll(JobQuery query) {
        return untilDone(query, new Command.RetryMatching(query, actor, clock.instant()));
    }

    /** Deletes all that match with everything of theirs, in transactions of {@code query.limit()}. */
    public long purge(JobQuery query) {
        return untilDone(query, new Command.PurgeMatching(query, actor, clock.instant()));
    }

    private long untilDone(JobQuery query, Command command) {
        long total = 0;
        int count;
        do {
            count = commands.apply(command) instanceof Ruling.Done(int done) ? done : 0;
            total += count;
        } while (count == query.limit());
        return total;
    }
}

package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.heddle.engine.support.CommandResults;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;

import static java.util.Objects.requireNonNull;

/**
 * The jobs that failed for good: look at them, retry them, or delete them. {@link PoolAdmin#deadLetters()} returns it.
 * Safe for use by many threads.
 */
public final class DeadLetters {

    private final Store store;
    private final InstantSource clock;
    private final String actor;
    private final Function<AdminCommand, CommandResult> commands;

    DeadLetters(Store store, InstantSource clock, String actor, Function<AdminCommand, CommandResult> commands) {
        this.store = store;
        this.clock = clock;
        this.actor = actor;
        this.commands = commands;
    }

    /** Returns the newest dead letters, newest first. */
    public List<DeadLetter> list(int limit) {
        return list(JobQuery.deadLetters().limit(limit));
    }

    /** Returns the dead letters that match a query, newest first. The states of the query are ignored. */
    public List<DeadLetter> list(JobQuery query) {
        return store.list(requireNonNull(query, "query").states(JobState.FAILED)).stream()
                .flatMap(job -> store.details(job.id()).stream()).map(DeadLetter::of).toList();
    }

    /** Returns a dead letter; empty if there is no such job, or if it has not failed. */
    public Optional<DeadLetter> find(JobId id) {
        return store.details(requireNonNull(id, "id")).filter(details -> details.job().state() == JobState.FAILED)
                .map(DeadLetter::of);
    }

    /**
     * Queues a dead letter again, with all its retries. It keeps its checkpoint and steps.
     *
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job has not failed, or if another job has its dedupe key by now
     */
    public void retry(JobId id) {
        CommandResults.require("retry", id,
                commands.apply(new AdminCommand.Retry(requireNonNull(id, "id"), actor, clock.instant())));
    }

    /**
     * Queues a dead letter again, with all its retries, and forgets the results of a step and of all steps that were
     * saved after it. So the next attempt repeats these steps.
     *
     * @param step the first step to forget
     * @param forgetCheckpoint whether to forget the checkpoint too
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job has not failed, or if another job has its dedupe key by now
     * @throws IllegalArgumentException if the job has saved no such step; the message names those it has
     */
    public void retryFrom(JobId id, String step, boolean forgetCheckpoint) {
        CommandResults.require("retry", id, commands.apply(new AdminCommand.Retry(requireNonNull(id, "id"),
                requireNonNull(step, "step"), forgetCheckpoint, actor, clock.instant())));
    }

    /**
     * Queues all dead letters again that match a query, in transactions of {@code query.limit()} jobs. Passes from the
     * newest to the oldest once, so it ends even if jobs fail again as fast as it retries them.
     *
     * @return how many it queued
     */
    public long retryAll(JobQuery query) {
        long total = 0;
        JobQuery page = requireNonNull(query, "query").states(JobState.FAILED);
        while (true) {
            List<Job> dead = store.list(page);
            if (!dead.isEmpty()) {
                total += count(new AdminCommand.RetryMatching(page, actor, clock.instant()));
            }
            if (dead.size() < page.limit()) {
                return total;
            }
            page = page.before(dead.getLast().seq());
        }
    }

    /**
     * Deletes all dead letters that match a query, with everything stored for them, in transactions of
     * {@code query.limit()} jobs.
     *
     * @return how many it deleted
     */
    public long purge(JobQuery query) {
        requireNonNull(query, "query");
        long total = 0;
        int count;
        do {
            count = count(new AdminCommand.PurgeMatching(query, actor, clock.instant()));
            total += count;
        } while (count == query.limit());
        return total;
    }

    private int count(AdminCommand command) {
        return commands.apply(command) instanceof CommandResult.Done(int done) ? done : 0;
    }
}

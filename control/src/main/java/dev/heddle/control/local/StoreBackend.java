package dev.heddle.control.local;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Submitter;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobReader;
import dev.heddle.store.Receipt;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.waiting.Explainer;
import dev.heddle.waiting.JobExplanation;
import tools.jackson.databind.JsonNode;

/** A store without a node in this process. Nodes on other machines may run its jobs. */
record StoreBackend(Store store, Submitter submitter, InstantSource clock) implements Backend {

    private static final Duration FIRST_POLL = Duration.ofMillis(10);
    private static final Duration SLOWEST_POLL = Duration.ofSeconds(1);

    @Override
    public Optional<Pool> pool() {
        return Optional.empty();
    }

    @Override
    public JobReader jobs() {
        return store;
    }

    @Override
    public List<Receipt.Stored> submit(List<JobRequest<JsonNode, JsonNode>> requests) {
        return submitter.submit(requests);
    }

    @Override
    public Schedules schedules() {
        return submitter.schedules();
    }

    @Override
    public CommandResult execute(AdminCommand command) {
        return store.execute(command);
    }

    @Override
    public boolean dropSession(String session) {
        return store.capability(SessionStore.class)
                .map(sessions -> sessions.release(new SessionStore.Release.OfSession(session)))
                .filter(released -> !released.isEmpty()).isPresent();
    }

    /** Polls at growing intervals, because a store alone does not announce the ends of jobs. */
    @Override
    public void await(Job job, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        Duration pause = FIRST_POLL;
        while (store.find(job.id()).filter(found -> !found.state().isFinal()).isPresent()) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (left.isNegative() || left.isZero()) {
                return;
            }
            Thread.sleep(left.compareTo(pause) < 0 ? left : pause);
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(SLOWEST_POLL) < 0 ? doubled : SLOWEST_POLL;
        }
    }

    @Override
    public Optional<JobExplanation> why(JobId job) {
        return Explainer.explain(store, job, Optional.empty());
    }

    @Override
    public void close() {
        store.close();
    }
}

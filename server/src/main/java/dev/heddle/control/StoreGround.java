package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Held;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Submitter;
import dev.heddle.run.RunArchive;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Ruling;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;
import tools.jackson.databind.JsonNode;

/** A store alone, which belongs to whoever asks. Nodes on other machines may run what is in it. */
record StoreGround(Store store, Submitter submitter, InstantSource clock) implements Ground {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public List<JobId> submit(List<JobRequest<JsonNode, JsonNode>> requests) {
        return submitter.submit(requests);
    }

    @Override
    public Ruling execute(Command command) {
        return store.execute(command);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return store.find(id);
    }

    @Override
    public List<Job> list(JobQuery query) {
        return store.list(query);
    }

    @Override
    public Optional<Story> story(JobId id) {
        return store.story(id);
    }

    @Override
    public Tally tally() {
        return store.tally();
    }

    @Override
    public Optional<RunArchive> runs() {
        return store instanceof RunArchive archive ? Optional.of(archive) : Optional.empty();
    }

    @Override
    public <T> Optional<T> feature(Class<T> type) {
        return type.isInstance(store) ? Optional.of(type.cast(store)) : Optional.empty();
    }

    @Override
    public Held held() {
        return Held.NOTHING;
    }

    @Override
    public List<NodeRecord> nodes() {
        return store.nodes();
    }

    @Override
    public List<Binding> sessions(int limit) {
        return store instanceof SessionStore sessions ? sessions.sessions(limit) : List.of();
    }

    @Override
    public boolean dropSession(String session) {
        return store instanceof SessionStore sessions
                && !sessions.release(new SessionStore.Release.One(session), now()).isEmpty();
    }

    /** Nobody here is told about ends, so it looks again and again, more and more rarely. */
    @Override
    public void await(Job job, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        Duration pause = SHORTEST;
        while (store.find(job.id()).filter(found -> !found.state().isFinal()).isPresent()) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (left.isNegative() || left.isZero()) {
                return;
            }
            Thread.sleep(left.compareTo(pause) < 0 ? left : pause);
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        }
    }

    @Override
    public Optional<Pool> pool() {
        return Optional.empty();
    }

    @Override
    public void close() {
        store.close();
    }
}

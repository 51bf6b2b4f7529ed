package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Held;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.run.RunArchive;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Ruling;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;
import tools.jackson.databind.JsonNode;

/** A pool that runs here; whoever opened it closes it. */
record PoolGround(Pool node, InstantSource clock) implements Ground {

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public List<JobId> submit(List<JobRequest<JsonNode, JsonNode>> requests) {
        return node.submitAll(requests).stream().map(JobHandle::id).toList();
    }

    @Override
    public Ruling execute(Command command) {
        return node.execute(command);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return node.find(id);
    }

    @Override
    public List<Job> list(JobQuery query) {
        return node.list(query);
    }

    @Override
    public Optional<Story> story(JobId id) {
        return node.story(id);
    }

    @Override
    public Tally tally() {
        return node.tally();
    }

    @Override
    public Optional<RunArchive> runs() {
        return node.runs();
    }

    @Override
    public <T> Optional<T> feature(Class<T> type) {
        return node.feature(type);
    }

    @Override
    public Held held() {
        return node.held();
    }

    @Override
    public List<NodeRecord> nodes() {
        return node.nodes();
    }

    @Override
    public List<Binding> sessions(int limit) {
        return node.sessions(limit);
    }

    @Override
    public boolean dropSession(String session) {
        return node.dropSession(session);
    }

    @Override
    public void await(Job job, Duration atMost) throws InterruptedException {
        try {
            node.handle(job.id(), Translation.type(job.type())).end(atMost);
        } catch (TimeoutException | NoSuchJobException e) {
            // Whoever asked looks at the job again, and sees.
        }
    }

    @Override
    public Optional<Pool> pool() {
        return Optional.of(node);
    }

    @Override
    public void close() {}
}

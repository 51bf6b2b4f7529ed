package dev.heddle.control.local;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobReader;
import dev.heddle.store.Receipt;
import dev.heddle.waiting.JobExplanation;
import tools.jackson.databind.JsonNode;

/** A pool in this process, which its owner closes. */
record PoolBackend(Pool node, InstantSource clock) implements Backend {

    @Override
    public Optional<Pool> pool() {
        return Optional.of(node);
    }

    @Override
    public JobReader jobs() {
        return node.admin();
    }

    @Override
    public List<Receipt.Stored> submit(List<JobRequest<JsonNode, JsonNode>> requests) {
        return node.submitAll(requests).stream().map(job -> new Receipt.Stored(job.id(), job.effect())).toList();
    }

    @Override
    public Schedules schedules() {
        return node.schedules();
    }

    @Override
    public CommandResult execute(AdminCommand command) {
        return node.admin().execute(command);
    }

    @Override
    public boolean dropSession(String session) {
        return node.admin().dropSession(session);
    }

    @Override
    public void await(Job job, Duration atMost) throws InterruptedException {
        try {
            node.job(job.id(), JobRequests.jsonType(job.type())).awaitEnd(atMost);
        } catch (TimeoutException | NoSuchJobException e) {
            // The caller reads the job again and sees which of the two it is.
        }
    }

    @Override
    public Optional<JobExplanation> why(JobId job) {
        try {
            return Optional.of(node.admin().why(job));
        } catch (NoSuchJobException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {}
}

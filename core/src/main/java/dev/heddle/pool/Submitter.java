package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.store.Receipt;
import dev.heddle.store.Store;

/** Submits to a store and runs nothing: for a process without a node. {@link PoolBuilder#submitter()} makes it. */
public final class Submitter {

    private final Store store;
    private final InstantSource clock;
    private final Enrolment enrolment;

    Submitter(Store store, InstantSource clock, Enrolment enrolment) {
        this.store = store;
        this.clock = clock;
        this.enrolment = enrolment;
    }

    /**
     * Submits all of the requests in one commit, or none; the ids of the jobs that stand for them, in order.
     *
     * @throws QueueFullException where a queue has a capacity and no room
     */
    public List<JobId> submit(List<? extends JobRequest<?, ?>> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        var submission = enrolment.submission(requests, clock.instant(), true);
        return switch (store.insert(List.of(submission)).getFirst()) {
            case Receipt.Full(String queue, int capacity) -> throw new QueueFullException(queue, capacity);
            case Receipt.NoParent(JobId parent) -> throw NoSuchJobException.asParent(parent);
            case Receipt.Accepted(List<JobId> ids) -> ids;
        };
    }
}

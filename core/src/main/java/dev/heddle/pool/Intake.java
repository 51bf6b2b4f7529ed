package dev.heddle.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.store.Receipt;
import dev.heddle.store.Store;
import dev.heddle.store.Submission;
import dev.heddle.store.Transactional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes submissions: checks them, commits them in groups, wakes the dispatcher. */
final class Intake {

    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    /** Whoever makes up names must not fill the log, nor the memory. */
    private static final int MOST_WARNINGS = 100;

    private final InstantSource clock;
    private final PoolSettings settings;
    private final Enrolment enrolment;
    private final Registry registry;
    private final Meter meter;
    private final Observers observers;
    private final Demand demand;
    private final GroupCommit<Submission, Receipt> commits;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final Object room = new Object();

    Intake(Store store, InstantSource clock, Enrolment enrolment, Registry registry, Meter meter,
            Observers observers, Demand demand, Executor helper) {
        this.clock = clock;
        this.settings = enrolment.settings();
        this.enrolment = enrolment;
        this.registry = registry;
        this.meter = meter;
        this.observers = observers;
        this.demand = demand;
        this.commits = new GroupCommit<>(store::insert, helper);
    }

    /** Stores the requests together; the ids of the jobs that stand for them, in order. */
    List<JobId> submit(List<? extends JobRequest<?, ?>> requests) {
        return accepted(commit(requests, true), requests);
    }

    /** Stores the requests within a transaction of somebody else's, whose commit wakes whoever can run them. */
    List<JobId> submit(Transactional shared, Connection transaction,
            List<? extends JobRequest<?, ?>> requests)
            throws SQLException {
        Receipt receipt = shared.insert(transaction, List.of(submission(requests, true))).getFirst();
        return switch (receipt) {
            case Receipt.Full(String queue, int capacity) -> throw new QueueFullException(queue, capacity);
            case Receipt.Accepted(List<JobId> ids) -> ids;
        };
    }

    /** Children are never refused by a queue's capacity. */
    JobId spawn(JobRequest<?, ?> child) {
        return accepted(commit(List.of(child), false), List.of(child)).getFirst();
    }

    /** Waits for room up to a time, then refuses like {@link #submit}. */
    List<JobId> submit(List<? extends JobRequest<?, ?>> requests, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            Receipt receipt = commit(requests, true);
            long left = deadline - System.nanoTime();
            if (!(receipt instanceof Receipt.Full) || left <= 0) {
                return accepted(receipt, requests);
            }
            synchronized (room) {
                // Claims of this node ring at once; those of others are found by looking again.
                TimeUnit.NANOSECONDS.timedWait(room, Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
            }
        }
    }

    private Receipt commit(List<? extends JobRequest<?, ?>> requests, boolean bounded) {
        return commits.commit(submission(requests, bounded));
    }

    private Submission submission(List<? extends JobRequest<?, ?>> requests, boolean bounded) {
        Submission submission = enrolment.submission(requests, clock.instant(), bounded);
        requests.forEach(request -> warnIfUnknown(request.type().name()));
        return submission;
    }

    String storable(String json, String what) {
        return enrolment.storable(json, what);
    }

    /** A node without any handler is there to submit; on any other, an unknown type may well be a mistake. */
    private void warnIfUnknown(String type) {
        if (!registry.isEmpty() && registry.find(type) == null && warned.size() < MOST_WARNINGS
                && warned.add(type)) {
            LOG.atWarn().addKeyValue("type", type).log(
                    "No handler for job type '{}' on this node; its jobs stay queued until a node has one. Known here: {}",
                    type, registry.names());
        }
    }

    private List<JobId> accepted(Receipt receipt, List<? extends JobRequest<?, ?>> requests) {
        return switch (receipt) {
            case Receipt.Full(String queue, int capacity) -> throw new QueueFullException(queue, capacity);
            case Receipt.Accepted(List<JobId> ids) -> {
                meter.submitted(ids.size());
                meter.queued(ids.size());
                announce(requests, ids);
                if (requests.stream().anyMatch(request -> registry.find(request.type().name()) != null)) {
                    demand.work();
                }
                LOG.atDebug().addKeyValue("job", ids.getFirst())
                        .addKeyValue("type", requests.getFirst().type())
                        .addKeyValue("jobs", ids.size()).log("Submitted {} job(s), the first is {}",
                                ids.size(),
                                ids.getFirst());
                yield ids;
            }
        };
    }

    /** One event for all jobs of a type in a queue, so that a large submission is no flood. */
    private void announce(List<? extends JobRequest<?, ?>> requests, List<JobId> ids) {
        if (observers.isEmpty()) {
            return;
        }
        record Kind(String type, String queue) {}
        Map<Kind, List<JobId>> made = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            JobRequest<?, ?> request = requests.get(i);
            if (request.id().equals(ids.get(i))) {
                made.computeIfAbsent(new Kind(request.type().name(), request.queue()), _ -> new ArrayList<>())
                        .add(ids.get(i));
            }
        }
        made.forEach((kind, jobs) -> observers.tell(
                () -> new PoolEvent.Submitted(kind.type(), kind.queue(), jobs.getFirst(), jobs.size())));
    }

    /** Called when jobs have left a queue. */
    void roomMade() {
        if (settings.isBounded()) {
            synchronized (room) {
                room.notifyAll();
            }
        }
    }
}

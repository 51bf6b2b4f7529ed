package dev.heddle.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Arrivals.Arrival;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
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
    private final Arrivals arrivals;
    private final GroupCommit<Submission, Receipt> commits;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final Object room = new Object();

    Intake(Store store, InstantSource clock, Enrolment enrolment, Registry registry, Arrivals arrivals,
            Executor helper) {
        this.clock = clock;
        this.settings = enrolment.settings();
        this.enrolment = enrolment;
        this.registry = registry;
        this.arrivals = arrivals;
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
            case Receipt.NoParent(JobId parent) -> throw NoSuchJobException.asParent(parent);
            case Receipt.Accepted(List<JobId> ids) -> ids;
        };
    }

    /** Children are never refused by a queue's capacity, but where their attempt has lost its job. */
    Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt) {
        Receipt receipt = commits.commit(new Submission(List.of(enrol(child)), attempt));
        return receipt instanceof Receipt.NoParent ? Optional.empty()
                : Optional.of(accepted(receipt, List.of(child)).getFirst());
    }

    /** A child as it will be stored. */
    NewJob enrol(JobRequest<?, ?> child) {
        return submission(List.of(child), false).jobs().getFirst();
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
        submission.jobs().forEach(this::checkDeadline);
        return submission;
    }

    private void checkDeadline(NewJob job) {
        Registration<?, ?> registration = registry.find(job.spec().type());
        if (registration != null) {
            SessionDeadline.check(job, registration.type());
        }
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
            case Receipt.NoParent(JobId parent) -> throw NoSuchJobException.asParent(parent);
            case Receipt.Accepted(List<JobId> ids) -> {
                arrivals.came(ids.size(), made(requests, ids));
                LOG.atDebug().addKeyValue("job", ids.getFirst())
                        .addKeyValue("type", requests.getFirst().type())
                        .addKeyValue("jobs", ids.size()).log("Submitted {} job(s), the first is {}",
                                ids.size(),
                                ids.getFirst());
                yield ids;
            }
        };
    }

    private static List<Arrival> made(List<? extends JobRequest<?, ?>> requests, List<JobId> ids) {
        return IntStream.range(0, ids.size()).filter(i -> requests.get(i).id().equals(ids.get(i)))
                .mapToObj(requests::get)
                .map(request -> new Arrival(request.id(), request.type().name(), request.queue())).toList();
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

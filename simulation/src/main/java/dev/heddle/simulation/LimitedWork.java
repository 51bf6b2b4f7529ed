package dev.heddle.simulation;

import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.simulation.Story.Execution;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;

/** At most two jobs of a customer run at once. Every fourth job also needs the one slot that all customers share. */
final class LimitedWork extends Workloads.Echo {

    private static final Limit CUSTOMER = Limit.named("customer").maxConcurrent(2);
    private static final Limit SHARED = Limit.named("shared").maxConcurrent(1);
    private static final int CUSTOMERS = 3;
    private static final int NEEDS_BOTH = 4;

    LimitedWork() {
        super(Workloads.named("limited"));
    }

    private static String customer(int behavior) {
        return "customer " + behavior % CUSTOMERS;
    }

    private static boolean isShared(int behavior) {
        return behavior % NEEDS_BOTH == 0;
    }

    @Override
    void prepare(Store store) {
        LimitStore limits = store.capability(LimitStore.class).orElseThrow();
        limits.setLimit(CUSTOMER);
        limits.setLimit(SHARED);
    }

    @Override
    JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
        JobRequest<Integer, String> limited = request.limitKey(CUSTOMER.name(), customer(behavior));
        return isShared(behavior) ? limited.limitKey(SHARED.name(), LimitKey.ALL) : limited;
    }

    @Override
    Optional<String> wrongNow(Story changed, Evidence evidence) {
        List<Job> held = evidence.observer().list(JobQuery.all().type(type())
                .states(JobState.ASSIGNED, JobState.RUNNING, JobState.CANCELLED).limit(1_000)).stream()
                .filter(job -> job.endedAt().isEmpty()).toList();
        return tooMany(held, CUSTOMER, customer(changed.behavior())).or(() -> tooMany(held, SHARED, LimitKey.ALL));
    }

    private static Optional<String> tooMany(List<Job> held, Limit limit, String key) {
        long running = held.stream().flatMap(job -> job.spec().limits().stream())
                .filter(one -> one.limit().equals(limit.name()) && one.key().equals(key)).count();
        return running > most(limit) ? Optional.of("is one of " + running + " jobs that nodes hold under " + key
                + " of limit " + limit.name()) : Optional.empty();
    }

    private static int most(Limit limit) {
        return Optional.ofNullable(limit.maxConcurrent()).orElseThrow();
    }

    /** The handlers themselves never run beside each other more than the limits say. */
    @Override
    Optional<String> wrongSoFar(Story story, Evidence evidence) {
        if (evidence.mayStandStill() || evidence.mayHang() || story.executions().isEmpty()) {
            return Optional.empty();
        }
        long start = story.executions().getLast().startedAt();
        List<Story> beside = evidence.stories().all().stream().filter(other -> other.workload() == this)
                .filter(other -> other.executions().stream().anyMatch(each -> ranAt(start, each, evidence))).toList();
        long ofCustomer = beside.stream()
                .filter(other -> customer(other.behavior()).equals(customer(story.behavior()))).count();
        long shared = beside.stream().filter(other -> isShared(other.behavior())).count();
        return ofCustomer > most(CUSTOMER) || (isShared(story.behavior()) && shared > most(SHARED))
                ? Optional.of("starts beside " + beside) : Optional.empty();
    }

    private static boolean ranAt(long time, Execution execution, Evidence evidence) {
        return execution.startedAt() <= time
                && Math.min(execution.endedAt(), evidence.diedAt(execution.node())) > time;
    }
}

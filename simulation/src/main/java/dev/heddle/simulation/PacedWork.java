package dev.heddle.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobRequest;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.simulation.Story.Execution;
import dev.heddle.store.JobDetails;
import dev.heddle.store.Store;

/** One job of a customer starts every two seconds, and three together after a pause. */
final class PacedWork extends Workloads.Echo {

    private static final String LIMIT = "paced";
    private static final Duration PACE = Duration.ofSeconds(2);
    private static final int BURST = 3;
    private static final int CUSTOMERS = 2;

    PacedWork() {
        super(Workloads.named("paced"));
    }

    @Override
    void prepare(Store store) {
        store.capability(LimitStore.class).orElseThrow().setLimit(Limit.named(LIMIT).rate(1, PACE).burst(BURST));
    }

    private static int customer(int behavior) {
        return behavior % CUSTOMERS;
    }

    @Override
    JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
        return request.limitKey(LIMIT, Integer.toString(customer(behavior)));
    }

    /** A store that goes by the clock of its node measures nothing else when that is set. */
    @Override
    Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
        return evidence.isSingle() && evidence.mayMisjudgeTime() ? super.wrong(story, details, evidence)
                : tooMany(story, evidence).or(() -> super.wrong(story, details, evidence));
    }

    /** In any time, as many jobs start as the burst has, and one more for each time of the pace. */
    private Optional<String> tooMany(Story story, Evidence evidence) {
        List<Instant> claims = evidence.stories().all().stream()
                .filter(other -> other.workload() == this && customer(other.behavior()) == customer(story.behavior()))
                .flatMap(other -> claims(other, evidence)).sorted().toList();
        for (int last = BURST; last < claims.size(); last++) {
            for (int first = 0; first + BURST <= last; first++) {
                Duration time = Duration.between(claims.get(first), claims.get(last)).plusMillis(1);
                int more = last - first + 1 - BURST;
                if (time.compareTo(PACE.multipliedBy(more)) < 0) {
                    return Optional.of("belongs to " + (more + BURST) + " jobs that were claimed within " + time
                            + " under one key");
                }
            }
        }
        return Optional.empty();
    }

    /** Returns when the attempts were claimed of which the handler was called. Claims that were released do not count. */
    private static Stream<Instant> claims(Story story, Evidence evidence) {
        Set<Integer> called = story.executions().stream().map(Execution::attempt).collect(Collectors.toSet());
        return evidence.observer().details(story.id()).map(JobDetails::attempts).stream().flatMap(List::stream)
                .filter(attempt -> called.contains(attempt.number())).map(Attempt::assignedAt);
    }
}

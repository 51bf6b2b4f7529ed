package dev.heddle.simulation;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.heddle.agent.BudgetGate;
import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobState;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Spends money of a budget. When it is used up, what runs may finish, and no more jobs start. */
final class BudgetWork extends Workload {

    private static final int LIMIT = 3;
    private static final int RAISED_LIMIT = 1_000_000;

    BudgetWork() {
        super(Workloads.named("budget"));
    }

    @Override
    void prepare(Store store) {
        setLimit(store, LIMIT);
    }

    /** Raises the limit, so that the jobs that are held back can run. */
    @Override
    void release(Store store) {
        if (limit(store) == LIMIT) {
            setLimit(store, RAISED_LIMIT);
        }
    }

    private void setLimit(Store store, int usd) {
        spending(store).setBudgets(
                List.of(new Budget(new Scope.Type(type().name()), Measure.USD_24H, BigDecimal.valueOf(usd))));
    }

    private static SpendStore spending(JobReader store) {
        return store.capability(SpendStore.class).orElseThrow();
    }

    private static int limit(JobReader store) {
        return spending(store).budgets().getFirst().limit().intValueExact();
    }

    @Override
    void register(PoolBuilder pool, Host host) {
        BudgetGate gate = new BudgetGate(spending(host.store()), host.env().clock());
        pool.gate(gate).register(type(), (JobHandler<Integer, String>) (behavior,
                job) -> new HandlerCall(host, job, behavior).watched(call -> spend(call, gate)));
    }

    @Override
    @Nullable String handle(HandlerCall call) {
        throw new IllegalStateException("it needs the gate of its node");
    }

    private String spend(HandlerCall call, BudgetGate gate) {
        call.sleep(29);
        Instant now = call.host().env().clock().instant();
        gate.record(new Spend(call.job().id(), call.job().attempt(), type().name(), Set.of(), now, now,
                BigDecimal.ONE, false, 0));
        call.tell(new Report.Spent(1));
        return "ok";
    }

    /**
     * What was recorded stays recorded. The budget is exceeded at most by what runs on all workers at that moment, if
     * every node can see what the others have spent.
     */
    @Override
    Optional<String> wrongNow(Story changed, Evidence evidence) {
        List<Spend> spending = spending(evidence.observer()).spentSince(Instant.MIN);
        long told = evidence.stories().all().stream().filter(story -> story.workload() == this)
                .flatMap(Story::reports).filter(report -> report.event() instanceof Report.Spent).count();
        if (told > spending.size()) {
            return Optional.of("has spent something that is not recorded");
        }
        int limit = limit(evidence.observer());
        int most = limit + evidence.mostWorkers();
        return spending.size() > most && !evidence.mayMissWhatOthersDid()
                ? Optional.of(spending.size() + " USD were spent of a budget of " + limit) : Optional.empty();
    }

    /** What it spends cannot be recorded while the store fails, and three retries may not be enough. */
    @Override
    Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
        Job job = details.job();
        boolean refused = job.state() == JobState.FAILED
                && job.reason().orElse("").contains(StoreException.class.getSimpleName());
        return refused ? Optional.empty() : super.wrong(story, details, evidence);
    }
}

package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.env.Environment;
import dev.heddle.env.TimeOfDay;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.search.TextIndex;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.Retention;
import dev.heddle.store.SavedState;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs in memory, for tests and for jobs that need not survive the process. It offers every capability except
 * transactions of the application, and is for one node at a time. Safe for use by many threads: it is plain collections
 * under one lock.
 */
public final class MemoryStore
        implements
            Store,
            RunArchive,
            SpendStore,
            TextIndex,
            SessionStore,
            AdoptionStore,
            ClockedStore {

    private final ReentrantLock lock = new ReentrantLock();
    private final MemoryTable table = new MemoryTable();
    private final MemoryFamilies families = new MemoryFamilies(table);
    private final MemoryInserts inserts = new MemoryInserts(table);
    private final MemoryAttempts attempts = new MemoryAttempts(table, inserts, families);
    private final MemoryCommands commands = new MemoryCommands(table, families);
    private final MemoryRuns runs = new MemoryRuns(table);
    private final MemorySpending spending = new MemorySpending();
    private final MemoryTexts texts = new MemoryTexts(table);
    private final MemorySessions sessions = new MemorySessions(table);
    private final MemoryAdoptions adoptions = new MemoryAdoptions(table);
    private final Map<String, NodeRecord> nodes = new LinkedHashMap<>();
    private StoreListener listener = StoreListener.none();
    private TimeOfDay clock = new TimeOfDay(Environment.system());
    private boolean closed;

    /** Creates an empty store. */
    public MemoryStore() {}

    private <T> T locked(Supplier<T> transaction) {
        T result;
        Runnable notifications;
        lock.lock();
        try {
            if (closed) {
                throw new StoreException(StoreException.Kind.CLOSED,
                        "this memory store was closed and its jobs are gone; create a new one");
            }
            Runnable jumped = readClock();
            result = transaction.get();
            Runnable others = families.takeNotifications(listener);
            notifications = () -> {
                jumped.run();
                others.run();
            };
        } finally {
            lock.unlock();
        }
        notifications.run();
        return result;
    }

    /** Sets the time of a transaction; returns how to tell of a jump of the clock. */
    private Runnable readClock() {
        TimeOfDay.Reading time = clock.read();
        table.setTime(time.now());
        if (!time.hasJumped()) {
            return () -> {};
        }
        int moved = table.moveDueTimes(time.jump());
        StoreListener told = listener;
        return () -> told.clockJumped(time.jump(), moved);
    }

    @Override
    public void useClock(Environment env) {
        lock.lock();
        try {
            clock = new TimeOfDay(env);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean join(NodeRecord node, StoreListener nodeListener) {
        Instant at = MemoryRow.millis(node.joinedAt());
        locked(() -> {
            listener = nodeListener;
            return Optional
                    .ofNullable(nodes.put(node.id(), new NodeRecord(node.id(), at, at, node.lease(), node.workers())));
        });
        return false;
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        return locked(() -> submissions.stream().map(inserts::insert).toList());
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return locked(() -> {
            int promoted = table.promoteDue();
            List<ClaimResult.Claim> claims = table.claim(request).stream()
                    .map(row -> new ClaimResult.Claim(row.job(), row.suspicion)).toList();
            return new ClaimResult(claims, promoted, table.untilDue());
        });
    }

    @Override
    public List<Verdict> apply(List<Change> changes) {
        return locked(() -> changes.stream().map(attempts::apply).toList());
    }

    @Override
    public CommandResult execute(AdminCommand command) {
        return locked(() -> commands.execute(command));
    }

    /** A node that was removed stays dead, because its jobs were recovered. */
    @Override
    public Renewal renew(NodeRecord node) {
        return locked(() -> {
            List.copyOf(table.waiting).forEach(row -> families.wake(row, node.id(), node.renewedAt()));
            return renewed(node);
        });
    }

    private Renewal renewed(NodeRecord node) {
        return nodes.computeIfPresent(node.id(),
                (id, known) -> new NodeRecord(id, known.joinedAt(), MemoryRow.millis(node.renewedAt()), node.lease(),
                        node.workers())) == null ? new Renewal.Dead()
                                : new Renewal.SingleNode(cancelled(),
                                        adoptions.expired(nodes.keySet(), node.renewedAt()));
    }

    private List<Renewal.HeldAttempt> cancelled() {
        return table.held.stream().filter(row -> row.state == JobState.CANCELLED)
                .map(row -> new Renewal.HeldAttempt(
                        new Fence(row.seq, row.attempt, Objects.requireNonNull(row.node, "node")), row.state,
                        Objects.requireNonNull(row.assignedAt, "assignedAt"), row.reason))
                .toList();
    }

    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        return locked(() -> {
            List<Recovery> recoveries = attempts.recover(survivor, nodes, plan, now);
            nodes.keySet().removeIf(id -> !id.equals(survivor));
            return recoveries;
        });
    }

    @Override
    public SavedState saved(long seq) {
        return locked(() -> Optional.ofNullable(table.find(seq)).map(MemoryRow::saved).orElse(SavedState.EMPTY));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return locked(() -> Optional.ofNullable(table.find(id)).map(MemoryRow::job));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return locked(() -> table.matching(query).limit(query.limit()).map(MemoryRow::job).toList());
    }

    @Override
    public Optional<JobDetails> details(JobId id) {
        return locked(() -> Optional.ofNullable(table.find(id)).map(row -> row.details(table.children.count(id))));
    }

    @Override
    public JobCounts countJobs() {
        return locked(table::countJobs);
    }

    @Override
    public List<NodeRecord> nodes() {
        return locked(() -> List.copyOf(nodes.values()));
    }

    @Override
    public List<Binding> bind(List<BindRequest> bids, Instant now) {
        return locked(() -> sessions.bind(bids, now));
    }

    @Override
    public void park(List<Parking> jobs) {
        locked(() -> {
            sessions.park(jobs);
            return jobs;
        });
    }

    @Override
    public List<Binding> release(Release which, Instant now) {
        return locked(() -> sessions.release(which, now, nodes.keySet()));
    }

    @Override
    public void touch(Collection<Binding> used, Instant now) {
        locked(() -> {
            sessions.touch(used, now);
            return used;
        });
    }

    @Override
    public List<Binding> sessions(int limit) {
        return locked(() -> sessions.sessions(limit));
    }

    @Override
    public boolean reserve(Fence attempt, Reservation reservation) {
        return locked(() -> adoptions.reserve(attempt, reservation));
    }

    @Override
    public List<ReservedAttempt> reservedFor(String machine) {
        return locked(() -> adoptions.reservedFor(machine));
    }

    @Override
    public List<ClaimResult.Claim> adopt(List<Fence> fences, String node, Instant now) {
        return locked(() -> adoptions.adopt(fences, node, now));
    }

    @Override
    public void unreserve(List<Fence> fences) {
        locked(() -> {
            adoptions.unreserve(fences);
            return fences;
        });
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return locked(() -> {
            pruneSaved(cutoff(now, retention.checkpoints()));
            List<MemoryRow> expired = expired(retention, cutoff(now, retention.age()));
            expired.forEach(table::remove);
            return expired.size();
        });
    }

    @Override
    public boolean save(Run run, Output output) {
        return locked(() -> runs.save(run, output));
    }

    @Override
    public List<Run> runs(JobId job) {
        return locked(() -> runs.of(job));
    }

    @Override
    public Optional<Output> output(JobId job, int attempt) {
        return locked(() -> runs.output(job, attempt));
    }

    @Override
    public List<Run> runsOfDeletedJobs(String place, int limit) {
        return locked(() -> runs.ofDeletedJobs(place, limit));
    }

    @Override
    public void forget(List<Run> forgotten) {
        locked(() -> {
            runs.forget(forgotten);
            return forgotten;
        });
    }

    @Override
    public void record(Spend spend) {
        locked(() -> {
            spending.record(spend);
            return spend;
        });
    }

    @Override
    public List<Spend> spentSince(Instant since) {
        return locked(() -> spending.since(since));
    }

    @Override
    public void deleteSpendingBefore(Instant before) {
        locked(() -> {
            spending.deleteBefore(before);
            return before;
        });
    }

    @Override
    public List<Budget> budgets() {
        return locked(spending::budgets);
    }

    @Override
    public void setBudgets(List<Budget> budgets) {
        locked(() -> {
            budgets.forEach(spending::set);
            return budgets;
        });
    }

    @Override
    public void index(JobId job, int attempt, String text) {
        locked(() -> {
            texts.index(job, attempt, text.substring(0, Math.min(text.length(), MAX_CHARACTERS)));
            return text;
        });
    }

    @Override
    public List<JobId> search(String words, int limit) {
        return locked(() -> texts.search(words, limit));
    }

    private List<MemoryRow> expired(Retention retention, Instant cutoff) {
        List<MemoryRow> found = new ArrayList<>();
        long excess = table.ended.size() - retention.count();
        for (MemoryRow row : table.ended) {
            boolean isExpired = excess > 0 || isBefore(row.endedAt, cutoff);
            if (!isExpired || found.size() == retention.batch()) {
                break;
            }
            excess--;
            if (!hasLiveParent(row)) {
                found.add(row);
            }
        }
        return found;
    }

    /** A parent needs its ended children until it has ended, and for as long as it can be retried. */
    private boolean hasLiveParent(MemoryRow row) {
        return row.spec.parent().map(table::find).map(parent -> !parent.ended || parent.state == JobState.FAILED)
                .orElse(false);
    }

    private void pruneSaved(Instant cutoff) {
        while (!table.endedWithSaved.isEmpty() && isBefore(table.endedWithSaved.first().endedAt, cutoff)) {
            table.change(table.endedWithSaved.first(), MemoryRow::forgetSaved);
        }
    }

    private static boolean isBefore(@Nullable Instant endedAt, Instant cutoff) {
        return endedAt != null && endedAt.isBefore(cutoff);
    }

    /** An unlimited age reaches further back than an Instant can. */
    private static Instant cutoff(Instant now, Duration age) {
        return age.compareTo(Duration.between(Instant.MIN, now)) >= 0 ? Instant.MIN : MemoryRow.millis(now).minus(age);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}

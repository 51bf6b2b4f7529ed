package dev.heddle.store;

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
import dev.heddle.budget.SpendBook;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.search.TextIndex;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs in memory: the reference for what every store does, for tests and for work that may be lost with
 * the process. Plain collections under one lock; nothing outlives it.
 */
public final class MemoryStore
        implements
            Store,
            RunArchive,
            SpendBook,
            TextIndex,
            SessionStore,
            AdoptionStore {

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
    private Bell bell = Bell.silent();
    private boolean closed;

    private <T> T locked(Supplier<T> transaction) {
        T result;
        Runnable news;
        lock.lock();
        try {
            if (closed) {
                throw new StoreException(StoreException.Kind.CLOSED,
                        "this memory store was closed, and its jobs went with it; open a new one");
            }
            result = transaction.get();
            news = families.takeNews(bell);
        } finally {
            lock.unlock();
        }
        news.run();
        return result;
    }

    @Override
    public boolean join(NodeRecord node, Bell ears) {
        Instant at = MemoryRow.millis(node.joinedAt());
        locked(() -> {
            bell = ears;
            return Optional.ofNullable(
                    nodes.put(node.id(), new NodeRecord(node.id(), at, at, node.lease(), node.workers())));
        });
        return false;
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        return locked(() -> submissions.stream().map(inserts::insert).toList());
    }

    @Override
    public Claimed claim(ClaimRequest request) {
        return locked(() -> {
            int woken = table.wake(request.now());
            List<Claimed.Claim> claims = table.claim(request).stream()
                    .map(row -> new Claimed.Claim(row.job(), row.suspect)).toList();
            return new Claimed(claims, woken, table.nextDue());
        });
    }

    @Override
    public List<Verdict> apply(List<Change> changes) {
        return locked(() -> changes.stream().map(attempts::apply).toList());
    }

    @Override
    public Ruling execute(Command command) {
        return locked(() -> commands.execute(command));
    }

    /** A node that was forgotten stays so: its jobs are no longer its own. */
    @Override
    public Renewal renew(NodeRecord node) {
        return locked(() -> {
            List.copyOf(table.waiting).forEach(row -> families.wake(row, node.id(), node.renewedAt()));
            return renewed(node);
        });
    }

    private Renewal renewed(NodeRecord node) {
        return nodes.computeIfPresent(node.id(),
                (id, known) -> new NodeRecord(id, known.joinedAt(), MemoryRow.millis(node.renewedAt()),
                        node.lease(), node.workers())) == null ? new Renewal.Dead()
                                : new Renewal.Alone(cancelled(),
                                        adoptions.expired(nodes.keySet(), node.renewedAt()));
    }

    private List<Renewal.Held> cancelled() {
        return table.held.stream().filter(row -> row.state == JobState.CANCELLED)
                .map(row -> new Renewal.Held(
                        new Fence(row.seq, row.attempt, Objects.requireNonNull(row.node)), row.state,
                        Objects.requireNonNull(row.assignedAt), row.reason))
                .toList();
    }

    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        return locked(() -> {
            List<Recovery> recoveries = attempts.recover(survivor, plan, now);
            nodes.keySet().removeIf(id -> !id.equals(survivor));
            return recoveries;
        });
    }

    @Override
    public Saved saved(long seq) {
        return locked(() -> Optional.ofNullable(table.find(seq)).map(MemoryRow::saved).orElse(Saved.NOTHING));
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
    public Optional<Story> story(JobId id) {
        return locked(
                () -> Optional.ofNullable(table.find(id)).map(row -> row.story(table.lineage.count(id))));
    }

    @Override
    public Tally tally() {
        return locked(table::tally);
    }

    @Override
    public List<NodeRecord> nodes() {
        return locked(() -> List.copyOf(nodes.values()));
    }

    @Override
    public List<Binding> bind(List<Bid> bids, Instant now) {
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
    public List<Reserved> reserved(String machine) {
        return locked(() -> adoptions.reserved(machine));
    }

    @Override
    public List<Claimed.Claim> adopt(List<Fence> fences, String node, Instant now) {
        return locked(() -> adoptions.adopt(fences, node, now));
    }

    @Override
    public void free(List<Fence> fences) {
        locked(() -> {
            adoptions.free(fences);
            return fences;
        });
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return locked(() -> {
            pruneSaved(cutoff(now, retention.checkpoints()));
            List<MemoryRow> outlived = outlived(retention, cutoff(now, retention.age()));
            outlived.forEach(table::remove);
            return outlived.size();
        });
    }

    @Override
    public boolean keep(Run run, Output output) {
        return locked(() -> runs.keep(run, output));
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
    public List<Run> leftBehind(String place, int limit) {
        return locked(() -> runs.leftBehind(place, limit));
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
    public void forgetSpending(Instant before) {
        locked(() -> {
            spending.forget(before);
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
            texts.index(job, attempt, text.substring(0, Math.min(text.length(), MOST)));
            return text;
        });
    }

    @Override
    public List<JobId> find(String words, int limit) {
        return locked(() -> texts.find(words, limit));
    }

    private List<MemoryRow> outlived(Retention retention, Instant cutoff) {
        List<MemoryRow> found = new ArrayList<>();
        long excess = table.past.size() - retention.count();
        for (MemoryRow row : table.past) {
            boolean goes = excess > 0 || isBefore(row.endedAt, cutoff);
            if (!goes || found.size() == retention.batch()) {
                break;
            }
            excess--;
            if (!hasParentAtWork(row)) {
                found.add(row);
            }
        }
        return found;
    }

    /** A parent's children are its memory until it has ended, and for as long as it could be retried. */
    private boolean hasParentAtWork(MemoryRow row) {
        return row.spec.parent().map(table::find)
                .map(parent -> !parent.ended || parent.state == JobState.FAILED).orElse(false);
    }

    private void pruneSaved(Instant cutoff) {
        while (!table.pastWithSaved.isEmpty() && isBefore(table.pastWithSaved.first().endedAt, cutoff)) {
            table.change(table.pastWithSaved.first(), MemoryRow::forgetSaved);
        }
    }

    private static boolean isBefore(@Nullable Instant endedAt, Instant cutoff) {
        return endedAt != null && endedAt.isBefore(cutoff);
    }

    /** "For ever" is a fine age, and reaches further back than an Instant can. */
    private static Instant cutoff(Instant now, Duration age) {
        return age.compareTo(Duration.between(Instant.MIN, now)) >= 0 ? Instant.MIN
                : MemoryRow.millis(now).minus(age);
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

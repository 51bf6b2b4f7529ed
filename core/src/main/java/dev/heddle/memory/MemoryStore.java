package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.env.Environment;
import dev.heddle.event.EventBatch;
import dev.heddle.event.EventStore;
import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.limit.LimitUsage;
import dev.heddle.log.LogChunk;
import dev.heddle.log.LogPosition;
import dev.heddle.log.LogStore;
import dev.heddle.query.ViewStore;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.schedule.StoredSchedule;
import dev.heddle.search.TextIndex;
import dev.heddle.stats.CountStore;
import dev.heddle.stats.ErrorCount;
import dev.heddle.stats.ErrorGroup;
import dev.heddle.stats.ErrorStore;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsStore;
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
import dev.heddle.waiting.WaitStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs in memory, for tests and for jobs that need not survive the process. It offers every capability except
 * transactions of the application. It is for one node at a time; a {@link MemoryCluster} is for many. Safe for use by
 * many threads.
 */
public final class MemoryStore
        implements
            Store,
            RunArchive,
            LogStore,
            SpendStore,
            TextIndex,
            SessionStore,
            AdoptionStore,
            LimitStore,
            ScheduleStore,
            WaitStore,
            ViewStore,
            CountStore,
            StatsStore,
            ErrorStore,
            EventStore,
            ClockedStore {

    private final MemoryData data;
    private final MemoryAccess access;
    private final boolean shared;
    private @Nullable String node;
    private volatile boolean closed;

    /** Creates an empty store for one node at a time. */
    public MemoryStore() {
        this(new MemoryData(new SingleNode(), Environment.system(), (_, notification) -> notification.run()), false);
    }

    MemoryStore(MemoryData data, boolean shared) {
        this.data = data;
        this.access = new MemoryAccess(data.access, this::locked);
        this.shared = shared;
    }

    private <T> T locked(Supplier<T> transaction) {
        return data.transaction(() -> {
            if (closed) {
                throw new StoreException(StoreException.Kind.CLOSED, shared
                        ? "this connection to the memory store was closed; connect again"
                        : "this memory store was closed and its jobs are gone; create a new one");
            }
            return transaction.get();
        });
    }

    /** A shared store has a clock of its own; only in a shared one are there events of other nodes. */
    @Override
    public <T> Optional<T> capability(Class<T> type) {
        if (type.isInstance(access)) {
            return Optional.of(type.cast(access));
        }
        return type.equals(shared ? ClockedStore.class : EventStore.class) ? Optional.empty()
                : Store.super.capability(type);
    }

    @Override
    public void useClock(Environment env) {
        data.useClock(env);
    }

    @Override
    public boolean join(NodeRecord record, StoreListener listener) {
        return locked(() -> {
            node = record.id();
            data.listen(record.id(), listener);
            return data.nodes.join(record);
        });
    }

    /** Tells the other nodes of a shared store that there may be jobs to claim. */
    private void announceWork() {
        if (shared) {
            data.workAvailable(node == null ? "" : node);
        }
    }

    @Override
    public List<Receipt> insert(List<Submission> submissions) {
        List<Receipt> receipts = locked(() -> submissions.stream().map(data.inserts::insert).toList());
        announceWork();
        return receipts;
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return locked(() -> {
            int promoted = data.table.promoteDue();
            List<ClaimResult.Claim> claims = !data.nodes.mayClaim(request.node()) ? List.of()
                    : data.table.claim(request).stream()
                            .map(row -> row.claim(request.elapsed(), data.table.now())).toList();
            return new ClaimResult(claims, promoted, data.table.untilDue());
        });
    }

    @Override
    public List<Verdict> apply(List<Change> changes) {
        record Applied(List<Verdict> verdicts, boolean freed) {}
        Applied applied = locked(() -> new Applied(changes.stream().map(data.attempts::apply).toList(),
                data.table.limits.hasFreed()));
        if (applied.freed() || changes.stream().anyMatch(Change::bringsWork)) {
            announceWork();
        }
        return applied.verdicts();
    }

    @Override
    public CommandResult execute(AdminCommand command) {
        CommandResult result = locked(() -> data.commands.execute(command));
        if (shared && result instanceof CommandResult.StillRunning(Fence attempt)) {
            data.jobsChanged(attempt.node());
        } else {
            announceWork();
        }
        return result;
    }

    @Override
    public Renewal renew(NodeRecord record) {
        return locked(() -> {
            List.copyOf(data.table.waiting)
                    .forEach(row -> data.attempts.wake(row, record.id(), record.renewedAt()));
            MemoryNodes.Standing standing = data.nodes.renew(record);
            if (!standing.alive()) {
                return new Renewal.Dead();
            }
            Set<String> alive = data.nodes.list().stream().map(NodeRecord::id).collect(Collectors.toSet());
            Set<String> expired = new HashSet<>(data.adoptions.expired(alive));
            if (!shared) {
                return new Renewal.SingleNode(held(row -> row.state == JobState.CANCELLED), expired);
            }
            expired.addAll(standing.expired());
            return new Renewal.Renewed(held(row -> record.id().equals(row.node)),
                    standing.steady() ? expired : Set.of());
        });
    }

    private List<Renewal.HeldAttempt> held(Predicate<MemoryRow> which) {
        return data.table.held.stream().filter(which)
                .map(row -> new Renewal.HeldAttempt(
                        new Fence(row.seq, row.attempt, Objects.requireNonNull(row.node, "node")), row.state,
                        Objects.requireNonNull(row.assignedAt, "assignedAt"),
                        row.state == JobState.CANCELLED ? row.reason : null))
                .toList();
    }

    @Override
    public List<Recovery> recover(String survivor, RecoveryPlan plan, Instant now) {
        List<Recovery> all = locked(() -> {
            Set<String> dead = data.nodes.dead(survivor, data.holders());
            List<Recovery> recoveries = data.attempts.recover(survivor, dead, data.nodes.list(), plan, now);
            data.nodes.remove(dead);
            return recoveries;
        });
        if (!all.isEmpty()) {
            announceWork();
        }
        return all;
    }

    @Override
    public SavedState saved(long seq) {
        return locked(() -> Optional.ofNullable(data.table.find(seq)).map(MemoryRow::saved).orElse(SavedState.EMPTY));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return locked(() -> Optional.ofNullable(data.table.find(id)).map(MemoryRow::job));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return locked(() -> data.table.matching(query).limit(query.limit()).map(MemoryRow::job).toList());
    }

    @Override
    public void saveView(View view) {
        locked(() -> {
            data.views.put(view.name(),
                    new View(view.name(), view.query(), view.actor(), MemoryRow.millis(view.savedAt())));
            return view;
        });
    }

    @Override
    public List<View> views() {
        return locked(() -> List.copyOf(data.views.values()));
    }

    @Override
    public boolean removeView(String name) {
        return locked(() -> data.views.remove(name) != null);
    }

    @Override
    public long count(JobQuery query) {
        return locked(() -> data.table.matching(query).count());
    }

    @Override
    public Optional<JobDetails> details(JobId id) {
        return locked(
                () -> Optional.ofNullable(data.table.find(id)).map(row -> row.details(data.table.children.count(id))));
    }

    @Override
    public Optional<Facts> waitFacts(JobId id) {
        return locked(() -> Optional.ofNullable(data.table.find(id))
                .map(row -> new MemoryWaits(data.table, data.sessions).facts(row)));
    }

    @Override
    public Map<Long, Instant> firstFailures(List<Long> seqs) {
        return locked(() -> seqs.stream().flatMap(seq -> Stream.ofNullable(data.table.find(seq)))
                .flatMap(row -> row.attempts.stream().filter(attempt -> attempt.end() != Attempt.End.COMPLETED).limit(1)
                        .map(attempt -> Map.entry(row.seq, attempt.endedAt())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    @Override
    public JobCounts countJobs() {
        return locked(data.table::countJobs);
    }

    @Override
    public List<JobCounts.Line> keptCounts() {
        return locked(data.table::keptCounts);
    }

    @Override
    public List<Head> heads() {
        return locked(data.table::heads);
    }

    @Override
    public void saveSlices(String source, List<StatsSlice> slices) {
        locked(() -> {
            data.statistics.save(source, slices);
            return slices;
        });
    }

    @Override
    public List<StatsSlice> slices(Instant since, @Nullable String type, @Nullable String queue) {
        return locked(() -> data.statistics.since(since, type, queue));
    }

    @Override
    public void mergeSlices(Instant now) {
        locked(() -> {
            data.statistics.merge(now);
            return now;
        });
    }

    @Override
    public void addErrors(List<ErrorCount> errors) {
        locked(() -> {
            data.statistics.add(errors);
            return errors;
        });
    }

    @Override
    public List<ErrorGroup> errors(@Nullable String type, int limit) {
        return locked(() -> data.statistics.errors(type, limit));
    }

    @Override
    public List<ErrorGroup> findErrors(String prefix) {
        return locked(() -> data.statistics.find(prefix));
    }

    @Override
    public List<Job> deadLetters(String fingerprint, long before, int limit) {
        return locked(() -> data.table.deadLetters(fingerprint, before).limit(limit).map(MemoryRow::job).toList());
    }

    @Override
    public Optional<ErrorGroup> describeError(String fingerprint, @Nullable String note, @Nullable String assignee) {
        return locked(() -> data.statistics.describe(fingerprint, note, assignee));
    }

    @Override
    public int foldCounts() {
        return 0;
    }

    /** Repairs nothing: the table counts wherever it changes an index. */
    @Override
    public List<Difference> checkCounts(boolean repair) {
        return locked(() -> {
            Map<JobCounts.Line, Long> kept = byGroup(data.table.keptCounts());
            Map<JobCounts.Line, Long> counted = byGroup(data.table.countedJobs());
            return Stream.concat(kept.keySet().stream(), counted.keySet().stream()).distinct()
                    .map(group -> new Difference(group.queue(), group.type(), group.state(),
                            kept.getOrDefault(group, 0L), counted.getOrDefault(group, 0L)))
                    .filter(both -> both.kept() != both.counted()).toList();
        });
    }

    private static Map<JobCounts.Line, Long> byGroup(List<JobCounts.Line> lines) {
        return lines.stream().collect(Collectors.toMap(
                line -> new JobCounts.Line(line.queue(), line.type(), line.state(), 0), JobCounts.Line::count));
    }

    @Override
    public List<NodeRecord> nodes() {
        return locked(() -> data.nodes.list());
    }

    @Override
    public List<Binding> bind(List<BindRequest> bids) {
        return locked(() -> data.sessions.bind(bids));
    }

    @Override
    public void park(List<Parking> jobs) {
        locked(() -> {
            data.sessions.park(jobs);
            return jobs;
        });
    }

    @Override
    public List<Binding> release(Release which) {
        List<Binding> released = locked(() -> data.sessions.release(which,
                data.nodes.list().stream().map(NodeRecord::id).collect(Collectors.toSet())));
        if (!released.isEmpty()) {
            announceWork();
        }
        if (shared && which instanceof Release.OfSession) {
            released.stream().map(Binding::node).distinct().forEach(data::jobsChanged);
        }
        return released;
    }

    @Override
    public void touch(Collection<Binding> used) {
        locked(() -> {
            data.sessions.touch(used);
            return used;
        });
    }

    @Override
    public List<Binding> sessions(int limit) {
        return locked(() -> data.sessions.sessions(limit));
    }

    @Override
    public boolean reserve(Fence attempt, Reservation reservation) {
        return locked(() -> data.adoptions.reserve(attempt, reservation));
    }

    @Override
    public List<ReservedAttempt> reservedFor(String machine) {
        return locked(() -> data.adoptions.reservedFor(machine));
    }

    @Override
    public List<ClaimResult.Claim> adopt(List<Fence> fences, String node, Instant now) {
        return locked(() -> data.adoptions.adopt(fences, node, now));
    }

    @Override
    public void unreserve(List<Fence> fences) {
        locked(() -> {
            data.adoptions.unreserve(fences);
            return fences;
        });
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return locked(() -> {
            pruneSaved(cutoff(now, retention.checkpoints()));
            List<MemoryRow> expired = expired(retention, cutoff(now, retention.age()));
            expired.forEach(data.table::remove);
            expired.forEach(row -> data.table.keys.pruned(row, data.table.now()));
            data.table.keys.sweep(data.table.now());
            return expired.size();
        });
    }

    @Override
    public boolean save(Run run, Output output) {
        return locked(() -> data.runs.save(run, output));
    }

    @Override
    public List<Run> runs(JobId job) {
        return locked(() -> data.runs.of(job));
    }

    @Override
    public Optional<Output> output(JobId job, int attempt) {
        return locked(() -> data.runs.output(job, attempt));
    }

    @Override
    public List<Run> runsOfDeletedJobs(String place, int limit) {
        return locked(() -> data.runs.ofDeletedJobs(place, limit));
    }

    @Override
    public void forget(List<Run> forgotten) {
        locked(() -> {
            data.runs.forget(forgotten);
            return forgotten;
        });
    }

    @Override
    public List<Boolean> append(List<Append> chunks) {
        return locked(() -> data.logs.append(chunks));
    }

    @Override
    public List<LogChunk> chunks(long seq, LogPosition from, int limit) {
        return locked(() -> data.logs.chunks(seq, from, limit));
    }

    @Override
    public void record(Spend spend) {
        locked(() -> {
            data.spending.record(spend);
            return spend;
        });
    }

    @Override
    public List<Spend> spentSince(Instant since) {
        return locked(() -> data.spending.since(since));
    }

    @Override
    public void deleteSpendingBefore(Instant before) {
        locked(() -> {
            data.spending.deleteBefore(before);
            return before;
        });
    }

    @Override
    public List<Budget> budgets() {
        return locked(data.spending::budgets);
    }

    @Override
    public void setBudgets(List<Budget> budgets) {
        locked(() -> {
            budgets.forEach(data.spending::set);
            return budgets;
        });
    }

    @Override
    public boolean removeBudget(Scope scope, Measure measure) {
        return locked(() -> data.spending.remove(scope, measure));
    }

    @Override
    public List<Limit> limits() {
        return locked(data.table.limits::rules);
    }

    @Override
    public void setLimit(Limit limit) {
        locked(() -> {
            data.table.limits.set(limit.complete());
            return limit;
        });
        announceWork();
    }

    @Override
    public boolean removeLimit(String name) {
        boolean removed = locked(() -> data.table.limits.remove(name));
        announceWork();
        return removed;
    }

    @Override
    public List<LimitUsage> limitUsage(String limit, int most) {
        return locked(() -> data.table.limits.usage(limit, most));
    }

    @Override
    public List<JobId> excessJobs(LimitKey key) {
        return locked(() -> data.table.limits.excess(key));
    }

    @Override
    public void index(JobId job, int attempt, String text) {
        locked(() -> {
            data.texts.index(job, attempt, text.substring(0, Math.min(text.length(), MAX_CHARACTERS)));
            return text;
        });
    }

    @Override
    public List<JobId> search(String words, int limit) {
        return locked(() -> data.texts.search(words, limit));
    }

    @Override
    public void subscribe(String subscriber, Duration length) {
        if (locked(() -> data.events.subscribe(subscriber, length, data.table.now()))) {
            data.eventsAnnounced(node == null ? "" : node);
        }
    }

    @Override
    public Duration subscribed() {
        return locked(() -> data.events.subscribed(data.table.now()));
    }

    @Override
    public void publish(EventBatch batch, int kept) {
        locked(() -> {
            data.events.publish(batch, kept, data.table.now());
            return batch;
        });
        data.eventsAnnounced(node == null ? "" : node);
    }

    @Override
    public Map<String, Long> positions() {
        return locked(data.events::positions);
    }

    @Override
    public List<EventBatch> eventsAfter(Map<String, Long> positions, int most) {
        return locked(() -> data.events.after(positions, most));
    }

    @Override
    public void update(String name, Edit edit) {
        locked(() -> {
            data.schedules.update(name, edit);
            return name;
        });
        if (shared) {
            data.schedulesChanged(node == null ? "" : node);
        }
    }

    @Override
    public Fired fire(Selection which, FirePlan plan) {
        Fired fired = locked(() -> data.schedules.fire(which, plan));
        if (!fired.jobs().isEmpty()) {
            announceWork();
        }
        return fired;
    }

    @Override
    public Optional<StoredSchedule> schedule(String name) {
        return locked(() -> data.schedules.find(name));
    }

    @Override
    public List<StoredSchedule> schedules(String after, int limit) {
        return locked(() -> data.schedules.list(after, limit));
    }

    @Override
    public List<ScheduleRun> runs(String schedule, int limit) {
        return locked(() -> data.schedules.runs(schedule, limit));
    }

    @Override
    public int deleteRunsBefore(Instant time, int limit) {
        return locked(() -> data.schedules.deleteRunsBefore(time, limit));
    }

    private List<MemoryRow> expired(Retention retention, Instant cutoff) {
        List<MemoryRow> found = new ArrayList<>();
        long excess = data.table.ended.size() - retention.count();
        for (MemoryRow row : data.table.ended) {
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
        return row.spec.parent().map(data.table::find).map(parent -> !parent.ended || parent.state == JobState.FAILED)
                .orElse(false);
    }

    private void pruneSaved(Instant cutoff) {
        while (!data.table.endedWithSaved.isEmpty() && isBefore(data.table.endedWithSaved.first().endedAt, cutoff)) {
            data.table.change(data.table.endedWithSaved.first(), MemoryRow::forgetSaved);
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
        data.transaction(() -> {
            if (shared && !closed && node != null) {
                String leaving = node;
                data.unlisten(leaving);
                data.nodes.leave(leaving, data.table.held.stream().anyMatch(row -> leaving.equals(row.node)));
            }
            closed = true;
            return closed;
        });
        announceWork();
    }
}

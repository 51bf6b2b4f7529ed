package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
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
import dev.heddle.store.ClaimResult;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Retention;
import dev.heddle.store.SavedState;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.waiting.WaitStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a store that is the same in every SQL database. */
public abstract class SqlStore
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
            ViewStore,
            WaitStore,
            CountStore,
            StatsStore,
            ErrorStore {

    private static final Logger LOG = LoggerFactory.getLogger(SqlStore.class);

    /** Work to do within a transaction. */
    public interface Work<T> {

        /** Does the work and returns its result. An exception rolls the transaction back. */
        T run(Tx tx) throws SQLException;
    }

    /** Work that may end children or cancel them. */
    protected interface FamilyWork<T> {

        /** Does the work and notes in {@code families} what it does to families. */
        T run(Tx tx, FamilyChanges families) throws SQLException;
    }

    /** Runs work in one transaction. When this returns, all of it is durable; if it throws, nothing has happened. */
    protected abstract <T> T write(Work<T> work);

    /** Runs work that only reads. */
    protected abstract <T> T read(Work<T> work);

    /**
     * Tells nodes what happened to jobs that they hold or could claim.
     *
     * @param woken whether a parent can go on
     * @param families the cancelled children and the nodes that run them
     */
    protected abstract void notifyNodes(boolean woken, FamilyChanges families);

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type.isAssignableFrom(SqlAccess.class) ? Optional.of(type.cast(new SqlAccess(this)))
                : Store.super.capability(type);
    }

    /** Runs work in one transaction, and wakes parents after it. */
    protected final <T> T writeForFamilies(FamilyWork<T> work) {
        record Written<T>(T result, FamilyChanges families) {}
        Written<T> written = write(tx -> {
            FamilyChanges families = new FamilyChanges();
            return new Written<>(work.run(tx, families), families);
        });
        wakeParents(written.families());
        return written.result();
    }

    /**
     * Wakes the parents whose last child has ended, and notifies nodes. Call this after the commit. If a crash
     * prevents it, the next renewal does it.
     */
    protected final void wakeParents(FamilyChanges families) {
        boolean woken = !families.endedChildren().isEmpty() && wakeParents(families.endedChildren(),
                read(tx -> FamilyChanges.readyParents(tx, families.endedChildren())));
        if (woken || families.cancelledAny()) {
            notifyNodes(woken, families);
        }
    }

    /** If a parent lost many children at once, its history names the last of them. */
    private boolean wakeParents(List<FamilyChanges.EndedChild> children, Set<Long> ready) {
        Map<Long, FamilyChanges.EndedChild> lastChildren = new TreeMap<>();
        children.stream().filter(child -> ready.contains(child.parent()))
                .forEach(child -> lastChildren.put(child.parent(), child));
        return !lastChildren.isEmpty() && write(tx -> FamilyChanges.wakeParents(tx, lastChildren.values())) > 0;
    }

    /** Wakes all parents that wait although their children have ended, because the process that ended them died. */
    protected final void wakeOverlookedParents(String node, Instant now) {
        Set<Long> ready = read(FamilyChanges::allReadyParents);
        List<FamilyChanges.EndedChild> children = ready.stream().sorted()
                .map(parent -> new FamilyChanges.EndedChild(parent, node, now)).toList();
        if (!children.isEmpty() && writeOrFailSoon(tx -> FamilyChanges.wakeParents(tx, children)) > 0) {
            notifyNodes(true, new FamilyChanges());
        }
    }

    /**
     * Lets jobs run that wait for nothing: for a job that ended while an application's transaction put them behind it, or
     * for a limit that has room, which should never happen.
     */
    protected final void freeOverlookedJobs() {
        int freed = writeOrFailSoon(tx -> LimitEvents.freeOverlooked(tx) + Successors.releaseOverlooked(tx));
        if (freed > 0) {
            LOG.debug("Freed {} limit keys or jobs that nothing else would have freed", freed);
            limitsChanged();
        }
    }

    /** Runs work in one transaction that fails instead of waiting long for the locks of others. */
    protected <T> T writeOrFailSoon(Work<T> work) {
        return write(work);
    }

    @Override
    public CommandResult execute(AdminCommand command) {
        return executeAll(List.of(command)).getFirst();
    }

    @Override
    public List<CommandResult> executeAll(List<? extends AdminCommand> commands) {
        return writeForFamilies((tx, families) -> {
            List<CommandResult> results = new ArrayList<>();
            for (AdminCommand command : commands) {
                results.add(AdminCommands.execute(tx, command, families));
            }
            return results;
        });
    }

    @Override
    public void saveView(View view) {
        write(tx -> ViewRows.save(tx, view));
    }

    @Override
    public List<View> views() {
        return read(ViewRows::list);
    }

    @Override
    public boolean removeView(String name) {
        return write(tx -> ViewRows.remove(tx, name));
    }

    @Override
    public SavedState saved(long seq) {
        return read(tx -> SavedStateRows.load(tx, seq));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return read(tx -> Queries.find(tx, id));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return read(tx -> JobListing.list(tx, query));
    }

    @Override
    public long count(JobQuery query) {
        return read(tx -> JobListing.count(tx, query));
    }

    @Override
    public Optional<JobDetails> details(JobId id) {
        return read(tx -> Queries.details(tx, id));
    }

    @Override
    public Map<Long, Instant> firstFailures(List<Long> seqs) {
        return read(tx -> Queries.firstFailures(tx, seqs));
    }

    @Override
    public Optional<Facts> waitFacts(JobId id) {
        return read(tx -> WaitRows.facts(tx, id, now(tx)));
    }

    /** Returns the time by the clock of the store, within work that only reads. */
    protected Instant now(Tx tx) throws SQLException {
        return tx.now();
    }

    @Override
    public JobCounts countJobs() {
        return read(Queries::countJobs);
    }

    @Override
    public List<JobCounts.Line> keptCounts() {
        return read(CountRows::kept);
    }

    @Override
    public List<Head> heads() {
        return read(CountRows::heads);
    }

    @Override
    public void saveSlices(String source, List<StatsSlice> slices) {
        write(tx -> {
            StatsRows.save(tx, source, slices);
            return source;
        });
    }

    @Override
    public List<StatsSlice> slices(Instant since, @Nullable String type, @Nullable String queue) {
        return read(tx -> StatsRows.since(tx, since, type, queue));
    }

    @Override
    public void mergeSlices(Instant now) {
        write(tx -> {
            StatsRows.merge(tx, now);
            ErrorRows.deleteOldHours(tx, now);
            return now;
        });
    }

    @Override
    public void addErrors(List<ErrorCount> errors) {
        write(tx -> {
            ErrorRows.add(tx, errors);
            return errors;
        });
    }

    @Override
    public List<ErrorGroup> errors(@Nullable String type, int limit) {
        return read(tx -> ErrorRows.list(tx, type, limit));
    }

    @Override
    public List<ErrorGroup> findErrors(String prefix) {
        return read(tx -> ErrorRows.find(tx, prefix));
    }

    @Override
    public List<Job> deadLetters(String fingerprint, long before, int limit) {
        return read(tx -> ErrorRows.deadLetters(tx, fingerprint, before, limit));
    }

    @Override
    public Optional<ErrorGroup> describeError(String fingerprint, @Nullable String note, @Nullable String assignee) {
        return write(tx -> ErrorRows.describe(tx, fingerprint, note, assignee));
    }

    @Override
    public int foldCounts() {
        return read(CountRows::pending) ? write(CountRows::fold) : 0;
    }

    @Override
    public List<Difference> checkCounts(boolean repair) {
        List<Difference> differences = read(CountRows::differences);
        if (repair && !differences.isEmpty()) {
            write(tx -> {
                CountRows.correct(tx, differences);
                return differences;
            });
        }
        return differences;
    }

    @Override
    public List<NodeRecord> nodes() {
        return read(Queries::nodes);
    }

    @Override
    public List<Binding> bind(List<BindRequest> bids) {
        return write(tx -> SessionRows.bind(tx, bids));
    }

    @Override
    public void park(List<Parking> jobs) {
        // Not with the store's lanes: the lanes of workers come and go, and must not stay in its cache.
        write(tx -> SessionRows.park(tx, new Lanes(), jobs));
    }

    @Override
    public List<Binding> release(Release which) {
        return write(tx -> SessionRows.release(tx, which));
    }

    @Override
    public void touch(Collection<Binding> used) {
        write(tx -> SessionRows.touch(tx, used));
    }

    @Override
    public List<Binding> sessions(int limit) {
        return read(tx -> SessionRows.sessions(tx, limit));
    }

    @Override
    public boolean reserve(Fence attempt, Reservation reservation) {
        return write(tx -> ReservationRows.reserve(tx, attempt, reservation));
    }

    @Override
    public List<ReservedAttempt> reservedFor(String machine) {
        return read(tx -> ReservationRows.reserved(tx, machine));
    }

    @Override
    public List<ClaimResult.Claim> adopt(List<Fence> attempts, String node, Instant now) {
        return write(tx -> ReservationRows.adopt(tx, attempts, node, now));
    }

    @Override
    public void unreserve(List<Fence> attempts) {
        write(tx -> ReservationRows.end(tx, attempts));
    }

    /** Stores jobs within a transaction. */
    protected abstract void insertJobs(Tx tx, List<NewJob> jobs) throws SQLException;

    @Override
    public void update(String name, Edit edit) {
        write(tx -> {
            ScheduleRows.update(tx, name, edit);
            return name;
        });
    }

    @Override
    public Fired fire(Selection which, FirePlan plan) {
        return write(tx -> ScheduleRows.fire(tx, which, plan, this::insertJobs));
    }

    @Override
    public Optional<StoredSchedule> schedule(String name) {
        return read(tx -> ScheduleRows.find(tx, name));
    }

    @Override
    public List<StoredSchedule> schedules(String after, int limit) {
        return read(tx -> ScheduleRows.list(tx, after, limit));
    }

    @Override
    public List<ScheduleRun> runs(String schedule, int limit) {
        return read(tx -> ScheduleRows.runs(tx, schedule, limit));
    }

    @Override
    public int deleteRunsBefore(Instant time, int limit) {
        return write(tx -> ScheduleRows.deleteRunsBefore(tx, time, limit));
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return write(tx -> Pruning.prune(tx, retention, now));
    }

    @Override
    public boolean save(Run run, Output output) {
        return write(tx -> RunRows.keep(tx, run, output));
    }

    @Override
    public List<Run> runs(JobId job) {
        return read(tx -> RunRows.of(tx, job));
    }

    @Override
    public Optional<Output> output(JobId job, int attempt) {
        return read(tx -> RunRows.output(tx, job, attempt));
    }

    @Override
    public List<Run> runsOfDeletedJobs(String place, int limit) {
        return read(tx -> RunRows.leftBehind(tx, place, limit));
    }

    @Override
    public void forget(List<Run> runs) {
        write(tx -> RunRows.forget(tx, runs));
    }

    @Override
    public List<Boolean> append(List<Append> chunks) {
        return write(tx -> LogRows.append(tx, chunks));
    }

    @Override
    public List<LogChunk> chunks(long seq, LogPosition from, int limit) {
        return read(tx -> LogRows.chunks(tx, seq, from, limit));
    }

    @Override
    public void record(Spend spend) {
        write(tx -> SpendRows.record(tx, spend));
    }

    @Override
    public List<Spend> spentSince(Instant since) {
        return read(tx -> SpendRows.since(tx, since));
    }

    @Override
    public void deleteSpendingBefore(Instant before) {
        write(tx -> SpendRows.forget(tx, before));
    }

    @Override
    public List<Budget> budgets() {
        return read(SpendRows::budgets);
    }

    @Override
    public void setBudgets(List<Budget> budgets) {
        write(tx -> SpendRows.set(tx, budgets));
    }

    @Override
    public boolean removeBudget(Scope scope, Measure measure) {
        return write(tx -> SpendRows.remove(tx, scope, measure)) > 0;
    }

    @Override
    public List<Limit> limits() {
        return read(LimitRows::limits);
    }

    @Override
    public void setLimit(Limit limit) {
        write(tx -> LimitRows.set(tx, limit));
        limitsChanged();
    }

    @Override
    public boolean removeLimit(String name) {
        boolean removed = write(tx -> LimitRows.remove(tx, name));
        limitsChanged();
        return removed;
    }

    @Override
    public List<JobId> excessJobs(LimitKey key) {
        return read(tx -> LimitAdmission.excess(tx, key));
    }

    /** Tells nodes that jobs may have room. */
    protected final void limitsChanged() {
        notifyNodes(true, new FamilyChanges());
    }

    @Override
    public List<LimitUsage> limitUsage(String limit, int most) {
        return read(tx -> LimitRows.usage(tx, limit, most));
    }

    @Override
    public void index(JobId job, int attempt, String text) {
        write(tx -> TextIndexRows.index(tx, job, attempt, text));
    }

    @Override
    public List<JobId> search(String words, int limit) {
        return read(tx -> TextIndexRows.find(tx, words, limit));
    }
}

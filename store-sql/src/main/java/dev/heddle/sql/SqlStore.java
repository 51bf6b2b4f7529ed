package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendBook;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.search.TextIndex;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.Claimed;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Retention;
import dev.heddle.store.Ruling;
import dev.heddle.store.Saved;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;

/** The part of a store that is the same in every SQL database. */
public abstract class SqlStore
        implements
            Store,
            RunArchive,
            SpendBook,
            TextIndex,
            SessionStore,
            AdoptionStore {

    /** Something to do with a connection. */
    public interface Work<T> {
        T run(Session session) throws SQLException;
    }

    /** One transaction: all of the work is durable when this returns, or none of it has happened. */
    protected abstract <T> T write(Work<T> work);

    protected abstract <T> T read(Work<T> work);

    /** Tells nodes what they cannot know: that a parent can go on, that children they run were cancelled. */
    protected abstract void tell(boolean woken, Kinship kin);

    /** Something to do with a connection that may touch families. */
    protected interface FamilyWork<T> {
        T run(Session session, Kinship kin) throws SQLException;
    }

    /** One transaction, and then what it means to parents. */
    protected final <T> T writeForFamilies(FamilyWork<T> work) {
        record Written<T>(T result, Kinship kin) {}
        Written<T> written = write(session -> {
            Kinship kin = new Kinship();
            return new Written<>(work.run(session, kin), kin);
        });
        settle(written.kin());
        return written.result();
    }

    /** After the commit: wakes parents whose last child it ended. What a crash prevents here, a renewal repeats. */
    protected final void settle(Kinship kin) {
        boolean woken = !kin.losses().isEmpty()
                && wake(kin.losses(), read(session -> Kinship.ready(session, kin.losses())));
        if (woken || kin.hasCancelled()) {
            tell(woken, kin);
        }
    }

    /** Wakes every parent that waits for nobody. */
    protected final void wakeForgotten(String node, Instant now) {
        Set<Long> ready = read(Kinship::allReady);
        List<Kinship.Loss> losses = ready.stream().sorted().map(parent -> new Kinship.Loss(parent, node, now))
                .toList();
        if (!losses.isEmpty() && writeSoon(session -> Kinship.wake(session, losses)) > 0) {
            tell(true, new Kinship());
        }
    }

    /** One transaction that fails rather than wait for somebody else's for long. */
    protected <T> T writeSoon(Work<T> work) {
        return write(work);
    }

    /** A parent may have lost many children at once; the last of them is the one that woke it. */
    private boolean wake(List<Kinship.Loss> losses, Set<Long> ready) {
        Map<Long, Kinship.Loss> parents = new TreeMap<>();
        losses.stream().filter(loss -> ready.contains(loss.parent()))
                .forEach(loss -> parents.put(loss.parent(), loss));
        return !parents.isEmpty() && write(session -> Kinship.wake(session, parents.values())) > 0;
    }

    @Override
    public Ruling execute(Command command) {
        return writeForFamilies((session, kin) -> Commands.execute(session, command, kin));
    }

    @Override
    public Saved saved(long seq) {
        return read(session -> Saves.load(session, seq));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return read(session -> Reads.find(session, id));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return read(session -> Reads.list(session, query));
    }

    @Override
    public Optional<Story> story(JobId id) {
        return read(session -> Reads.story(session, id));
    }

    @Override
    public Tally tally() {
        return read(Reads::tally);
    }

    @Override
    public List<NodeRecord> nodes() {
        return read(Reads::nodes);
    }

    @Override
    public List<Binding> bind(List<Bid> bids, Instant now) {
        return write(session -> SessionRows.bind(session, bids, now));
    }

    @Override
    public void park(List<Parking> jobs) {
        // With lanes of its own: those of workers come and go.
        write(session -> SessionRows.park(session, new Lanes(), jobs));
    }

    @Override
    public List<Binding> release(Release which, Instant now) {
        return write(session -> SessionRows.release(session, which, now));
    }

    @Override
    public void touch(Collection<Binding> used, Instant now) {
        write(session -> SessionRows.touch(session, used, now));
    }

    @Override
    public List<Binding> sessions(int limit) {
        return read(session -> SessionRows.sessions(session, limit));
    }

    @Override
    public boolean reserve(Fence attempt, Reservation reservation) {
        return write(session -> Adoptions.reserve(session, attempt, reservation));
    }

    @Override
    public List<Reserved> reserved(String machine) {
        return read(session -> Adoptions.reserved(session, machine));
    }

    @Override
    public List<Claimed.Claim> adopt(List<Fence> attempts, String node, Instant now) {
        return write(session -> Adoptions.adopt(session, attempts, node, now));
    }

    @Override
    public void free(List<Fence> attempts) {
        write(session -> Adoptions.free(session, attempts));
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return write(session -> Pruning.prune(session, retention, now));
    }

    @Override
    public boolean keep(Run run, Output output) {
        return write(session -> Runs.keep(session, run, output));
    }

    @Override
    public List<Run> runs(JobId job) {
        return read(session -> Runs.of(session, job));
    }

    @Override
    public Optional<Output> output(JobId job, int attempt) {
        return read(session -> Runs.output(session, job, attempt));
    }

    @Override
    public List<Run> leftBehind(String place, int limit) {
        return read(session -> Runs.leftBehind(session, place, limit));
    }

    @Override
    public void forget(List<Run> runs) {
        write(session -> Runs.forget(session, runs));
    }

    @Override
    public void record(Spend spend) {
        write(session -> Spending.record(session, spend));
    }

    @Override
    public List<Spend> spentSince(Instant since) {
        return read(session -> Spending.since(session, since));
    }

    @Override
    public void forgetSpending(Instant before) {
        write(session -> Spending.forget(session, before));
    }

    @Override
    public List<Budget> budgets() {
        return read(Spending::budgets);
    }

    @Override
    public void setBudgets(List<Budget> budgets) {
        write(session -> Spending.set(session, budgets));
    }

    @Override
    public void index(JobId job, int attempt, String text) {
        write(session -> Texts.index(session, job, attempt, text));
    }

    @Override
    public List<JobId> find(String words, int limit) {
        return read(session -> Texts.find(session, words, limit));
    }
}

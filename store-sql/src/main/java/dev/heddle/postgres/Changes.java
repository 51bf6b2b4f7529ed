package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import dev.heddle.job.Transition;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.LimitEvents;
import dev.heddle.sql.Rows;
import dev.heddle.sql.SavedStateRows;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.StaleChanges;
import dev.heddle.sql.Successors;
import dev.heddle.sql.Tx;
import dev.heddle.store.Change;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Writes what attempts did, all changes of one kind in one statement. Each statement reads its rows from arrays,
 * matches them with {@code live} by their fence, and returns the jobs that it changed. {@link StaleChanges} finds out
 * about the rest.
 */
final class Changes {

    private final Connections connections;
    private final Inserts inserts;

    Changes(Connections connections, Inserts inserts) {
        this.connections = connections;
        this.inserts = inserts;
    }

    /** The answer to each change, and what the changes did to families. */
    record Applied(List<Verdict> verdicts, FamilyChanges families) {}

    /** The kinds of changes, each of which has its statement. */
    private enum Kind {
        STARTED, CLEARED, PROGRESSED, CHECKPOINTED, STEP_DONE, RELEASED, INGESTED, RETRIED, RESCHEDULED, COMPLETED, ENDED;

        static Kind of(Change change) {
            return switch (change) {
                case Change.Started _ -> STARTED;
                case Change.Cleared _ -> CLEARED;
                case Change.Progressed _ -> PROGRESSED;
                case Change.Checkpointed _ -> CHECKPOINTED;
                case Change.StepDone _ -> STEP_DONE;
                case Change.Released _ -> RELEASED;
                case Change.Ended ended -> switch (ended.transition()) {
                    case Transition.Requeue _ -> RELEASED;
                    case Transition.Retry _ -> RETRIED;
                    case Transition.Reschedule _ -> RESCHEDULED;
                    case Transition.Complete _ -> COMPLETED;
                    case Transition.Fail _, Transition.Cancel _ -> ENDED;
                    case Transition.Wait _ ->
                        throw new IllegalArgumentException("only Change.Ingested may have a Wait");
                };
                case Change.Ingested _ -> INGESTED;
            };
        }
    }

    Applied apply(List<Change> changes) {
        inserts.createLanes(
                changes.stream().map(Changes::jobsOf).filter(jobs -> !jobs.isEmpty()).map(Submission::new).toList());
        List<Map<Kind, List<Integer>>> waves = waves(changes);
        @Nullable Verdict[] verdicts = new Verdict[changes.size()];
        if (!isOneStatement(waves, changes)) {
            return connections.write(tx -> {
                Arrays.fill(verdicts, null);
                FamilyChanges families = write(tx, waves, changes, verdicts);
                Applied applied = applyRest(tx, changes, verdicts, families);
                inserts.insertSequels(tx, sequels(changes, applied.verdicts()), families);
                return applied;
            });
        }
        FamilyChanges families = connections.once(tx -> write(tx, waves, changes, verdicts));
        if (!Arrays.asList(verdicts).contains(null)) {
            return new Applied(Arrays.asList(verdicts), families);
        }
        Applied rest = connections.write(tx -> applyRest(tx, changes, verdicts, new FamilyChanges()));
        rest.families().add(families);
        return rest;
    }

    /** Returns the jobs that are stored with a change. */
    private static List<NewJob> jobsOf(Change change) {
        return switch (change) {
            case Change.Ingested ingested -> ingested.children();
            case Change.Ended ended -> ended.sequel();
            case Change.Started _, Change.Cleared _, Change.Progressed _, Change.Checkpointed _, Change.StepDone _, Change.Released _ ->
                List.of();
        };
    }

    /** Returns the sequels of the jobs that have ended. */
    private static List<Submission> sequels(List<Change> changes, List<Verdict> verdicts) {
        return IntStream.range(0, changes.size()).filter(i -> verdicts.get(i) == Verdict.APPLIED).mapToObj(changes::get)
                .filter(Change.Ended.class::isInstance).map(Changes::jobsOf).filter(jobs -> !jobs.isEmpty())
                .map(Submission::new).toList();
    }

    /**
     * Splits changes into waves with at most one change of each job: the changes of a job are written in their order.
     */
    private static List<Map<Kind, List<Integer>>> waves(List<Change> changes) {
        List<Map<Kind, List<Integer>>> waves = new ArrayList<>();
        List<Set<Long>> jobs = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            long seq = changes.get(i).fence().seq();
            int wave = jobs.size();
            while (wave > 0 && !jobs.get(wave - 1).contains(seq)) {
                wave--;
            }
            if (wave == jobs.size()) {
                jobs.add(new HashSet<>());
                waves.add(new LinkedHashMap<>());
            }
            jobs.get(wave).add(seq);
            waves.get(wave).computeIfAbsent(Kind.of(changes.get(i)), _ -> new ArrayList<>()).add(i);
        }
        return waves;
    }

    private static boolean isOneStatement(List<Map<Kind, List<Integer>>> waves, List<Change> changes) {
        return waves.size() == 1 && waves.getFirst().size() == 1
                && changes.stream().allMatch(change -> jobsOf(change).isEmpty())
                && changes.stream().noneMatch(change -> change instanceof Change.Ingested
                        || (change instanceof Change.Ended ended
                                && (ended.saved() || ended.transition() instanceof Transition.Reschedule)));
    }

    private FamilyChanges write(Tx tx, List<Map<Kind, List<Integer>>> waves, List<Change> changes,
            @Nullable Verdict[] verdicts) throws SQLException {
        FamilyChanges families = new FamilyChanges();
        for (Map<Kind, List<Integer>> wave : waves) {
            for (Map.Entry<Kind, List<Integer>> group : wave.entrySet()) {
                // Every transaction locks jobs in the order of their numbers, so none deadlocks with another.
                List<Change> some = group.getValue().stream().map(changes::get)
                        .sorted(Comparator.comparingLong(change -> change.fence().seq())).toList();
                Set<Long> applied = write(tx, group.getKey(), some, families);
                for (int i : group.getValue()) {
                    verdicts[i] = applied.contains(changes.get(i).fence().seq()) ? Verdict.APPLIED : verdicts[i];
                }
            }
        }
        return families;
    }

    private Set<Long> write(Tx tx, Kind kind, List<Change> some, FamilyChanges families) throws SQLException {
        return switch (kind) {
            case STARTED ->
                applied(tx, ChangeStatements.START, ChangeColumns.started(only(some, Change.Started.class)));
            case CLEARED ->
                applied(tx, ChangeStatements.CLEAR, ChangeColumns.cleared(only(some, Change.Cleared.class)));
            case PROGRESSED ->
                applied(tx, ChangeStatements.PROGRESS, ChangeColumns.progressed(only(some, Change.Progressed.class)));
            case CHECKPOINTED -> applied(tx, ChangeStatements.CHECKPOINT,
                    ChangeColumns.checkpoints(only(some, Change.Checkpointed.class)));
            case STEP_DONE ->
                applied(tx, ChangeStatements.STEP, ChangeColumns.steps(only(some, Change.StepDone.class)));
            case RELEASED -> released(tx, some);
            case INGESTED -> ingested(tx, only(some, Change.Ingested.class), families);
            case RETRIED -> applied(tx, ChangeStatements.RETRY, ChangeColumns.retried(only(some, Change.Ended.class)));
            case RESCHEDULED -> rescheduled(tx, only(some, Change.Ended.class));
            case COMPLETED -> completed(tx, ChangeStatements.COMPLETE, only(some, Change.Ended.class), families);
            case ENDED -> ended(tx, ChangeStatements.END, only(some, Change.Ended.class), families);
        };
    }

    private static <T extends Change> List<T> only(List<Change> changes, Class<T> type) {
        return changes.stream().map(type::cast).toList();
    }

    private static Set<Long> applied(Tx tx, String sql, List<Object> columns) throws SQLException {
        Set<Long> applied = new HashSet<>();
        try (ResultSet rows = tx.query(sql, columns.toArray())) {
            while (rows.next()) {
                applied.add(rows.getLong(1));
            }
        }
        return applied;
    }

    private static Set<Long> released(Tx tx, List<Change> some) throws SQLException {
        Set<Long> applied = applied(tx, ChangeStatements.RELEASE, ChangeColumns.released(some));
        List<Long> unstarted = some.stream().filter(Change.Released.class::isInstance)
                .map(change -> change.fence().seq()).filter(applied::contains).toList();
        if (!unstarted.isEmpty()) {
            LimitEvents.released(tx, unstarted);
        }
        return applied;
    }

    private Set<Long> ingested(Tx tx, List<Change.Ingested> ingested, FamilyChanges families) throws SQLException {
        Set<Long> applied = applied(tx, ChangeStatements.WAIT, ChangeColumns.ingested(ingested));
        for (Change.Ingested parent : ingested) {
            if (applied.contains(parent.fence().seq())) {
                inserts.insertChildren(tx, new Submission(parent.children()), families);
                families.childEnded(parent.fence().seq(), parent.fence().node(), parent.end().execution().endedAt());
            }
        }
        return applied;
    }

    private static Set<Long> rescheduled(Tx tx, List<Change.Ended> ended) throws SQLException {
        Set<Long> applied = applied(tx, ChangeStatements.RESCHEDULE, ChangeColumns.rescheduled(ended));
        for (Change.Ended end : ended) {
            if (applied.contains(end.fence().seq())) {
                SavedStateRows.startAfresh(tx, end);
            }
        }
        return applied;
    }

    private static Set<Long> completed(Tx tx, String sql, List<Change.Ended> ended, FamilyChanges families)
            throws SQLException {
        Set<Long> applied = endJobs(tx, sql, ChangeColumns.completed(ended), ended, families);
        Collection<Long> finished = ended.stream().filter(Change.Ended::saved).map(end -> end.fence().seq())
                .filter(applied::contains).toList();
        if (!finished.isEmpty()) {
            SavedStateRows.delete(tx, new SeqList(finished));
        }
        return applied;
    }

    private static Set<Long> ended(Tx tx, String sql, List<Change.Ended> ended, FamilyChanges families)
            throws SQLException {
        return endJobs(tx, sql, ChangeColumns.ended(ended), ended, families);
    }

    /** Runs a statement that returns jobs and their parents, and notes the ends for the parents. */
    private static Set<Long> endJobs(Tx tx, String sql, List<Object> columns, List<Change.Ended> ended,
            FamilyChanges families) throws SQLException {
        Map<Long, @Nullable Long> parents = new HashMap<>();
        try (ResultSet rows = tx.query(sql, columns.toArray())) {
            while (rows.next()) {
                parents.put(rows.getLong(1), Rows.number(rows, 2));
            }
        }
        for (Change.Ended end : ended) {
            families.childEnded(parents.get(end.fence().seq()), end.fence().node(), end.execution().endedAt());
        }
        return parents.keySet();
    }

    /** Applies, one by one, the changes without a verdict: ends of parents, and changes whose fence did not match. */
    private Applied applyRest(Tx tx, List<Change> changes, @Nullable Verdict[] before, FamilyChanges families)
            throws SQLException {
        List<Verdict> verdicts = new ArrayList<>(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            Verdict known = before[i];
            verdicts.add(known != null ? known : applyOne(tx, changes.get(i), families));
        }
        return new Applied(verdicts, families);
    }

    private Verdict applyOne(Tx tx, Change change, FamilyChanges families) throws SQLException {
        if (Successors.unmark(tx, change) && !write(tx, Kind.of(change), List.of(change), families).isEmpty()) {
            return Verdict.APPLIED;
        }
        if (change instanceof Change.Ended ended && ended.transition().target().isFinal()
                && endParent(tx, ended, families)) {
            return Verdict.APPLIED;
        }
        return StaleChanges.resolve(tx, change, families);
    }

    /**
     * Ends a parent, which locks it, and then cancels its children. A spawn has committed before, or waits for the
     * lock.
     */
    private static boolean endParent(Tx tx, Change.Ended ended, FamilyChanges families) throws SQLException {
        boolean complete = ended.transition() instanceof Transition.Complete;
        Set<Long> applied = complete ? completed(tx, ChangeStatements.COMPLETE_PARENT, List.of(ended), families)
                : ended(tx, ChangeStatements.END_PARENT, List.of(ended), families);
        if (!applied.isEmpty()) {
            families.cancelChildren(tx, applied, FamilyReasons.parentEnded(ended.transition().target()),
                    ended.fence().node(), ended.execution().endedAt());
        }
        return !applied.isEmpty();
    }
}

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
import dev.heddle.sql.Kinship;
import dev.heddle.sql.Refusals;
import dev.heddle.sql.Rows;
import dev.heddle.sql.Saves;
import dev.heddle.sql.Seqs;
import dev.heddle.sql.Session;
import dev.heddle.store.Change;
import dev.heddle.store.Families;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Writes what attempts did, all changes of one kind in one statement. Each statement reads its rows from arrays,
 * matches them with {@code live} by their fence, and returns those that it applied to; only for the others is the row
 * looked at to say why.
 */
final class Changes {

    private final Connections connections;
    private final Inserts inserts;

    Changes(Connections connections, Inserts inserts) {
        this.connections = connections;
        this.inserts = inserts;
    }

    /** What became of the changes, and what that means to families. */
    record Applied(List<Verdict> verdicts, Kinship kin) {}

    /** What one statement writes. */
    private enum Kind {
        STARTED, PROGRESSED, CHECKPOINTED, STEP_DONE, RELEASED, INGESTED, RETRIED, COMPLETED, ENDED;

        static Kind of(Change change) {
            return switch (change) {
                case Change.Started _ -> STARTED;
                case Change.Progressed _ -> PROGRESSED;
                case Change.Checkpointed _ -> CHECKPOINTED;
                case Change.StepDone _ -> STEP_DONE;
                case Change.HandedBack _ -> RELEASED;
                case Change.Ended ended -> switch (ended.transition()) {
                    case Transition.Requeue _ -> RELEASED;
                    case Transition.Retry _ -> RETRIED;
                    case Transition.Complete _ -> COMPLETED;
                    case Transition.Die _,Transition.Cancel _ -> ENDED;
                    case Transition.Wait _ -> throw new IllegalArgumentException("only an ingest ends so");
                };
                case Change.Ingested _ -> INGESTED;
            };
        }
    }

    Applied apply(List<Change> changes) {
        inserts.makeLanes(changes.stream().map(Changes::jobsOf).filter(jobs -> !jobs.isEmpty())
                .map(Submission::new).toList());
        List<Map<Kind, List<Integer>>> waves = waves(changes);
        @Nullable Verdict[] verdicts = new Verdict[changes.size()];
        if (!isOneStatement(waves, changes)) {
            return connections.write(session -> {
                Arrays.fill(verdicts, null);
                Kinship kin = write(session, waves, changes, verdicts);
                Applied applied = settle(session, changes, verdicts, kin);
                inserts.insertSequels(session, sequels(changes, applied.verdicts()));
                return applied;
            });
        }
        Kinship kin = connections.once(session -> write(session, waves, changes, verdicts));
        if (!Arrays.asList(verdicts).contains(null)) {
            return new Applied(Arrays.asList(verdicts), kin);
        }
        Applied rest = connections.write(session -> settle(session, changes, verdicts, new Kinship()));
        rest.kin().add(kin);
        return rest;
    }

    /** What is stored with the change. */
    private static List<NewJob> jobsOf(Change change) {
        return switch (change) {
            case Change.Ingested ingested -> ingested.children();
            case Change.Ended ended -> ended.sequel();
            case Change.Started _,Change.Progressed _,Change.Checkpointed _,Change.StepDone _,Change.HandedBack _ ->
                List.of();
        };
    }

    /** What follows the ends that took place. */
    private static List<Submission> sequels(List<Change> changes, List<Verdict> verdicts) {
        return IntStream.range(0, changes.size()).filter(i -> verdicts.get(i) == Verdict.APPLIED)
                .mapToObj(changes::get).filter(Change.Ended.class::isInstance).map(Changes::jobsOf)
                .filter(jobs -> !jobs.isEmpty()).map(Submission::new).toList();
    }

    /** Changes of one job are written in their order: a wave has at most one of each job. */
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
                && changes.stream()
                        .noneMatch(change -> change instanceof Change.Ingested
                                || (change instanceof Change.Ended ended && ended.saved()));
    }

    private Kinship write(Session session, List<Map<Kind, List<Integer>>> waves, List<Change> changes,
            @Nullable Verdict[] verdicts) throws SQLException {
        Kinship kin = new Kinship();
        for (Map<Kind, List<Integer>> wave : waves) {
            for (Map.Entry<Kind, List<Integer>> group : wave.entrySet()) {
                // Everybody locks in the same order.
                List<Change> some = group.getValue().stream().map(changes::get)
                        .sorted(Comparator.comparingLong(change -> change.fence().seq())).toList();
                Set<Long> applied = write(session, group.getKey(), some, kin);
                for (int i : group.getValue()) {
                    verdicts[i] = applied.contains(changes.get(i).fence().seq()) ? Verdict.APPLIED
                            : verdicts[i];
                }
            }
        }
        return kin;
    }

    private Set<Long> write(Session session, Kind kind, List<Change> some, Kinship kin) throws SQLException {
        return switch (kind) {
            case STARTED ->
                applied(session, Statements.START, AttemptRows.started(only(some, Change.Started.class)));
            case PROGRESSED ->
                applied(session, Statements.PROGRESS,
                        AttemptRows.progressed(only(some, Change.Progressed.class)));
            case CHECKPOINTED ->
                applied(session, Statements.CHECKPOINT,
                        AttemptRows.checkpoints(only(some, Change.Checkpointed.class)));
            case STEP_DONE ->
                applied(session, Statements.STEP, AttemptRows.steps(only(some, Change.StepDone.class)));
            case RELEASED -> applied(session, Statements.RELEASE, AttemptRows.released(some));
            case INGESTED -> ingested(session, only(some, Change.Ingested.class), kin);
            case RETRIED ->
                applied(session, Statements.RETRY, AttemptRows.retried(only(some, Change.Ended.class)));
            case COMPLETED -> completed(session, Statements.COMPLETE, only(some, Change.Ended.class), kin);
            case ENDED -> ended(session, Statements.END, only(some, Change.Ended.class), kin);
        };
    }

    private static <T extends Change> List<T> only(List<Change> changes, Class<T> type) {
        return changes.stream().map(type::cast).toList();
    }

    private static Set<Long> applied(Session session, String sql, List<Object> columns) throws SQLException {
        Set<Long> applied = new HashSet<>();
        try (ResultSet rows = session.query(sql, columns.toArray())) {
            while (rows.next()) {
                applied.add(rows.getLong(1));
            }
        }
        return applied;
    }

    private Set<Long> ingested(Session session, List<Change.Ingested> ingested, Kinship kin)
            throws SQLException {
        Set<Long> applied = applied(session, Statements.WAIT, AttemptRows.ingested(ingested));
        for (Change.Ingested parent : ingested) {
            if (applied.contains(parent.fence().seq())) {
                inserts.insertChildren(session, new Submission(parent.children()));
                kin.lost(parent.fence().seq(), parent.fence().node(), parent.end().execution().endedAt());
            }
        }
        return applied;
    }

    private static Set<Long> completed(Session session, String sql, List<Change.Ended> ended, Kinship kin)
            throws SQLException {
        Set<Long> applied = lost(session, sql, AttemptRows.completed(ended), ended, kin);
        Collection<Long> finished = ended.stream().filter(Change.Ended::saved)
                .map(end -> end.fence().seq()).filter(applied::contains).toList();
        if (!finished.isEmpty()) {
            Saves.delete(session, new Seqs(finished));
        }
        return applied;
    }

    private static Set<Long> ended(Session session, String sql, List<Change.Ended> ended, Kinship kin)
            throws SQLException {
        return lost(session, sql, AttemptRows.ended(ended), ended, kin);
    }

    /** As {@link #applied}, for statements that also say whose children ended. */
    private static Set<Long> lost(Session session, String sql, List<Object> columns,
            List<Change.Ended> ended, Kinship kin) throws SQLException {
        Map<Long, @Nullable Long> parents = new HashMap<>();
        try (ResultSet rows = session.query(sql, columns.toArray())) {
            while (rows.next()) {
                parents.put(rows.getLong(1), Rows.number(rows, 2));
            }
        }
        for (Change.Ended end : ended) {
            kin.lost(parents.get(end.fence().seq()), end.fence().node(), end.execution().endedAt());
        }
        return parents.keySet();
    }

    /** One by one, the changes that have no verdict yet: ends of parents, and those whose fence did not hold. */
    private static Applied settle(Session session, List<Change> changes, @Nullable Verdict[] before,
            Kinship kin) throws SQLException {
        List<Verdict> verdicts = new ArrayList<>(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            Verdict known = before[i];
            verdicts.add(known != null ? known : settle(session, changes.get(i), kin));
        }
        return new Applied(verdicts, kin);
    }

    private static Verdict settle(Session session, Change change, Kinship kin) throws SQLException {
        if (change instanceof Change.Ended ended && ended.transition().target().isFinal()
                && endParent(session, ended, kin)) {
            return Verdict.APPLIED;
        }
        return Refusals.of(session, change, kin);
    }

    /** Its children are looked for once it is locked: whoever spawns one has to wait for that, or has committed before. */
    private static boolean endParent(Session session, Change.Ended ended, Kinship kin) throws SQLException {
        boolean complete = ended.transition() instanceof Transition.Complete;
        Set<Long> applied = complete
                ? completed(session, Statements.COMPLETE_PARENT, List.of(ended), kin)
                : ended(session, Statements.END_PARENT, List.of(ended), kin);
        if (!applied.isEmpty()) {
            kin.cancelChildren(session, applied, Families.PARENT_COMPLETED, ended.fence().node(),
                    ended.execution().endedAt());
        }
        return !applied.isEmpty();
    }
}

package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.Transition;
import dev.heddle.sql.Refusals;
import dev.heddle.sql.Saves;
import dev.heddle.sql.Seqs;
import dev.heddle.sql.Session;
import dev.heddle.store.Change;
import dev.heddle.store.Verdict;

/**
 * Writes what attempts did, all changes of one kind in one statement. Each statement reads its rows from arrays,
 * matches them with {@code live} by their fence, and returns those that it applied to; only for the others is the row
 * looked at to say why.
 */
final class Changes {

    private final Connections connections;

    Changes(Connections connections) {
        this.connections = connections;
    }

    /** What one statement writes. */
    private enum Kind {
        STARTED, PROGRESSED, CHECKPOINTED, STEP_DONE, RELEASED, RETRIED, COMPLETED, ENDED;

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
                };
            };
        }
    }

    List<Verdict> apply(List<Change> changes) {
        List<Map<Kind, List<Integer>>> waves = waves(changes);
        Verdict[] verdicts = new Verdict[changes.size()];
        if (isOneStatement(waves, changes)) {
            connections.once(session -> write(session, waves, changes, verdicts));
        } else {
            connections.write(session -> {
                Arrays.fill(verdicts, null);
                write(session, waves, changes, verdicts);
                return refuse(session, changes, verdicts);
            });
        }
        if (Arrays.asList(verdicts).contains(null)) {
            connections.write(session -> refuse(session, changes, verdicts));
        }
        return Arrays.asList(verdicts);
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
                && changes.stream()
                        .noneMatch(change -> change instanceof Change.Ended ended && ended.saved());
    }

    private static int write(Session session, List<Map<Kind, List<Integer>>> waves, List<Change> changes,
            Verdict[] verdicts) throws SQLException {
        for (Map<Kind, List<Integer>> wave : waves) {
            for (Map.Entry<Kind, List<Integer>> group : wave.entrySet()) {
                // Everybody locks in the same order.
                List<Change> some = group.getValue().stream().map(changes::get)
                        .sorted(Comparator.comparingLong(change -> change.fence().seq())).toList();
                Set<Long> applied = write(session, group.getKey(), some);
                for (int i : group.getValue()) {
                    verdicts[i] = applied.contains(changes.get(i).fence().seq()) ? Verdict.APPLIED
                            : verdicts[i];
                }
            }
        }
        return waves.size();
    }

    private static Set<Long> write(Session session, Kind kind, List<Change> some) throws SQLException {
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
            case RETRIED ->
                applied(session, Statements.RETRY, AttemptRows.retried(only(some, Change.Ended.class)));
            case COMPLETED -> completed(session, only(some, Change.Ended.class));
            case ENDED -> applied(session, Statements.END, AttemptRows.ended(only(some, Change.Ended.class)));
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

    private static Set<Long> completed(Session session, List<Change.Ended> ended) throws SQLException {
        Set<Long> applied = applied(session, Statements.COMPLETE, AttemptRows.completed(ended));
        Collection<Long> finished = ended.stream().filter(Change.Ended::saved)
                .map(end -> end.fence().seq()).filter(applied::contains).toList();
        if (!finished.isEmpty()) {
            Saves.delete(session, new Seqs(finished));
        }
        return applied;
    }

    private static int refuse(Session session, List<Change> changes, Verdict[] verdicts) throws SQLException {
        int refused = 0;
        for (int i = 0; i < verdicts.length; i++) {
            if (verdicts[i] == null) {
                verdicts[i] = Refusals.of(session, changes.get(i));
                refused++;
            }
        }
        return refused;
    }
}

package dev.heddle.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.Transition;
import dev.heddle.sql.Json;
import dev.heddle.sql.Suspicions;
import dev.heddle.store.Change;
import dev.heddle.store.Change.Execution;
import org.jspecify.annotations.Nullable;

/** The parameters of the {@link ChangeStatements}: an array for each column, beginning with those of the fence. */
final class ChangeColumns {

    private ChangeColumns() {}

    static List<Object> started(List<Change.Started> changes) {
        ArrayColumns<Change.Started> rows = new ArrayColumns<>(changes);
        return fenced(rows, rows.times(Change.Started::at), rows.texts(start -> start.guarantee().storedAs()));
    }

    static List<Object> cleared(List<Change.Cleared> changes) {
        ArrayColumns<Change.Cleared> rows = new ArrayColumns<>(changes);
        return fenced(rows, (Object) rows.texts(change -> {
            Json.Text text = Suspicions.write(change.suspicion());
            return text == null ? null : text.json();
        }));
    }

    static List<Object> progressed(List<Change.Progressed> changes) {
        ArrayColumns<Change.Progressed> rows = new ArrayColumns<>(changes);
        return fenced(rows, (Object) rows.texts(change -> json(change.progress())));
    }

    static List<Object> checkpoints(List<Change.Checkpointed> changes) {
        ArrayColumns<Change.Checkpointed> rows = new ArrayColumns<>(changes);
        return fenced(rows, rows.texts(Change.Checkpointed::json), rows.times(Change.Checkpointed::at));
    }

    static List<Object> steps(List<Change.StepDone> changes) {
        ArrayColumns<Change.StepDone> rows = new ArrayColumns<>(changes);
        return fenced(rows, rows.texts(Change.StepDone::name), rows.texts(Change.StepDone::json),
                rows.times(Change.StepDone::at));
    }

    /** An attempt that was never started has no execution, only the time at which it was released. */
    static List<Object> released(List<Change> changes) {
        ArrayColumns<Release> rows = new ArrayColumns<>(changes.stream().map(Release::of).toList());
        List<Object> columns = fenced(new ArrayColumns<>(changes));
        columns.addAll(List.of(rows.texts(r -> r.ran() == null ? null : r.ran().worker()),
                rows.times(r -> r.ran() == null ? null : r.ran().assignedAt()),
                rows.times(r -> r.ran() == null ? null : r.ran().startedAt()), rows.times(Release::at),
                rows.texts(r -> r.ran() == null ? null : r.ran().end().name()),
                rows.texts(r -> r.ran() == null ? null : json(r.ran().failure())), rows.texts(Release::reason)));
        return columns;
    }

    private record Release(@Nullable Execution ran, Instant at, String reason) {
        static Release of(Change change) {
            return switch (change) {
                case Change.Released(_, String reason, Instant at) -> new Release(null, at, reason);
                case Change.Ended(_, Execution ran, Transition.Requeue(String reason), _, _, _) ->
                    new Release(ran, ran.endedAt(), reason);
                default -> throw new IllegalArgumentException(change + " does not release its job");
            };
        }
    }

    static List<Object> ingested(List<Change.Ingested> changes) {
        ArrayColumns<Change.Ended> rows = new ArrayColumns<>(changes.stream().map(Change.Ingested::end).toList());
        List<Object> columns = executed(rows);
        columns.add(rows.texts(ended -> ((Transition.Wait) ended.transition()).reason()));
        return columns;
    }

    static List<Object> retried(List<Change.Ended> changes) {
        ArrayColumns<Change.Ended> rows = new ArrayColumns<>(changes);
        List<Object> columns = executed(rows);
        columns.add(rows.texts(ended -> ((Transition.Retry) ended.transition()).reason()));
        columns.add(rows.longs(ended -> ((Transition.Retry) ended.transition()).delay().toMillis()));
        return columns;
    }

    static List<Object> rescheduled(List<Change.Ended> changes) {
        ArrayColumns<Change.Ended> rows = new ArrayColumns<>(changes);
        List<Object> columns = executed(rows);
        columns.add(rows.times(ended -> start(ended) instanceof Start.At(Instant time) ? time : null));
        columns.add(rows.longs(ended -> start(ended) instanceof Start.After(Duration delay) ? delay.toMillis() : 0));
        return columns;
    }

    private static Start start(Change.Ended ended) {
        return ((Transition.Reschedule) ended.transition()).start();
    }

    static List<Object> completed(List<Change.Ended> changes) {
        ArrayColumns<Change.Ended> rows = new ArrayColumns<>(changes);
        return fenced(rows, rows.texts(ended -> ended.execution().worker()),
                rows.times(ended -> ended.execution().assignedAt()), rows.times(ended -> ended.execution().startedAt()),
                rows.times(ended -> ended.execution().endedAt()),
                rows.texts(ended -> ((Transition.Complete) ended.transition()).result()));
    }

    static List<Object> ended(List<Change.Ended> changes) {
        ArrayColumns<Change.Ended> rows = new ArrayColumns<>(changes);
        List<Object> columns = executed(rows);
        columns.addAll(List.of(rows.texts(ended -> switch (ended.transition()) {
            case Transition.Fail(String reason) -> reason;
            case Transition.Cancel(String reason) -> reason;
            case Transition.Complete _, Transition.Wait _, Transition.Retry _, Transition.Reschedule _, Transition.Requeue _ ->
                throw new IllegalArgumentException(ended + " does not end its job");
        }), rows.texts(ended -> ended.transition().target().name()),
                rows.ints(ended -> ended.transition() instanceof Transition.Fail
                        && ended.execution().end() != Attempt.End.CRASHED ? 1 : 0),
                rows.texts(Change.Ended::fingerprint)));
        return columns;
    }

    private static List<Object> executed(ArrayColumns<Change.Ended> rows) {
        return fenced(rows, rows.texts(ended -> ended.execution().worker()),
                rows.times(ended -> ended.execution().assignedAt()), rows.times(ended -> ended.execution().startedAt()),
                rows.times(ended -> ended.execution().endedAt()), rows.texts(ended -> ended.execution().end().name()),
                rows.texts(ended -> json(ended.execution().failure())));
    }

    private static <T extends Change> List<Object> fenced(ArrayColumns<T> rows, Object... others) {
        List<Object> columns = new ArrayList<>(List.of(rows.longs(change -> change.fence().seq()),
                rows.ints(change -> change.fence().attempt()), rows.texts(change -> change.fence().node())));
        columns.addAll(List.of(others));
        return columns;
    }

    private static @Nullable String json(@Nullable Object value) {
        Json.Text text = Json.text(value);
        return text == null ? null : text.json();
    }
}

package dev.heddle.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import dev.heddle.job.JobId;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.ScheduleRun.Kind;
import dev.heddle.schedule.ScheduleState;
import dev.heddle.schedule.ScheduleStatus.Definition;
import dev.heddle.schedule.ScheduleStore.Firing;
import dev.heddle.schedule.ScheduleStore.PlannedRun;
import dev.heddle.schedule.StoredSchedule;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;

/** Decides what a schedule does if it fires, is triggered or is backfilled. Does no I/O. */
final class FirePlanner {

    /** How often a schedule is looked at while a run waits for an earlier one. */
    static final Duration RECHECK = Duration.ofSeconds(1);

    private final Supplier<JobId> ids;

    FirePlanner(Supplier<JobId> ids) {
        this.ids = ids;
    }

    /** Makes the runs whose time has come. */
    Firing due(StoredSchedule schedule, Instant now, Set<JobId> live) {
        if (schedule.state() != ScheduleState.ACTIVE) {
            return unchanged(schedule);
        }
        ScheduleDocument document = ScheduleDocument.read(schedule.name(), schedule.document());
        return new Decision(schedule.name(), document, live, now).make();
    }

    /** Makes a run now. */
    Firing trigger(StoredSchedule schedule, Instant time, Instant now, Set<JobId> live) {
        return asked(schedule, List.of(time), Kind.TRIGGERED, now, live);
    }

    /** Makes the runs of these times, except those that were made before. */
    Firing backfill(StoredSchedule schedule, List<Instant> times, Instant now, Set<JobId> live) {
        return asked(schedule, times, Kind.BACKFILLED, now, live);
    }

    private Firing asked(StoredSchedule schedule, List<Instant> times, Kind kind, Instant now, Set<JobId> live) {
        ScheduleDocument document = ScheduleDocument.read(schedule.name(), schedule.document());
        Definition definition = document.definition().toDefinition();
        List<PlannedRun> runs = times.stream()
                .map(time -> run(schedule.name(), definition, time, kind, now)).toList();
        // What was backfilled does not hold back what comes.
        List<JobId> open = kind == Kind.TRIGGERED ? withOpen(live, runs) : List.copyOf(live);
        return new Firing(new StoredSchedule(schedule.name(), schedule.state(), schedule.nextAt(), open,
                schedule.document()), runs, List.of());
    }

    private static Firing unchanged(StoredSchedule schedule) {
        return new Firing(schedule, List.of(), List.of());
    }

    private static List<JobId> withOpen(Set<JobId> live, List<PlannedRun> runs) {
        List<JobId> open = new ArrayList<>(live);
        for (PlannedRun run : runs) {
            NewJob job = run.job();
            if (job != null) {
                open.add(job.spec().id());
            }
        }
        return open;
    }

    private PlannedRun run(String name, Definition definition, Instant time, Kind kind, Instant now) {
        return new PlannedRun(time, kind,
                new NewJob(StoredDefinition.jobOf(name, definition.job(), ids.get(), time, now)));
    }

    /** Collects what one schedule does at one moment. */
    private final class Decision {

        private final String name;
        private final Definition definition;
        private final Set<JobId> live;
        private final Instant now;
        private final List<PlannedRun> runs = new ArrayList<>();
        private final List<JobId> cancelled = new ArrayList<>();
        private ScheduleDocument document;

        Decision(String name, ScheduleDocument document, Set<JobId> live, Instant now) {
            this.name = name;
            this.document = document;
            this.definition = document.definition().toDefinition();
            this.live = live;
            this.now = now;
        }

        Firing make() {
            startWaiting();
            Instant next = document.next();
            if (next != null) {
                fire(next);
            }
            Instant waiting = document.waiting();
            Instant following = document.next();
            boolean ended = waiting == null && (following == null || isUsedUp());
            @Nullable Instant nextAt = ended ? null : earlier(waiting == null ? null : now.plus(RECHECK),
                    following == null ? null : new Jitter(name, definition.jitter()).start(following));
            // Only what holds back a later run has to be known.
            List<JobId> open = definition.overlap() == Overlap.ALLOW ? List.of() : withOpen(live, runs);
            return new Firing(new StoredSchedule(name, ended ? ScheduleState.ENDED : ScheduleState.ACTIVE, nextAt, open,
                    (ended ? document.withNext(null) : document).write()), runs, cancelled);
        }

        private void startWaiting() {
            Instant waiting = document.waiting();
            if (waiting == null) {
                return;
            }
            if (live.isEmpty()) {
                document = document.withWaiting(null);
                start(waiting, Kind.FIRED);
            } else if (definition.overlap() == Overlap.CANCEL_PREVIOUS) {
                // Again, because the node that should have done it may have died.
                cancelled.addAll(live);
            }
        }

        private void fire(Instant next) {
            DueTimes due = DueTimes.find(name, definition, next, now, keep());
            List<Instant> left = new ArrayList<>(due.onTime());
            switch (definition.missed()) {
                case Missed.Skip _ -> miss(due.missedCount());
                case Missed.Coalesce _ when due.missedCount() > 0 -> {
                    Instant latest = left.isEmpty() ? due.missed().getLast() : left.getLast();
                    miss(due.missedCount() + left.size() - 1);
                    left = List.of(latest);
                }
                case Missed.Coalesce _ -> {
                }
                case Missed.CatchUp _ -> {
                    due.missed().forEach(time -> start(time, Kind.CAUGHT_UP));
                    miss(due.missedCount() - due.missed().size());
                }
            }
            for (Instant time : left) {
                fireOne(time);
            }
            if (due.missedCount() > 0 || !due.onTime().isEmpty()) {
                document = document.withLast(due.onTime().isEmpty() ? due.missed().getLast() : due.onTime().getLast());
            }
            document = document.withNext(due.next());
        }

        private int keep() {
            return definition.missed() instanceof Missed.CatchUp(int most) ? most : 1;
        }

        private void miss(long count) {
            document = document.withCounts(document.counts().missed(Math.max(0, count)));
        }

        private void fireOne(Instant time) {
            boolean free = live.isEmpty() && runs.stream().noneMatch(run -> run.job() != null);
            if (free || definition.overlap() == Overlap.ALLOW) {
                start(time, Kind.FIRED);
                return;
            }
            switch (definition.overlap()) {
                case QUEUE_ONE -> {
                    if (document.waiting() == null) {
                        document = document.withWaiting(time);
                    } else {
                        skip(time);
                    }
                }
                case CANCEL_PREVIOUS -> {
                    Instant waiting = document.waiting();
                    if (waiting != null) {
                        skip(waiting);
                    } else {
                        cancelled.addAll(withOpen(live, runs));
                    }
                    document = document.withWaiting(time);
                }
                case SKIP, ALLOW -> skip(time);
            }
        }

        private void skip(Instant time) {
            document = document.withCounts(document.counts().skipped(1));
            runs.add(new PlannedRun(time, Kind.SKIPPED, null));
        }

        private void start(Instant time, Kind kind) {
            if (!isUsedUp()) {
                document = document.withCounts(document.counts().fired(1));
                runs.add(run(name, definition, time, kind, now));
            }
        }

        private boolean isUsedUp() {
            Integer most = definition.runs();
            return most != null && document.counts().fired() >= most;
        }
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null ? other : other == null || one.isBefore(other) ? one : other;
    }
}

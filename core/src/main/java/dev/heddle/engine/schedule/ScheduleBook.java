package dev.heddle.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import dev.heddle.engine.submit.RequestEncoder;
import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import dev.heddle.schedule.NoSuchScheduleException;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleStatus;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.schedule.ScheduleStore.FirePlan;
import dev.heddle.schedule.ScheduleStore.Fired;
import dev.heddle.schedule.ScheduleStore.Selection;
import dev.heddle.schedule.Schedules;
import dev.heddle.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/** Puts, edits and triggers the schedules of a store, with or without a node. */
public final class ScheduleBook implements Schedules {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleBook.class);
    /** Two runs cannot have the same time; a few that are triggered within a millisecond get the next ones. */
    private static final int TRIGGER_TRIES = 100;
    private static final int BACKFILL_BATCH = 200;

    private final ScheduleStore store;
    private final RequestEncoder encoder;
    private final Environment env;
    private final FirePlanner planner;
    private final Consumer<Fired> afterFire;
    private final Runnable afterEdit;

    /**
     * Creates the book of a store.
     *
     * @param afterFire runs after jobs were submitted
     * @param afterEdit runs after a schedule was changed
     */
    public ScheduleBook(ScheduleStore store, RequestEncoder encoder, Environment env, Consumer<Fired> afterFire,
            Runnable afterEdit) {
        this.store = store;
        this.encoder = encoder;
        this.env = env;
        this.planner = new FirePlanner(() -> JobId.next(env));
        this.afterFire = afterFire;
        this.afterEdit = afterEdit;
    }

    private StoredDefinition encode(Schedule schedule) {
        return StoredDefinition.of(requireNonNull(schedule, "schedule"),
                encoder.submission(List.of(schedule.job()), Instant.EPOCH, false).jobs().getFirst().spec());
    }

    @Override
    public Put put(Schedule schedule) {
        StoredDefinition definition = encode(schedule);
        @Nullable Put[] done = new Put[1];
        store.update(schedule.name(), (current, now) -> {
            boolean known = ScheduleEdits.isKnown(current, definition);
            StoredSchedule changed = ScheduleEdits.put(schedule.name(), current, definition, now);
            done[0] = current == null ? Put.CREATED
                    : known ? Put.UNCHANGED
                            : ScheduleEdits.status(changed).origin().editedBy() != null ? Put.OVERRIDDEN : Put.CHANGED;
            return changed;
        });
        afterEdit.run();
        Put result = requireNonNull(done[0], "the store did not edit");
        LOG.atInfo().addKeyValue("schedule", schedule.name()).log("Schedule '{}': {} ({})", schedule.name(),
                schedule.rule(), result);
        return result;
    }

    @Override
    public ScheduleStatus edit(Schedule schedule, String actor) {
        StoredDefinition definition = encode(schedule);
        Limits.name("actor", actor);
        store.update(schedule.name(),
                (current, now) -> ScheduleEdits.edit(schedule.name(), current, definition, actor, now));
        afterEdit.run();
        LOG.atInfo().addKeyValue("schedule", schedule.name()).log("Schedule '{}' was edited by {}", schedule.name(),
                actor);
        return require(schedule.name());
    }

    private ScheduleStatus require(String name) {
        return find(name).orElseThrow(() -> new NoSuchScheduleException(name));
    }

    private void change(String what, String name, BiFunction<StoredSchedule, Instant, @Nullable StoredSchedule> edit) {
        store.update(requireNonNull(name, "name"), (current, now) -> {
            if (current == null) {
                throw new NoSuchScheduleException(name);
            }
            return edit.apply(current, now);
        });
        afterEdit.run();
        LOG.atInfo().addKeyValue("schedule", name).log("Schedule '{}' was {}", name, what);
    }

    @Override
    public void pause(String name) {
        change("paused", name, ScheduleEdits::pause);
    }

    @Override
    public void resume(String name) {
        change("resumed", name, ScheduleEdits::resume);
    }

    @Override
    public void reset(String name) {
        change("reset", name, ScheduleEdits::reset);
    }

    @Override
    public void delete(String name) {
        change("deleted", name, (_, _) -> null);
    }

    @Override
    public List<ScheduleStatus> list(String after, int limit) {
        List<ScheduleStatus> listed = new ArrayList<>();
        for (StoredSchedule schedule : store.schedules(requireNonNull(after, "after"), limit)) {
            statusOf(schedule).ifPresent(listed::add);
        }
        return listed;
    }

    /** A schedule that cannot be read does not hide the others. */
    private static Optional<ScheduleStatus> statusOf(StoredSchedule schedule) {
        try {
            return Optional.of(ScheduleEdits.status(schedule));
        } catch (IllegalStateException | IllegalArgumentException e) {
            LOG.atWarn().addKeyValue("schedule", schedule.name()).log("Schedule '{}' cannot be read: {}",
                    schedule.name(), e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public Optional<ScheduleStatus> find(String name) {
        return store.schedule(requireNonNull(name, "name")).map(ScheduleEdits::status);
    }

    @Override
    public JobId trigger(String name) {
        for (int tries = 0; tries < TRIGGER_TRIES; tries++) {
            int shift = tries;
            Fired fired = fire(name, (schedule, now, live) -> planner.trigger(schedule,
                    now.plusMillis(shift), now, live));
            if (!fired.jobs().isEmpty()) {
                return fired.jobs().getFirst().spec().id();
            }
        }
        throw new IllegalStateException("schedule '" + name + "' was triggered too often in this moment; try again");
    }

    private Fired fire(String name, FirePlan plan) {
        Fired fired = store.fire(new Selection.Named(requireNonNull(name, "name")), plan);
        if (fired.schedules() == 0) {
            throw new NoSuchScheduleException(name);
        }
        afterFire.accept(fired);
        return fired;
    }

    @Override
    public Backfill backfill(String name, Instant from, Instant to) {
        List<Instant> times = past(require(name), Limits.time("from", from), Limits.time("to", to),
                env.clock().instant());
        int made = 0;
        for (int first = 0; first < times.size(); first += BACKFILL_BATCH) {
            List<Instant> some = times.subList(first, Math.min(first + BACKFILL_BATCH, times.size()));
            made += fire(name, (schedule, time, live) -> planner.backfill(schedule, some, time, live)).jobs().size();
        }
        LOG.atInfo().addKeyValue("schedule", name).log("Schedule '{}' was backfilled from {} to {}: {} runs", name,
                from, to, made);
        return new Backfill(made, times.size() - made);
    }

    private static List<Instant> past(ScheduleStatus schedule, Instant from, Instant to, Instant now) {
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("the end " + to + " is before the beginning " + from);
        }
        if (to.isAfter(now)) {
            throw new IllegalArgumentException("the end " + to + " is in the future; only past runs can be made again");
        }
        List<Instant> times = new ArrayList<>();
        Instant time = from.minus(Duration.ofNanos(1));
        while (true) {
            time = schedule.definition().rule().nextAfter(time, schedule.definition().zone()).orElse(Instant.MAX);
            if (time.isAfter(to)) {
                return times;
            }
            times.add(time);
            if (times.size() > MOST_BACKFILLED) {
                throw new IllegalArgumentException(
                        "there are over " + MOST_BACKFILLED + " runs from " + from + " to " + to
                                + "; backfill a shorter time");
            }
        }
    }

    @Override
    public List<Instant> next(String name, int count) {
        Limits.between(1, MOST_BACKFILLED, "count", count);
        ScheduleStatus schedule = require(name);
        List<Instant> times = new ArrayList<>();
        Optional<Instant> next = Optional.ofNullable(schedule.nextTime())
                .or(() -> schedule.definition().nextAfter(env.clock().instant()));
        while (next.isPresent() && times.size() < count) {
            times.add(next.get());
            next = schedule.definition().nextAfter(next.get());
        }
        return times;
    }

    @Override
    public List<ScheduleRun> runs(String name, int count) {
        require(name);
        return store.runs(name, Limits.between(1, MOST_BACKFILLED, "count", count));
    }
}

package dev.heddle.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.schedule.ScheduleStore.Fired;
import dev.heddle.schedule.ScheduleStore.Firing;
import dev.heddle.schedule.ScheduleStore.Selection;
import dev.heddle.schedule.StoredSchedule;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires the schedules that are due. Every node does this; the store gives each schedule to one of them at a time. The
 * store tells if another node changes a schedule; if that message is lost, it is noticed within a minute.
 */
public final class Scheduler implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    private static final int BATCH = 200;
    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    /** If what is due is being fired by another node. */
    private static final Duration CONTENDED = Duration.ofMillis(50);
    private static final Duration DAMAGED_AGAIN = Duration.ofHours(1);
    private static final Duration KEEP_RUNS = Duration.ofDays(90);
    private static final Duration SWEEP_EVERY = Duration.ofHours(1);
    private static final int SWEEP_BATCH = 1_000;

    private final ScheduleStore store;
    private final Environment env;
    private final FirePlanner planner;
    private final Consumer<Fired> afterFire;
    private final Wakeup wakeup;
    private Duration sweepAt;
    private volatile boolean stopped;

    /**
     * Creates the scheduler of a node.
     *
     * @param afterFire runs after jobs were submitted
     */
    public Scheduler(ScheduleStore store, Environment env, Consumer<Fired> afterFire) {
        this.store = store;
        this.env = env;
        this.planner = new FirePlanner(() -> JobId.next(env));
        this.afterFire = afterFire;
        this.wakeup = Wakeup.byClock(env);
        this.sweepAt = env.elapsed().plus(SWEEP_EVERY);
    }

    @Override
    public String name() {
        return "scheduler";
    }

    /** Looks again soon, because a schedule was changed. */
    public void raise() {
        wakeup.raise();
    }

    @Override
    public void run() {
        while (!stopped) {
            Duration wait;
            try {
                wait = fireDue();
                sweep();
            } catch (StoreException e) {
                LOG.warn("Could not fire schedules; trying again: {}", e.getMessage());
                wait = RETRY_AFTER;
            }
            if (!stopped) {
                wakeup.await(wait);
            }
        }
    }

    /** Returns how long to wait before looking again. */
    private Duration fireDue() {
        while (!stopped) {
            Fired fired = store.fire(new Selection.Due(BATCH), this::plan);
            afterFire.accept(fired);
            Duration untilNext = fired.untilNext();
            if (untilNext == null || untilNext.compareTo(LOOK_EVERY) > 0) {
                return LOOK_EVERY;
            }
            if (untilNext.isPositive()) {
                return untilNext;
            }
            if (fired.schedules() == 0) {
                return CONTENDED;
            }
        }
        return LOOK_EVERY;
    }

    /** A schedule that cannot be fired does not keep the others from firing. */
    private Firing plan(StoredSchedule schedule, Instant now, Set<JobId> live) {
        try {
            return planner.due(schedule, now, live);
        } catch (IllegalStateException | IllegalArgumentException e) {
            LOG.atError().addKeyValue("schedule", schedule.name()).log("Schedule '{}' cannot fire: {}",
                    schedule.name(), e.getMessage());
            return new Firing(new StoredSchedule(schedule.name(), schedule.state(), now.plus(DAMAGED_AGAIN),
                    schedule.open(), schedule.document()), List.of(), List.of());
        }
    }

    private void sweep() {
        if (env.elapsed().compareTo(sweepAt) >= 0) {
            sweepAt = env.elapsed().plus(SWEEP_EVERY);
            Instant before = env.clock().instant().minus(KEEP_RUNS);
            while (!stopped && store.deleteRunsBefore(before, SWEEP_BATCH) == SWEEP_BATCH) {
                LOG.debug("Deleted {} runs of schedules", SWEEP_BATCH);
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}

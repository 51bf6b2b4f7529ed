package dev.heddle.engine.suspects;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

import dev.heddle.engine.cluster.RecoveryPlans;
import dev.heddle.engine.testing.Samples;
import dev.heddle.job.Job;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Transition;
import dev.heddle.pool.Staging;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Suspicion;
import org.jspecify.annotations.Nullable;

/**
 * A pool of one node in simulated time. The rules are the real ones; the store, the dispatcher and the handlers are as
 * simple as can be. When the node dies, the next one opens at once.
 */
final class SimulatedPool {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    /** Until then an ordinary start may not be committed. */
    private static final Duration UNCOMMITTED = Duration.ofMillis(20);
    private static final int MOST_EVENTS = 2_000_000;
    /** What happens to a node dies with it; a due time and a kill from outside do not. */
    private static final int ANY_LIFE = -1;

    /**
     * What a job does.
     *
     * @param takes how long it runs
     * @param kills whether it kills its node then; if it was quick to do so, its next time is random
     */
    record Life(Duration takes, boolean kills) {

        static Life of(Duration takes) {
            return new Life(takes, false);
        }

        static Life killer(Duration firstAfter) {
            return new Life(firstAfter, true);
        }
    }

    private final class Task {
        private final int number;
        private final Life life;
        private Suspicion suspicion = Suspicion.NONE;
        private int crashes;
        private int attempt;
        private Duration due = Duration.ZERO;
        private @Nullable Claim claim;
        private @Nullable Duration startedAt;
        private boolean committedFirst;
        private boolean isOver;

        Task(int number, Life life) {
            this.number = number;
            this.life = life;
        }

        /** A killer stays within its probation, at a random time. */
        private Duration runTime() {
            boolean isSlow = life.takes().compareTo(Probation.LONGEST_AT_FIRST) > 0;
            return !life.kills() || isSlow || suspicion.deaths() == 0 ? life.takes()
                    : Probation.of(suspicion).multipliedBy(random.nextInt(1_000)).dividedBy(1_000);
        }

        private boolean hasOutlivedItsProbation() {
            return startedAt != null && now.minus(startedAt).compareTo(Probation.of(suspicion)) >= 0;
        }

        private Orphan orphan() {
            Claim held = Objects.requireNonNull(claim);
            Duration from = startedAt;
            boolean written = from != null && (committedFirst || now.minus(from).compareTo(UNCOMMITTED) > 0);
            Instant renewedAt = START.plusMillis(now.toMillis() / RENEWAL.toMillis() * RENEWAL.toMillis());
            Instant started = written && from != null ? START.plus(from) : null;
            Job job = new Job(number, held.job().spec(), held.job().phase(), new Job.Counts(attempt, 0, crashes),
                    started == null ? held.job().status() : new JobStatus.Running("n", START, started, null), null);
            return new Orphan(job, written && committedFirst ? StartGuarantee.COMMITTED_FIRST : StartGuarantee.NONE,
                    false, 0, suspicion, Orphan.ranFor(started, renewedAt, LEASE, START.plus(now)));
        }
    }

    private record Event(Duration at, int life, Runnable action) {}

    private final int workers;
    private final int maxCrashes;
    private final Staging staging;
    private final Random random;
    private final List<Task> tasks = new ArrayList<>();
    private final List<Integer> deadLetters = new ArrayList<>();
    private final List<Integer> completed = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();
    private final Queue<Event> events = new PriorityQueue<>(Comparator.comparing(Event::at));
    private final Deque<Task> refused = new ArrayDeque<>();
    private StartControl starts = new StartControl(() -> {});
    private Duration now = Duration.ZERO;
    private int busy;
    private int deaths;

    SimulatedPool(int workers, int maxCrashes, Staging staging, Random random) {
        this.workers = workers;
        this.maxCrashes = maxCrashes;
        this.staging = staging;
        this.random = random;
    }

    void submit(Life life) {
        tasks.add(new Task(tasks.size(), life));
    }

    /** Kills the node from outside, whichever it is then. */
    void killAt(Duration at) {
        events.add(new Event(at, ANY_LIFE, this::die));
    }

    private void after(Duration delay, Runnable action) {
        events.add(new Event(now.plus(delay), deaths, action));
    }

    /** Runs until every job is over; fails if one never is. */
    void run() {
        dispatch();
        int count = 0;
        while (tasks.stream().anyMatch(task -> !task.isOver)) {
            Event event = events.poll();
            if (event == null || ++count > MOST_EVENTS) {
                throw new AssertionError("jobs starve at " + now + ": "
                        + tasks.stream().filter(task -> !task.isOver).map(task -> task.number).toList());
            }
            now = event.at();
            if (event.life() == ANY_LIFE || event.life() == deaths) {
                event.action().run();
                dispatch();
            }
        }
    }

    private void dispatch() {
        for (Task task = refused.peekFirst(); task != null && tryStart(task); task = refused.peekFirst()) {
            refused.removeFirst();
        }
        while (busy + refused.size() < workers && starts.room() > 0) {
            Task next = tasks.stream()
                    .filter(task -> !task.isOver && task.claim == null && task.due.compareTo(now) <= 0)
                    .min(Comparator.comparing((Task task) -> !task.suspicion.suspect())
                            .thenComparingInt(task -> task.number))
                    .orElse(null);
            if (next == null) {
                return;
            }
            next.attempt++;
            next.claim = new Claim(Samples.claim(next.number).job(), next.suspicion);
            starts.add(next.claim);
            clearAllThatMay();
            if (!tryStart(next)) {
                refused.add(next);
            }
        }
    }

    private boolean tryStart(Task task) {
        Claim claim = Objects.requireNonNull(task.claim);
        if (!starts.tryStart(claim)) {
            return false;
        }
        busy++;
        task.startedAt = now;
        task.committedFirst = starts.holdsSuspect();
        if (task.suspicion.deaths() > 0) {
            delays.add(now.minus(task.due));
        }
        after(task.runTime(), () -> {
            if (task.life.kills()) {
                die();
            } else {
                complete(task);
            }
        });
        after(Probation.of(task.suspicion), this::clearAllThatMay);
        return true;
    }

    private void clearAllThatMay() {
        for (Task task : tasks) {
            Claim claim = task.claim;
            if (claim != null && starts.holdsSuspect() && starts.isOnProbation(claim.fence())
                    && task.hasOutlivedItsProbation()) {
                task.suspicion = task.suspicion.cleared(task.attempt);
                starts.clear(claim.fence());
            }
        }
    }

    private void complete(Task task) {
        starts.remove(Objects.requireNonNull(task.claim).fence());
        task.claim = null;
        task.isOver = true;
        busy--;
        completed.add(task.number);
    }

    private void die() {
        deaths++;
        List<Orphan> orphans = tasks.stream().filter(task -> task.claim != null).map(Task::orphan).toList();
        for (Recovery recovery : RecoveryPlans.of(maxCrashes, staging).decide(orphans)) {
            Task task = tasks.get((int) recovery.orphan().job().seq());
            task.claim = null;
            task.startedAt = null;
            task.crashes += recovery.crashed() ? 1 : 0;
            task.suspicion = recovery.suspicion();
            task.due = now;
            switch (recovery.transition()) {
                case Transition.Fail _ -> {
                    task.isOver = true;
                    deadLetters.add(task.number);
                }
                case Transition.Retry(Duration delay, _) -> {
                    task.due = now.plus(delay);
                    events.add(new Event(task.due, ANY_LIFE, () -> {}));
                }
                default -> {
                }
            }
        }
        starts = new StartControl(() -> {});
        refused.clear();
        busy = 0;
    }

    int deaths() {
        return deaths;
    }

    List<Integer> deadLetters() {
        return deadLetters.stream().sorted().toList();
    }

    List<Integer> completed() {
        return completed;
    }

    /** Returns how long after its due time each job started that was recovered. */
    List<Duration> delaysBeyondStage() {
        return delays;
    }
}

package dev.heddle.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.engine.commit.AttemptEnd;
import dev.heddle.engine.commit.AttemptRecorder;
import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.Transition;
import dev.heddle.stats.ErrorCount;
import dev.heddle.stats.ErrorStore;
import dev.heddle.stats.LogHistogram;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsStore;
import dev.heddle.stats.StatsWindow;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the attempts of a node, and groups their failures. It writes every second what is new, so a node that is
 * killed loses a second of its statistics.
 */
final class NodeStatistics implements BackgroundService, AttemptRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(NodeStatistics.class);
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MERGE_INTERVAL = Duration.ofMinutes(1);
    /** The most slices and groups in memory while the store does not answer; more are not recorded. */
    private static final int MOST = 2_000;

    private final Optional<StatsStore> store;
    private final Optional<ErrorStore> errors;
    private final Environment env;
    private final Wakeup wakeup;
    /** Not the node's id: a node that was declared dead goes on under another one. */
    private final String source;
    private final Map<Key, Measured> slices = new ConcurrentHashMap<>();
    private final Map<String, ErrorCount> failures = new ConcurrentHashMap<>();
    private Duration mergeAt;
    private volatile boolean stopped;

    NodeStatistics(Store store, Environment env) {
        this.store = store.capability(StatsStore.class);
        this.errors = store.capability(ErrorStore.class);
        this.env = env;
        this.wakeup = new Wakeup(env);
        this.source = Long.toHexString(env.random().nextLong());
        this.mergeAt = env.elapsed().plus(MERGE_INTERVAL);
    }

    private record Key(Instant start, String type, String queue) {}

    /** What happened in one slice so far. */
    private static final class Measured {
        private long completed;
        private long failed;
        private long dead;
        private final LogHistogram waits = new LogHistogram();
        private final LogHistogram runs = new LogHistogram();
        private boolean changed;

        synchronized void add(AttemptEnd end) {
            Job job = end.run().job();
            switch (end.transition()) {
                case Transition.Complete _ -> completed++;
                case Transition.Retry _ -> failed++;
                case Transition.Fail _ -> {
                    failed++;
                    dead++;
                }
                case Transition.Reschedule _, Transition.Wait _, Transition.Cancel _, Transition.Requeue _ -> {
                }
            }
            runs.add(Duration.ofNanos(end.nanos()));
            if (job.counts().attempt() == 1) {
                waits.add(Duration.between(job.spec().createdAt(), end.execution().startedAt()));
            }
            changed = true;
        }

        /** Returns the slice if it has changed since the last call. */
        synchronized Optional<StatsSlice> takeChanged(Key key) {
            if (!changed) {
                return Optional.empty();
            }
            changed = false;
            LogHistogram waited = new LogHistogram();
            waited.add(waits);
            LogHistogram ran = new LogHistogram();
            ran.add(runs);
            return Optional.of(new StatsSlice(key.type, key.queue, key.start, StatsWindow.SHORTEST, completed, failed,
                    dead, waited, ran));
        }

        synchronized void writeAgain() {
            changed = true;
        }
    }

    @Override
    public void ended(AttemptEnd end) {
        Job job = end.run().job();
        // Not the end of the attempt: if the store did not answer for long, that slice is written and forgotten.
        Instant now = env.clock().instant();
        Key key = new Key(StatsWindow.startOf(now, StatsWindow.SHORTEST), job.type(), job.spec().queue());
        if (slices.containsKey(key) || slices.size() < MOST) {
            slices.computeIfAbsent(key, _ -> new Measured()).add(end);
        }
        Failure failure = end.execution().failure();
        if (failure != null) {
            end.fingerprint().ifPresent(
                    print -> addFailure(new ErrorCount(print, 1, now, now, job.id(), failure.message())));
        }
    }

    private void addFailure(ErrorCount failure) {
        String id = failure.fingerprint().id();
        if (failures.containsKey(id) || failures.size() < MOST) {
            failures.merge(id, failure, ErrorCount::plus);
        }
    }

    @Override
    public String name() {
        return "statistics";
    }

    @Override
    public void run() {
        while (!stopped) {
            wakeup.await(FLUSH_INTERVAL);
            flush();
        }
        flush();
    }

    private void flush() {
        try {
            store.ifPresent(this::flushSlices);
            errors.ifPresent(this::flushErrors);
            Duration now = env.elapsed();
            if (now.compareTo(mergeAt) >= 0 && !stopped) {
                mergeAt = now.plus(MERGE_INTERVAL);
                store.ifPresent(known -> known.mergeSlices(env.clock().instant()));
            }
        } catch (StoreException e) {
            LOG.debug("Could not write statistics; trying again in a second: {}", e.getMessage());
        }
    }

    private void flushSlices(StatsStore known) {
        Instant current = StatsWindow.startOf(env.clock().instant(), StatsWindow.SHORTEST);
        List<StatsSlice> changed = new ArrayList<>();
        // Attempts may end at any time of the slice before while this one has begun.
        slices.entrySet().removeIf(entry -> {
            Optional<StatsSlice> slice = entry.getValue().takeChanged(entry.getKey());
            slice.ifPresent(changed::add);
            return slice.isEmpty() && entry.getKey().start.isBefore(current.minus(StatsWindow.SHORTEST));
        });
        if (!changed.isEmpty()) {
            try {
                known.saveSlices(source, changed);
            } catch (StoreException e) {
                slices.values().forEach(Measured::writeAgain);
                throw e;
            }
        }
    }

    private void flushErrors(ErrorStore known) {
        Map<String, ErrorCount> taken = new HashMap<>();
        for (String id : List.copyOf(failures.keySet())) {
            ErrorCount count = failures.remove(id);
            if (count != null) {
                taken.put(id, count);
            }
        }
        if (!taken.isEmpty()) {
            try {
                known.addErrors(List.copyOf(taken.values()));
            } catch (StoreException e) {
                taken.forEach((id, count) -> failures.merge(id, count, (newer, older) -> older.plus(newer)));
                throw e;
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}

package dev.heddle.engine.execute;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerState;
import dev.heddle.worker.Workforce;
import dev.heddle.worker.WorkforceListener;
import org.jspecify.annotations.Nullable;

/**
 * Workers that run handlers on threads of this JVM. They are ready at once and always healthy, and are replaced only
 * if one hangs.
 */
public final class ThreadWorkforce implements Workforce {

    private final String group;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** Without dismissed workers, which go once their job has ended. */
    private final Set<Worker> workers = new LinkedHashSet<>();
    private @Nullable WorkforceListener listener;
    private String prefix = "";
    private int created;
    private int target;
    /** Whether there are more workers than wanted. Read without the lock after every job. */
    private volatile boolean oversized;

    public ThreadWorkforce(String group, InstantSource clock) {
        this.group = group;
        this.clock = clock;
    }

    @Override
    public void open(WorkforceListener workforceListener, String idPrefix, int count) {
        listener = workforceListener;
        prefix = idPrefix;
        resize(count);
    }

    @Override
    public void resize(int count) {
        lock.lock();
        try {
            target = count;
        } finally {
            lock.unlock();
        }
        resize();
    }

    /** Grows at once; shrinks as workers become idle. */
    private void resize() {
        List<Worker> changed = new ArrayList<>();
        lock.lock();
        try {
            while (workers.size() < target) {
                changed.add(add());
            }
            for (Worker worker : List.copyOf(workers)) {
                if (workers.size() > target && terminateIfIdle(worker)) {
                    changed.add(retire(worker, TransitionReason.SHUTDOWN));
                }
            }
            oversized = workers.size() > target;
        } finally {
            lock.unlock();
        }
        notifyChanged(changed);
    }

    /** Begins to terminate the worker if it is idle; returns whether it did. */
    private static boolean terminateIfIdle(Worker worker) {
        return worker.lifecycle().transitionFrom(Set.of(WorkerState.READY), WorkerState.TERMINATING,
                TransitionReason.SHUTDOWN, Map.of());
    }

    @Override
    public Worker addWorker() {
        Worker added;
        lock.lock();
        try {
            target++;
            added = add();
        } finally {
            lock.unlock();
        }
        notifyChanged(List.of(added));
        return added;
    }

    @Override
    public void removeWorker(Worker worker) {
        lock.lock();
        try {
            target--;
            workers.remove(worker);
        } finally {
            lock.unlock();
        }
        retireIfIdle(worker);
    }

    private void retireIfIdle(Worker worker) {
        if (terminateIfIdle(worker)) {
            worker.terminate(TransitionReason.SHUTDOWN);
            notifyChanged(List.of(worker));
        }
    }

    private Worker add() {
        Worker worker = new Worker(prefix + ++created, group, clock, Map::of, _ -> {});
        worker.lifecycle().transition(WorkerState.READY, TransitionReason.INIT_COMPLETE);
        workers.add(worker);
        return worker;
    }

    private Worker retire(Worker worker, TransitionReason reason) {
        worker.terminate(reason);
        workers.remove(worker);
        return worker;
    }

    private void notifyChanged(List<Worker> changed) {
        WorkforceListener current = listener;
        if (current != null) {
            changed.forEach(current::workerChanged);
        }
    }

    @Override
    public void jobEnded(Worker worker) {
        if (worker.isRetiring()) {
            retireIfIdle(worker);
        } else if (oversized) {
            resize();
        }
    }

    @Override
    public void abandon(Worker worker) {
        List<Worker> changed = new ArrayList<>();
        lock.lock();
        try {
            changed.add(retire(worker, TransitionReason.TIMEOUT));
            if (workers.size() < target) {
                changed.add(add());
            }
        } finally {
            lock.unlock();
        }
        notifyChanged(changed);
    }

    @Override
    public void close() {
        resize(0);
    }
}

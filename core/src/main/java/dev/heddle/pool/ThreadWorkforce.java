package dev.heddle.pool;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.worker.Floor;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerState;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;

/** Workers that run handlers on threads of this JVM: ready at once, never ill, replaced only when one is stuck. */
final class ThreadWorkforce implements Workforce {

    private final String group;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** Without those that were dismissed, which go once they have ended what they run. */
    private final Set<Worker> workers = new LinkedHashSet<>();
    private @Nullable Floor floor;
    private String prefix = "";
    private int made;
    private int target;
    /** Whether there are more than there should be; seen without the lock, after every job. */
    private volatile boolean crowded;

    ThreadWorkforce(String group, InstantSource clock) {
        this.group = group;
        this.clock = clock;
    }

    @Override
    public void open(Floor newFloor, String idPrefix, int count) {
        floor = newFloor;
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
                if (workers.size() > target && rests(worker)) {
                    changed.add(retire(worker, TransitionReason.SHUTDOWN));
                }
            }
            crowded = workers.size() > target;
        } finally {
            lock.unlock();
        }
        show(changed);
    }

    /** Whether it had nothing to do; it takes nothing more then. */
    private static boolean rests(Worker worker) {
        return worker.lifecycle().goFrom(Set.of(WorkerState.READY), WorkerState.TERMINATING,
                TransitionReason.SHUTDOWN, Map.of());
    }

    @Override
    public Worker grow() {
        Worker added;
        lock.lock();
        try {
            target++;
            added = add();
        } finally {
            lock.unlock();
        }
        show(List.of(added));
        return added;
    }

    @Override
    public void dismiss(Worker worker) {
        lock.lock();
        try {
            target--;
            workers.remove(worker);
        } finally {
            lock.unlock();
        }
        goIfAtRest(worker);
    }

    private void goIfAtRest(Worker worker) {
        if (rests(worker)) {
            worker.terminate(TransitionReason.SHUTDOWN);
            show(List.of(worker));
        }
    }

    private Worker add() {
        Worker worker = new Worker(prefix + ++made, group, clock, Map::of, _ -> {});
        worker.lifecycle().go(WorkerState.READY, TransitionReason.INIT_COMPLETE);
        workers.add(worker);
        return worker;
    }

    private Worker retire(Worker worker, TransitionReason reason) {
        worker.terminate(reason);
        workers.remove(worker);
        return worker;
    }

    private void show(List<Worker> changed) {
        Floor shown = floor;
        if (shown != null) {
            changed.forEach(shown::changed);
        }
    }

    @Override
    public void rested(Worker worker) {
        if (worker.isLeaving()) {
            goIfAtRest(worker);
        } else if (crowded) {
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
        show(changed);
    }

    @Override
    public void close() {
        resize(0);
    }
}

package dev.heddle.pool;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one group and the claims in hand for them. A worker that ends a job takes the next claim
 * itself, on its own thread; only when there is none does it go idle and its thread end.
 */
final class WorkerGroup {

    private final String name;
    private final String node;
    private final InstantSource clock;
    private final ExecutorService threads;
    private final Work work;
    private final Runnable onFree;
    private final boolean hasNonIdempotent;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final Deque<Worker> idle = new ArrayDeque<>();
    private final Deque<Claim> inHand = new ArrayDeque<>();
    /** Those that go once they have ended what they run. */
    private final Set<String> leaving = new HashSet<>();
    private int target;
    private int made;
    private boolean closed;

    /**
     * What a group is to be.
     *
     * @param virtual whether its handlers run on virtual threads
     * @param hasNonIdempotent whether one of its types must not be claimed ahead
     */
    record Plan(String name, int count, boolean virtual, boolean hasNonIdempotent) {}

    /** Runs one claim on a worker; says whether the worker is still fit for the next. */
    interface Work {
        boolean run(Worker worker, Claim claim);
    }

    /** The callback hears whenever a worker has become free. */
    WorkerGroup(Plan plan, String node, InstantSource clock, Work work, Runnable onFree) {
        this.onFree = onFree;
        this.name = plan.name();
        this.node = node;
        this.hasNonIdempotent = plan.hasNonIdempotent();
        this.clock = clock;
        this.work = work;
        this.threads = plan.virtual()
                ? Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("heddle-" + name + "-", 0).factory())
                : Executors.newCachedThreadPool(
                        Thread.ofPlatform().daemon().name("heddle-" + name + "-", 0).factory());
        resize(plan.count());
    }

    String name() {
        return name;
    }

    boolean hasNonIdempotent() {
        return hasNonIdempotent;
    }

    /** Grows at once; shrinks as workers become idle. */
    void resize(int count) {
        lock.lock();
        try {
            target = count;
            while (workers.size() - leaving.size() < target) {
                add();
            }
            while (workers.size() - leaving.size() > target && !idle.isEmpty()) {
                retire(idle.removeFirst(), TransitionReason.SHUTDOWN);
            }
        } finally {
            lock.unlock();
        }
        startIdle();
    }

    /** One worker more. */
    Worker grow() {
        Worker added;
        lock.lock();
        try {
            target++;
            added = add();
        } finally {
            lock.unlock();
        }
        startIdle();
        return added;
    }

    /** One worker fewer: this one, once it has ended what it runs. False where there is no such worker. */
    boolean shrink(String workerId) {
        lock.lock();
        try {
            Worker worker = workers.get(workerId);
            if (worker == null || leaving.contains(workerId)) {
                return worker != null;
            }
            if (target == 1) {
                throw new IllegalStateException("worker " + workerId + " is the last of group '" + name
                        + "', whose jobs would wait for ever; start another one first");
            }
            target--;
            if (idle.remove(worker)) {
                retire(worker, TransitionReason.SHUTDOWN);
                freed.signalAll();
            } else {
                leaving.add(workerId);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Worker add() {
        Worker worker = new Worker(node + "/" + name + "-" + ++made, name, clock);
        workers.put(worker.id(), worker);
        idle.addLast(worker);
        tellFree();
        return worker;
    }

    private void tellFree() {
        freed.signalAll();
        onFree.run();
    }

    private void retire(Worker worker, TransitionReason reason) {
        worker.terminate(reason);
        workers.remove(worker.id());
        leaving.remove(worker.id());
    }

    /** Takes claims into hand and starts idle workers on them. */
    void offer(List<Claim> claims) {
        lock.lock();
        try {
            inHand.addAll(claims);
        } finally {
            lock.unlock();
        }
        startIdle();
    }

    private void startIdle() {
        for (Pair pair = pair(); pair != null; pair = pair()) {
            Pair started = pair;
            threads.execute(() -> loop(started.worker(), started.claim()));
        }
    }

    private record Pair(Worker worker, Claim claim) {}

    private @Nullable Pair pair() {
        lock.lock();
        try {
            if (idle.isEmpty() || inHand.isEmpty()) {
                return null;
            }
            Worker worker = idle.removeFirst();
            Claim claim = inHand.removeFirst();
            worker.checkOut(claim.job().id());
            return new Pair(worker, claim);
        } finally {
            lock.unlock();
        }
    }

    private void loop(Worker worker, Claim first) {
        for (Claim claim = first; claim != null; claim = next(worker)) {
            if (!work.run(worker, claim)) {
                return;
            }
        }
    }

    private @Nullable Claim next(Worker worker) {
        lock.lock();
        try {
            worker.checkIn();
            if (leaving.contains(worker.id()) || workers.size() - leaving.size() > target || closed) {
                retire(worker, TransitionReason.SHUTDOWN);
                freed.signalAll();
                return null;
            }
            Claim claim = inHand.pollFirst();
            if (claim == null) {
                idle.addFirst(worker);
                tellFree();
                return null;
            }
            worker.checkOut(claim.job().id());
            return claim;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a new worker in the place of one whose handler does not let go of its thread. */
    void replace(Worker lost) {
        lock.lock();
        try {
            retire(lost, TransitionReason.TIMEOUT);
            if (workers.size() - leaving.size() < target && !closed) {
                add();
            }
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        startIdle();
    }

    /** Free workers less the claims that wait for one; negative where claims wait. */
    int free() {
        lock.lock();
        try {
            return closed ? 0 : idle.size() - inHand.size();
        } finally {
            lock.unlock();
        }
    }

    boolean awaitFree(Duration timeout) throws InterruptedException {
        return await(timeout, () -> idle.size() > inHand.size());
    }

    /** Whether all workers came to rest within the time. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        return await(timeout, () -> idle.size() == workers.size() && inHand.isEmpty());
    }

    private boolean await(Duration timeout, BooleanSupplier condition) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = freed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return workers.size();
        } finally {
            lock.unlock();
        }
    }

    int active() {
        lock.lock();
        try {
            return workers.size() - idle.size();
        } finally {
            lock.unlock();
        }
    }

    List<WorkerSnapshot> snapshots() {
        lock.lock();
        try {
            return workers.values().stream().map(Worker::snapshot).toList();
        } finally {
            lock.unlock();
        }
    }

    /** A worker's changes of state, newest first. */
    List<StateChange> history(String workerId) {
        lock.lock();
        try {
            Worker worker = workers.get(workerId);
            return worker == null ? List.of() : worker.lifecycle().history();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a claim out of hand, if no worker has it yet. */
    Optional<Claim> withdraw(Fence fence) {
        lock.lock();
        try {
            Optional<Claim> claim = inHand.stream().filter(c -> c.fence().equals(fence)).findFirst();
            claim.ifPresent(inHand::remove);
            return claim;
        } finally {
            lock.unlock();
        }
    }

    /** Takes all claims out of hand that no worker has yet. */
    List<Claim> withdrawAll() {
        lock.lock();
        try {
            List<Claim> claims = List.copyOf(inHand);
            inHand.clear();
            return claims;
        } finally {
            lock.unlock();
        }
    }

    /** Waits, after {@link #close()}, until all workers are gone, it is enough, or the time is over. */
    void awaitEmpty(Duration timeout, BooleanSupplier enough) {
        try {
            await(timeout, () -> workers.isEmpty() || enough.getAsBoolean());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets those who wait look again. */
    void look() {
        lock.lock();
        try {
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Starts nothing more; what is in hand stays there to be withdrawn. */
    void close() {
        lock.lock();
        try {
            closed = true;
            idle.forEach(worker -> retire(worker, TransitionReason.SHUTDOWN));
            idle.clear();
            threads.shutdown();
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

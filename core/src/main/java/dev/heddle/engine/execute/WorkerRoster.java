package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.heddle.engine.session.SessionCandidates;
import dev.heddle.engine.session.WaitingClaims;
import dev.heddle.engine.support.Monitor;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.env.Environment;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

/**
 * Tracks a group's workers: which exist, which are idle, and which claims wait for them. Assigns claims to workers
 * under one lock.
 */
final class WorkerRoster implements WaitingClaims {

    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final SequencedSet<Worker> idle = new LinkedHashSet<>();
    private final ClaimQueue queue = new ClaimQueue();
    private final Monitor monitor;
    private final StartControl starts;
    private int busy;
    /** How many workers there should be. */
    private int target;
    private boolean closed;

    WorkerRoster(Environment env, StartControl starts) {
        this.monitor = new Monitor(env);
        this.starts = starts;
    }

    /** A worker and the claim that it must run. */
    record Assignment(Worker worker, Claim claim) {}

    /**
     * The result of a worker's state change.
     *
     * @param joined whether the worker is idle now and was not before
     * @param orphans the claims that only this worker could run, if it is gone
     */
    record Update(boolean joined, List<Claim> orphans) {}

    void setTarget(int count) {
        try (var _ = monitor.enter()) {
            target = count;
        }
    }

    void incrementTarget() {
        try (var _ = monitor.enter()) {
            target++;
        }
    }

    /**
     * Dismisses a worker and lowers the target; empty if there is no such worker or it is leaving already.
     *
     * @throws IllegalStateException if it is the last worker of the group
     */
    Optional<Worker> dismiss(String workerId, String group) {
        try (var _ = monitor.enter()) {
            Worker worker = workers.get(workerId);
            if (worker == null || worker.isRetiring()) {
                return Optional.empty();
            }
            if (target == 1) {
                throw new IllegalStateException("worker " + workerId + " is the last of group '" + group
                        + "', and its jobs would wait forever; add another worker first");
            }
            target--;
            worker.retire();
            return Optional.of(worker);
        }
    }

    /**
     * Records that a worker has changed its state.
     *
     * @param live whether the worker was live after that change
     */
    Update update(Worker worker, boolean live) {
        try (var _ = monitor.enter()) {
            List<Claim> orphans = List.of();
            if (live) {
                // It may have ended since. Then another call reports that, or has.
                if (worker.lifecycle().state().isLive()) {
                    workers.put(worker.id(), worker);
                }
            } else {
                workers.remove(worker.id());
                orphans = queue.removeFor(worker.id());
            }
            boolean joined = false;
            if (!worker.takesWork()) {
                idle.remove(worker);
            } else if (!closed) {
                joined = idle.add(worker);
            }
            monitor.changed();
            return new Update(joined, orphans);
        }
    }

    @Override
    public void add(List<Claim> claims) {
        try (var _ = monitor.enter()) {
            queue.addAll(claims);
        }
    }

    @Override
    public boolean addFor(String workerId, Claim claim, int max) {
        try (var _ = monitor.enter()) {
            Worker worker = workers.get(workerId);
            int waiting = queue.sizeFor(workerId);
            boolean fits = worker != null && (waiting < max || (waiting == 0 && worker.isAvailable()));
            if (fits) {
                queue.add(claim, workerId);
            }
            return fits;
        }
    }

    @Override
    public Map<String, Integer> waitingCounts() {
        try (var _ = monitor.enter()) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            workers.keySet().forEach(worker -> counts.put(worker, queue.sizeFor(worker)));
            return counts;
        }
    }

    @Override
    public Optional<Claim> remove(Fence fence) {
        try (var _ = monitor.enter()) {
            return queue.remove(claim -> claim.fence().equals(fence));
        }
    }

    @Override
    public List<Claim> remove(Predicate<Claim> which) {
        try (var _ = monitor.enter()) {
            return queue.removeAll(which, Integer.MAX_VALUE);
        }
    }

    /** Removes the claims that any worker may run, except those that an idle worker will start as soon as it may. */
    List<Claim> removeSurplus() {
        try (var _ = monitor.enter()) {
            return queue.removeForAny(idle.size());
        }
    }

    /** Removes all claims that no worker has taken yet. */
    List<Claim> removeAll() {
        try (var _ = monitor.enter()) {
            return queue.removeAll();
        }
    }

    /** Assigns a claim to an idle worker; returns null if no claim fits an idle worker and may start. */
    @Nullable Assignment assign() {
        try (var _ = monitor.enter()) {
            if (queue.isEmpty()) {
                return null;
            }
            for (Iterator<Worker> free = idle.iterator(); free.hasNext();) {
                Worker worker = free.next();
                Claim claim = queue.peekFor(worker.id());
                if (claim != null && starts.tryStart(claim)) {
                    free.remove();
                    if (worker.checkOut(claim.job().id())) {
                        queue.removeNextFor(worker.id());
                        busy++;
                        return new Assignment(worker, claim);
                    }
                    starts.startFailed(claim);
                }
            }
            return null;
        }
    }

    /**
     * Returns the next claim for a worker that has ended a job. Returns null if there is none; then its thread must
     * end, and the worker is idle.
     *
     * @param stillAssigned whether the ended job was still assigned to the worker
     */
    @Nullable Claim next(Worker worker, boolean stillAssigned) {
        try (var _ = monitor.enter()) {
            Claim claim = stillAssigned ? queue.peekFor(worker.id()) : null;
            if (claim != null && !closed && starts.tryStart(claim)) {
                if (worker.checkOut(claim.job().id())) {
                    queue.removeNextFor(worker.id());
                    return claim;
                }
                starts.startFailed(claim);
            }
            busy--;
            if (stillAssigned && !closed && worker.takesWork()) {
                idle.addFirst(worker);
            }
            monitor.changed();
            return null;
        }
    }

    /** Records that a worker's thread never returns from its job. */
    void workerLost() {
        try (var _ = monitor.enter()) {
            busy--;
            monitor.changed();
        }
    }

    /**
     * Returns the workers that may get a new session. Workers that wind down are eligible only if there are no
     * others.
     */
    List<String> eligible() {
        try (var _ = monitor.enter()) {
            Map<Boolean, List<String>> byWindingDown = workers.values().stream()
                    .filter(worker -> worker.takesWork()
                            || (worker.lifecycle().state() == WorkerState.BUSY && !worker.isRetiring()))
                    .collect(partitioningBy(Worker::isWindingDown, mapping(Worker::id, toList())));
            List<String> staying = byWindingDown.getOrDefault(false, List.of());
            return staying.isEmpty() ? byWindingDown.getOrDefault(true, List.of()) : staying;
        }
    }

    @Override
    public SessionCandidates candidates() {
        try (var _ = monitor.enter()) {
            Set<String> idleIds = workers.values().stream().filter(Worker::isAvailable).map(Worker::id)
                    .filter(worker -> queue.sizeFor(worker) == 0).collect(toSet());
            return new SessionCandidates(eligible(), idleIds, Set.copyOf(workers.keySet()));
        }
    }

    @Override
    public @Nullable Worker find(String id) {
        try (var _ = monitor.enter()) {
            return workers.get(id);
        }
    }

    @Override
    public boolean isAvailable(String id) {
        Worker worker = find(id);
        return worker != null && worker.isAvailable();
    }

    List<Worker> all() {
        try (var _ = monitor.enter()) {
            return List.copyOf(workers.values());
        }
    }

    int active() {
        try (var _ = monitor.enter()) {
            return busy;
        }
    }

    /** Returns the number of idle workers less the claims that wait for one; negative if claims wait. */
    int free() {
        try (var _ = monitor.enter()) {
            return closed ? 0 : idle.size() - queue.size();
        }
    }

    boolean awaitFree(Duration timeout) throws InterruptedException {
        return monitor.await(timeout, () -> idle.size() > queue.size());
    }

    boolean awaitIdle(Duration timeout) throws InterruptedException {
        return monitor.await(timeout, () -> busy == 0 && queue.isEmpty());
    }

    /**
     * Waits until all workers are gone and their jobs have ended. A worker's process may be gone while its thread
     * still has to write how the job ended.
     */
    boolean awaitEmpty(Duration timeout, BooleanSupplier enough) throws InterruptedException {
        return monitor.await(timeout, () -> (workers.isEmpty() && busy == 0) || enough.getAsBoolean());
    }

    /** Makes waiting threads check their conditions again. */
    void recheck() {
        try (var _ = monitor.enter()) {
            monitor.changed();
        }
    }

    /** Assigns nothing more. Claims that wait stay until they are removed. */
    void close() {
        try (var _ = monitor.enter()) {
            closed = true;
            idle.clear();
            monitor.changed();
        }
    }
}

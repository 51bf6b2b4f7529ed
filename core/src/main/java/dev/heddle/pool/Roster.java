package dev.heddle.pool;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

/** Who of a group is there, who of them is free, and the claims in hand for them: who takes which, under one lock. */
final class Roster {

    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final SequencedSet<Worker> idle = new LinkedHashSet<>();
    private final Hand inHand = new Hand();
    private int busy;
    /** How many workers there should be. */
    private int wanted;
    private boolean closed;

    /** A worker, and the claim that it is to run. */
    record Pair(Worker worker, Claim claim) {}

    /**
     * What came of a worker's change.
     *
     * @param joined whether there is one free that was not before
     * @param orphans the claims that waited for it alone, where it has gone
     */
    record Noted(boolean joined, List<Claim> orphans) {}

    /**
     * Who there is for jobs of sessions.
     *
     * @param crew the workers that a session could be given to
     * @param idle those that could start a job at once, and have none waiting
     * @param here all, also those that are ill
     */
    record Present(List<String> crew, Set<String> idle, Set<String> here) {}

    synchronized void want(int count) {
        wanted = count;
    }

    synchronized void wantOneMore() {
        wanted++;
    }

    /** Lets a worker go that is not on its way already, and wants one fewer; says which. */
    synchronized Optional<Worker> leave(String workerId, String group) {
        Worker worker = workers.get(workerId);
        if (worker == null || worker.isLeaving()) {
            return Optional.empty();
        }
        if (wanted == 1) {
            throw new IllegalStateException("worker " + workerId + " is the last of group '" + group
                    + "', whose jobs would wait for ever; start another one first");
        }
        wanted--;
        worker.leave();
        return Optional.of(worker);
    }

    /** A worker has another state; whether it was live in that is for who tells of it to say. */
    synchronized Noted note(Worker worker, boolean live) {
        List<Claim> orphans = List.of();
        if (live) {
            // It may have ended since: then somebody else says so, or has.
            if (worker.lifecycle().state().isLive()) {
                workers.put(worker.id(), worker);
            }
        } else {
            workers.remove(worker.id());
            orphans = inHand.takeFor(worker.id());
        }
        boolean joined = false;
        if (!worker.takesWork()) {
            idle.remove(worker);
        } else if (!closed) {
            joined = idle.add(worker);
        }
        notifyAll();
        return new Noted(joined, orphans);
    }

    /** Takes claims into hand that any worker may have. */
    synchronized void keep(List<Claim> claims) {
        inHand.addAll(claims);
    }

    /** Takes a claim into hand for a worker that is idle, or for which fewer than so many wait; says whether it did. */
    synchronized boolean keepFor(String workerId, Claim claim, int most) {
        Worker worker = workers.get(workerId);
        int waiting = inHand.sizeFor(workerId);
        boolean fits = worker != null && (waiting < most || (waiting == 0 && worker.isAvailable()));
        if (fits) {
            inHand.add(claim, workerId);
        }
        return fits;
    }

    /** How many claims wait for each of the workers alone. */
    synchronized Map<String, Integer> waiting() {
        Map<String, Integer> waiting = new LinkedHashMap<>();
        workers.keySet().forEach(worker -> waiting.put(worker, inHand.sizeFor(worker)));
        return waiting;
    }

    /** Takes a claim out of hand, if no worker has it yet. */
    synchronized Optional<Claim> withdraw(Fence fence) {
        return inHand.take(claim -> claim.fence().equals(fence));
    }

    /** Takes such claims out of hand that no worker has yet. */
    synchronized List<Claim> withdraw(Predicate<Claim> which) {
        return inHand.takeAll(which, Integer.MAX_VALUE);
    }

    /** Takes the claims out of hand that wait for no worker in particular. */
    synchronized List<Claim> withdrawForAny() {
        return inHand.takeForAny();
    }

    /** Takes all claims out of hand that no worker has yet. */
    synchronized List<Claim> withdrawAll() {
        return inHand.takeAll();
    }

    /** A free worker and what it is to do now, or null. */
    synchronized @Nullable Pair pair() {
        if (inHand.isEmpty()) {
            return null;
        }
        for (Iterator<Worker> free = idle.iterator(); free.hasNext();) {
            Worker worker = free.next();
            Claim claim = inHand.nextFor(worker.id());
            if (claim != null) {
                free.remove();
                if (worker.checkOut(claim.job().id())) {
                    inHand.takeNextFor(worker.id());
                    busy++;
                    return new Pair(worker, claim);
                }
            }
        }
        return null;
    }

    /**
     * What a worker does next that has ended a job, or null: then its thread is done, and it is free.
     *
     * @param itsOwn whether the job was still its own
     */
    synchronized @Nullable Claim next(Worker worker, boolean itsOwn) {
        Claim claim = itsOwn ? inHand.nextFor(worker.id()) : null;
        if (claim != null && !closed && worker.checkOut(claim.job().id())) {
            inHand.takeNextFor(worker.id());
            return claim;
        }
        busy--;
        if (itsOwn && !closed && worker.takesWork()) {
            idle.addFirst(worker);
        }
        notifyAll();
        return null;
    }

    /** A worker never comes back from its job. */
    synchronized void lost() {
        busy--;
        notifyAll();
    }

    /** The workers that a session could be given to: those that are soon to go only where there is no other. */
    synchronized List<String> crew() {
        Map<Boolean, List<String>> bySoonGone = workers.values().stream()
                .filter(worker -> worker.takesWork()
                        || (worker.lifecycle().state() == WorkerState.BUSY && !worker.isLeaving()))
                .collect(partitioningBy(Worker::isWindingDown, mapping(Worker::id, toList())));
        List<String> staying = bySoonGone.getOrDefault(false, List.of());
        return staying.isEmpty() ? bySoonGone.getOrDefault(true, List.of()) : staying;
    }

    synchronized Present present() {
        Set<String> idlers = workers.values().stream().filter(Worker::isAvailable).map(Worker::id)
                .filter(worker -> inHand.sizeFor(worker) == 0).collect(toSet());
        return new Present(crew(), idlers, Set.copyOf(workers.keySet()));
    }

    synchronized @Nullable Worker find(String id) {
        return workers.get(id);
    }

    /** Whether the worker could start a job now, or in a moment. */
    boolean isAvailable(String id) {
        Worker worker = find(id);
        return worker != null && worker.isAvailable();
    }

    synchronized List<Worker> all() {
        return List.copyOf(workers.values());
    }

    synchronized int active() {
        return busy;
    }

    /** Free workers less the claims that wait for one; negative where claims wait. */
    synchronized int free() {
        return closed ? 0 : idle.size() - inHand.size();
    }

    boolean awaitFree(Duration timeout) throws InterruptedException {
        return await(timeout, () -> idle.size() > inHand.size());
    }

    boolean awaitIdle(Duration timeout) throws InterruptedException {
        return await(timeout, () -> busy == 0 && inHand.isEmpty());
    }

    /** A worker's process may be gone while the thread of its job has yet to write down how that ended. */
    boolean awaitEmpty(Duration timeout, BooleanSupplier enough) throws InterruptedException {
        return await(timeout, () -> (workers.isEmpty() && busy == 0) || enough.getAsBoolean());
    }

    private synchronized boolean await(Duration timeout, BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Lets those who wait look again. */
    synchronized void look() {
        notifyAll();
    }

    /** Hands out nothing more; what is in hand stays there to be withdrawn. */
    synchronized void close() {
        closed = true;
        idle.clear();
        notifyAll();
    }
}

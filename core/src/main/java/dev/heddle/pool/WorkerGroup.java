package dev.heddle.pool;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.heddle.job.JobException;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.Floor;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;

/**
 * The workers of one group and the claims in hand for them. A worker that ends a job takes the next claim
 * itself, on its own thread; only when there is none does it go idle and its thread end. Where the workers come
 * from and when they go is their {@link Workforce}'s.
 */
final class WorkerGroup implements Floor {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);

    private final Plan plan;
    private final ExecutorService threads;
    private final Work work;
    private final News news;
    private final @Nullable SessionLines sessions;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final SequencedSet<Worker> idle = new LinkedHashSet<>();
    private final Hand inHand = new Hand();
    private int busy;
    /** How many workers there should be. */
    private int wanted;
    private boolean closed;

    /**
     * What a group is to be.
     *
     * @param virtual whether its handlers run on virtual threads
     * @param ahead whether jobs may be claimed beyond the free workers
     * @param hasNonIdempotent whether one of its types must not be claimed ahead
     * @param sessions who knows which worker has which session; null where jobs have none
     */
    record Plan(String name, Workforce workforce, boolean virtual, boolean ahead, boolean hasNonIdempotent,
            @Nullable SessionDesk sessions) {}

    /** What is done with claims. */
    interface Work {
        /** Runs one on a worker; says whether the worker's thread may take the next. */
        boolean run(Worker worker, Claim claim);

        /** Nobody here can run it after all, or not now. */
        default void giveBack(Claim claim, String reason) {
            giveBack(claim, reason, () -> {});
        }

        /** The same; what comes then is done once it is back, before anybody looks for work. */
        void giveBack(Claim claim, String reason, Runnable then);

        /** It fails without having run. */
        void refuse(Claim claim, JobException why);
    }

    /** Who hears of the group. */
    interface News {
        /** A worker has ended its job. */
        void freed();

        /** There is a worker that could not be reckoned with before. */
        void joined();

        void happened(WorkerEvent event);
    }

    WorkerGroup(Plan plan, Work work, News news) {
        this.plan = plan;
        this.work = work;
        this.news = news;
        SessionDesk desk = plan.sessions();
        this.sessions = desk == null ? null : new SessionLines(this, desk, news);
        String threadName = "heddle-" + plan.name() + "-";
        this.threads = plan.virtual()
                ? Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(threadName, 0).factory())
                : Executors
                        .newCachedThreadPool(Thread.ofPlatform().daemon().name(threadName, 0).factory());
    }

    void open(String node, int count) {
        want(count);
        plan.workforce().open(this, node + "/" + plan.name() + "-", count);
    }

    String name() {
        return plan.name();
    }

    boolean hasNonIdempotent() {
        return plan.hasNonIdempotent();
    }

    /** How many jobs may be in hand beyond the free workers, of those that the node could have. */
    int mostAhead(int ofNode) {
        if (plan.ahead()) {
            return ofNode;
        }
        // Without anybody to work through the lines, what is claimed would only go back.
        if (sessions == null || crew().isEmpty()) {
            return 0;
        }
        // Jobs of sessions wait for their own worker: one has to look past them for those that others could do.
        return sessions.areUsed() ? SessionLines.MOST_IN_HAND : Math.min(ofNode, SessionLines.MOST_IN_HAND);
    }

    private void want(int count) {
        lock.lock();
        try {
            wanted = count;
        } finally {
            lock.unlock();
        }
    }

    /** Grows at once; shrinks as workers become idle. */
    void resize(int count) {
        want(count);
        plan.workforce().resize(count);
    }

    @Override
    public void changed(Worker worker) {
        boolean live = worker.lifecycle().state().isLive();
        List<Claim> orphans = List.of();
        if (!live && sessions != null) {
            // Before it counts as gone: closing waits for that, and then closes the store.
            sessions.lost(worker.id());
        }
        lock.lock();
        try {
            if (live) {
                // It may have ended since: then somebody else says so, or has.
                if (worker.lifecycle().state().isLive()) {
                    workers.put(worker.id(), worker);
                }
            } else {
                workers.remove(worker.id());
                orphans = inHand.takeFor(worker.id());
            }
            if (!worker.takesWork()) {
                idle.remove(worker);
            } else if (!closed && idle.add(worker)) {
                news.joined();
            }
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        if (sessions != null) {
            orphans.forEach(sessions::orphaned);
        }
        startIdle();
        giveBackSurplus();
    }

    /** One worker more. */
    Worker grow() {
        lock.lock();
        try {
            wanted++;
        } finally {
            lock.unlock();
        }
        return plan.workforce().grow();
    }

    /** One worker fewer: this one, once it has ended what it runs. False where there is no such worker. */
    boolean shrink(String workerId) {
        Worker worker;
        lock.lock();
        try {
            worker = workers.get(workerId);
            if (worker == null || worker.isLeaving()) {
                return worker != null;
            }
            if (wanted == 1) {
                throw new IllegalStateException("worker " + workerId + " is the last of group '" + name()
                        + "', whose jobs would wait for ever; start another one first");
            }
            wanted--;
            worker.leave();
        } finally {
            lock.unlock();
        }
        plan.workforce().dismiss(worker);
        return true;
    }

    @Override
    public int sessions(Worker worker) {
        return sessions == null ? 0 : sessions.count(worker.id());
    }

    @Override
    public void tell(WorkerEvent event) {
        news.happened(event);
    }

    /** Takes claims into hand and starts idle workers on them. */
    void offer(List<Claim> claims) {
        if (sessions == null) {
            keep(claims);
        } else {
            sessions.offer(claims, false);
        }
        startIdle();
        giveBackSurplus();
    }

    /** Takes claims into hand that were parked for workers of this group. */
    void offerParked(List<Claim> claims) {
        if (sessions != null) {
            sessions.offer(claims, true);
        }
        startIdle();
        giveBackSurplus();
    }

    /** What was claimed for workers that have fallen ill since. Some may wait where there are sessions to look through. */
    private void giveBackSurplus() {
        if (!plan.ahead() && (sessions == null || crew().isEmpty())) {
            List<Claim> surplus;
            lock.lock();
            try {
                surplus = inHand.takeForAny();
            } finally {
                lock.unlock();
            }
            surplus.forEach(claim -> work.giveBack(claim, "no worker is ready"));
        }
    }

    /** Takes claims into hand that any worker may have. */
    void keep(List<Claim> claims) {
        lock.lock();
        try {
            inHand.addAll(claims);
        } finally {
            lock.unlock();
        }
    }

    /** Takes a claim into hand for a worker that is idle, or for which fewer than so many wait; says whether it did. */
    boolean keepFor(String worker, Claim claim, int most) {
        lock.lock();
        try {
            Worker wanted = workers.get(worker);
            int waiting = inHand.sizeFor(worker);
            boolean fits = wanted != null && (waiting < most || (waiting == 0 && wanted.isAvailable()));
            if (fits) {
                inHand.add(claim, worker);
            }
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** How many claims wait for each of the workers alone. */
    Map<String, Integer> waiting() {
        lock.lock();
        try {
            Map<String, Integer> waiting = new LinkedHashMap<>();
            workers.keySet().forEach(worker -> waiting.put(worker, inHand.sizeFor(worker)));
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Takes such claims out of hand. */
    List<Claim> withdraw(Predicate<Claim> which) {
        lock.lock();
        try {
            return inHand.takeAll(which, Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    /** The workers that a session could be given to: those that are soon to go only where there is no other. */
    List<String> crew() {
        lock.lock();
        try {
            Map<Boolean, List<String>> bySoonGone = workers.values().stream()
                    .filter(worker -> worker.takesWork()
                            || (worker.lifecycle().state() == WorkerState.BUSY && !worker.isLeaving()))
                    .collect(partitioningBy(Worker::isWindingDown, mapping(Worker::id, toList())));
            List<String> staying = bySoonGone.getOrDefault(false, List.of());
            return staying.isEmpty() ? bySoonGone.getOrDefault(true, List.of()) : staying;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the worker could start a job now, or in a moment. */
    boolean isAvailable(String id) {
        Worker worker = find(id);
        return worker != null && worker.isAvailable();
    }

    @Nullable
    Worker find(String id) {
        lock.lock();
        try {
            return workers.get(id);
        } finally {
            lock.unlock();
        }
    }

    Workforce workforce() {
        return plan.workforce();
    }

    Work work() {
        return work;
    }

    /** The lines before the workers that have sessions; empty where jobs have none. */
    Optional<SessionLines> sessions() {
        return Optional.ofNullable(sessions);
    }

    /** Fails a claim, on a thread of the group. */
    void refuse(Claim claim, JobException why) {
        try {
            threads.execute(() -> work.refuse(claim, why));
        } catch (RejectedExecutionException e) {
            LOG.debug("Closing; job {} goes back", claim.job().id(), e);
            work.giveBack(claim, "closing");
        }
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
        } finally {
            lock.unlock();
        }
    }

    private void loop(Worker worker, Claim first) {
        for (Claim claim = first; claim != null; claim = next(worker, claim)) {
            if (!run(worker, claim)) {
                return;
            }
        }
    }

    private boolean run(Worker worker, Claim claim) {
        if (sessions == null) {
            return work.run(worker, claim);
        }
        sessions.began(claim.job());
        try {
            return work.run(worker, claim);
        } finally {
            sessions.ended(claim.job());
        }
    }

    private @Nullable Claim next(Worker worker, Claim ended) {
        // A worker that fell ill under its job and got well again may have another one by now.
        boolean itsOwn = worker.checkIn(ended.job().id());
        if (itsOwn) {
            plan.workforce().rested(worker);
        }
        lock.lock();
        try {
            Claim claim = itsOwn ? inHand.nextFor(worker.id()) : null;
            if (claim != null && !closed && worker.checkOut(claim.job().id())) {
                inHand.takeNextFor(worker.id());
                return claim;
            }
            busy--;
            if (itsOwn && !closed && worker.takesWork()) {
                idle.addFirst(worker);
                news.freed();
            }
            freed.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a new worker in the place of one whose handler does not let go of its thread. */
    void replace(Worker lost) {
        lock.lock();
        try {
            busy--;
        } finally {
            lock.unlock();
        }
        plan.workforce().abandon(lost);
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
        return await(timeout, () -> busy == 0 && inHand.isEmpty());
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
            return busy;
        } finally {
            lock.unlock();
        }
    }

    List<WorkerSnapshot> snapshots() {
        lock.lock();
        try {
            return workers.values().stream().map(Worker::snapshot)
                    .map(one -> sessions == null ? one : sessions.describe(one)).toList();
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
            return inHand.take(claim -> claim.fence().equals(fence));
        } finally {
            lock.unlock();
        }
    }

    /** Takes all claims out of hand that no worker has yet. */
    List<Claim> withdrawAll() {
        lock.lock();
        try {
            return inHand.takeAll();
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
            idle.clear();
            threads.shutdown();
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        plan.workforce().close();
    }
}
